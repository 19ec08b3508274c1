"""The README tells the truth: its example is what a run prints, its contract loads, its commands exist."""

import json
import re
import sys
from pathlib import Path

import pytest
import yaml
from langchain.agents import create_agent
from langchain.agents.middleware import ToolRetryMiddleware
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver

from bank.app import CONTRACTS, Bank, calling
from surefoot.contracts.loader import load_contract
from surefoot.testing.scripted_model import ScriptedModel

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
    assert example.alike(shown[1], example.printed())
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


def test_the_two_lines_under_create_agent_do_what_it_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    block = re.search(r"```python\n(from surefoot\.middleware import.*?)```", README, re.DOTALL)
    assert block is not None
    added = [line for line in block[1].splitlines() if "surefoot" in line.lower()]
    assert len(added) == 2
    monkeypatch.chdir(tmp_path)
    (tmp_path / "contracts").mkdir()
    for name, contract in CONTRACTS.items():
        (tmp_path / "contracts" / f"{name}.yaml").write_text(yaml.safe_dump({"name": name, **contract}))
    bank = Bank(faults={"pay": ["after_timeout"], "ship": ["refuse"]})
    tools = {name: StructuredTool.from_function(getattr(bank, name)) for name in CONTRACTS}
    script = [calling("pay", "c1", invoice="17", amount=40), calling("ship", "c2", order="9"), AIMessage("sorry")]
    names = {
        "create_agent": create_agent,
        "model": ScriptedModel(script=script),
        "checkpointer": InMemorySaver(),
        **tools,
    }
    rest = ", ".join(name for name in CONTRACTS if name not in ("pay", "refund", "find_payment", "ship"))
    exec(block[1].replace("...", rest), names)
    agent = names["agent"]
    result = agent.invoke(  # type: ignore[attr-defined]
        {"messages": [("user", "pay 17, then ship 9")]}, {"configurable": {"thread_id": "t"}}
    )
    pay, ship = (json.loads(str(m.content)) for m in result["messages"] if isinstance(m, ToolMessage))
    shown = re.search(r"```text\npay   (.*?)\nship", README, re.DOTALL)
    assert shown is not None
    assert " ".join(shown[1].split()) == json.dumps(pay)
    assert ship["taken_back"][0]["state"] == "compensated"
    assert (bank.count("pay"), bank.count("refund")) == (1, 1)


def test_what_it_says_of_langchains_retry_middleware_is_true() -> None:
    bank = Bank(faults={"pay": ["after_timeout"] * 3})
    agent = create_agent(
        ScriptedModel(script=[calling("pay", "c1", invoice="17", amount=40), AIMessage("sorry")]),
        [StructuredTool.from_function(bank.pay)],
        middleware=[ToolRetryMiddleware(max_retries=2, initial_delay=0, jitter=False)],
    )
    agent.invoke({"messages": [("user", "pay 17")]})
    assert (bank.count("pay"), bank.count("refund")) == (3, 0)
