"""All rules, in order."""

from __future__ import annotations

from danubia_core.rules.chrome import CHROME_RULES
from danubia_core.rules.chrome_in_main import CHROME_IN_MAIN_RULES
from danubia_core.rules.hidden import HIDDEN_RULES
from danubia_core.rules.main import MAIN_RULES
from danubia_core.rules.rule import Rule

RULES: tuple[Rule, ...] = MAIN_RULES + HIDDEN_RULES + CHROME_RULES + CHROME_IN_MAIN_RULES

__all__ = ["RULES", "Rule"]
