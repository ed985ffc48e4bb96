"""What runs Danubia elsewhere than on one machine, a folder for each engine."""
