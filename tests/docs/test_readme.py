"""The README tells the truth: its example is what a run prints, its contract loads, its commands exist."""

import re
import sys
from pathlib import Path

from surefoot.contracts.loader import load_contract

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_example_is_what_a_run_prints_today() -> None:
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        import example
    finally:
        sys.path.pop(0)
    shown = re.search(r"<!-- generated: example -->\n```text\n(.*?)\n```", README, re.DOTALL)
    assert shown is not None
    assert shown[1] == example.printed()
    assert "BK-" in shown[1]


def test_the_contract_it_shows_is_one_that_loads(tmp_path: Path) -> None:
    block = re.search(r"```yaml\n(# contracts/pay\.yaml\n.*?)```", README, re.DOTALL)
    assert block is not None
    (tmp_path / "pay.yaml").write_text(block[1], encoding="utf-8")
    contract, _ = load_contract(tmp_path / "pay.yaml")
    assert contract.is_write
    assert contract.approval == "required"


def test_using_it_for_ones_own_agent_takes_less_than_forty_lines() -> None:
    section = README.partition("## Your own agent")[2].partition("## Everyday commands")[0]
    code = re.findall(r"```(?:yaml|python)\n(.*?)```", section, re.DOTALL)
    assert sum(len(block.splitlines()) for block in code) < 40
