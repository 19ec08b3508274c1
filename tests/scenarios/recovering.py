"""The shop with contracts and tools changed for one test, run through the whole engine."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from shop.app import Backend, bilingual, shop_app
from surefoot.bootstrap import Settings, open_runner
from surefoot.contracts import ToolContext
from surefoot.errors import BusinessEmpty, ErrorCode, ToolError
from surefoot.persistence.database import sqlite_url
from surefoot.planning.plan import Binding, Plan, Slot, Step
from surefoot.planning.planner import Proposal, Request
from surefoot.recovery.policy import Recovery
from surefoot.runtime.runner import Runner, RunResult
from surefoot.testing.faults import Fault, FaultInjector
from surefoot.texts import Text

INPUT = {"type": "object", "additionalProperties": False, "required": ["article"]}
SEARCH: dict[str, Any] = {
    "name": "search",
    "version": 1,
    "summary": {"zh": "搜索商品", "en": "Search for articles."},
    "effect": "read",
    "permission": "shop",
    "input_schema": {
        **INPUT,
        "properties": {
            "article": {"type": "string"},
            "colour": {"type": "string"},
            "limit": {"type": "integer"},
            "size": {"type": "string"},
        },
    },
    "output_contract": {
        "required_fields": ["found"],
        "data_schema": {"properties": {"found": {"type": "array", "items": {"type": "string"}}}},
    },
    "execution_contract": {"timeout_ms": 1000, "retry_policy": {"max_retries": 0}},
}
WRAP: dict[str, Any] = {
    "name": "wrap",
    "version": 1,
    "summary": {"zh": "包装礼物", "en": "Wrap a gift."},
    "effect": "write",
    "permission": "shop",
    "irreversible": True,
    "input_schema": {**INPUT, "properties": {"article": {"type": "string"}, "paper": {"type": "string"}}},
    "execution_contract": {"timeout_ms": 500, "retry_policy": {"max_retries": 0}},
    "idempotency": {"key": ["article"], "honoured": True},
}


@dataclass
class Shelf(Backend):
    """The shop's back end with a shelf that can be searched. ``asked`` is every question that reached it."""

    asked: list[dict[str, Any]] = field(default_factory=list)
    too_many: int = 1000


async def search(
    article: str, colour: str | None = None, limit: int = 50, size: str | None = None, *, ctx: ToolContext
) -> dict[str, Any]:
    """Find what is there in white; a question for more than the shelf can bear is refused for its rate."""
    shelf: Shelf = ctx.systems
    shelf.asked.append({"article": article, "colour": colour, "limit": limit, "size": size})
    shelf.check()
    if limit > shelf.too_many:
        raise ToolError(ErrorCode.TOOL_RATE_LIMITED, "too many results wanted")
    if colour not in (None, "white"):
        raise BusinessEmpty(Text("没有这种颜色的。", "Nothing in that colour."))
    return {"found": [article]}


async def wrap(article: str, paper: str | None = None, *, ctx: ToolContext) -> dict[str, Any]:
    """Wrap a gift; which paper must be said."""
    if paper is None:
        raise ToolError(ErrorCode.TOOL_INPUT_INVALID, "paper is missing", text=Text("要说明用什么纸。", "Which paper?"))
    ctx.systems.log.append(("wrap", f"{article} in {paper}"))
    return {}


@dataclass
class PlannerOf:
    """Proposes the same plan for everything that is asked; slots are what was answered."""

    plan: Plan
    slots: dict[str, Slot] = field(default_factory=dict)

    async def propose(self, request: Request, systems: Any) -> Proposal:
        """Return the plan, with what the person has replied in its slots."""
        replied = {slot: Slot(value=words) for slot, words in request.replies}
        return Proposal(plan=self.plan, slots={**self.slots, **replied, **request.slots})


def step(tool: str, *, after: Sequence[str] = (), name: str = "", critical: bool | None = None, **given: Any) -> Step:
    """Return a step with literal arguments, or bindings."""
    bound = {key: value if isinstance(value, Binding) else Binding(literal=value) for key, value in given.items()}
    more: dict[str, Any] = {} if critical is None else {"critical": critical}
    return Step(
        id=name or tool,
        tool=tool,
        description=bilingual(tool),
        depends_on=tuple(after),
        parameters=bound,
        requires_confirmation=tool in ("reserve", "charge", "wrap"),
        **more,
    )


@asynccontextmanager
async def changed_shop(
    folder: Path,
    *steps: Step,
    contracts: Mapping[str, Mapping[str, Any]] | None = None,
    tools: Sequence[Any] = (),
    faults: Sequence[Fault] = (),
    backend: Backend | None = None,
    slots: Mapping[str, Slot] | None = None,
    recovery: Recovery | None = None,
    labels: Mapping[str, Text] | None = None,
    rules: Mapping[str, Any] | None = None,
) -> AsyncIterator[tuple[Runner, Shelf, FaultInjector]]:
    """Open the shop with its contracts changed key by key, tools replaced by name, and this very plan."""
    app = shop_app(backend := backend or Shelf())
    made = folder / "contracts"
    made.mkdir(exist_ok=True)
    known = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in app.contracts.glob("*.yaml")}
    known |= {"search": SEARCH, "wrap": WRAP}
    for name, raw in known.items():
        (made / f"{name}.yaml").write_text(yaml.safe_dump({**raw, **(contracts or {}).get(name, {})}), encoding="utf-8")
    by_name = {tool.__name__: tool for tool in [*app.tools, search, wrap, *tools]}
    plan = Plan(goal=bilingual("shop"), steps=steps)
    app = replace(
        app,
        contracts=made,
        tools=list(by_name.values()),
        planner=PlannerOf(plan, dict(slots or {})),
        recovery=recovery or Recovery(),
        labels=labels or {},
        rules={**app.rules, **(rules or {})},
    )
    injector = FaultInjector(faults)
    settings = Settings(database_url=sqlite_url(folder / "surefoot.sqlite"))
    async with open_runner(injector.wrap(app), settings) as runner:
        yield runner, backend, injector  # type: ignore[misc]


async def ask(runner: Runner, **options: Any) -> RunResult:
    """Start a run; the planner does not look at the words."""
    return await runner.start("go", user_id="ann", lang="en", **options)


def strategies(result: RunResult) -> list[tuple[str, bool | None]]:
    """Return what was done about errors, and whether it helped."""
    return [(one["kind"], one["helped"]) for one in result.state["reliability"].get("history", [])]


def notes(result: RunResult, step_id: str) -> str:
    """Return what the answer can say about a step, in English."""
    return " ".join(note["en"] for note in result.state["execution"]["steps"][step_id]["notes"])
