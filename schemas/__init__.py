"""What Danubia writes: the columns of its Parquet files and the JSON Schema of its node tree."""
