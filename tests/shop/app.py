"""The shop as an app: tools over an in-memory back end that counts what really happened."""

from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from surefoot.app import App, Block, RunView
from surefoot.contracts.tool import Fee, ToolContext, Violation
from surefoot.errors import BusinessEmpty, BusinessRefused
from surefoot.planning.binding import Choosing, Chosen
from surefoot.planning.plan import Binding, Plan, Slot, Step
from surefoot.planning.planner import Option, Proposal, Question, Request
from surefoot.texts import Text

LIMIT = 500


@dataclass
class Backend:
    """What the shop's own system knows. ``log`` is everything that was really done, in order."""

    orders: list[dict[str, Any]] = field(default_factory=list)
    log: list[tuple[str, str]] = field(default_factory=list)
    sold_out: set[str] = field(default_factory=set)
    reachable: bool = True

    def find(self, kind: str, **wanted: Any) -> list[dict[str, Any]]:
        """Return the open orders of a kind that agree in every given field."""
        given = {name: value for name, value in wanted.items() if value is not None}
        return [o for o in self.orders if o["kind"] == kind and all(o.get(n) == v for n, v in given.items())]

    @contextmanager
    def change(self) -> Iterator[None]:
        """Hold the back end still while it changes; here there is nothing to lock."""
        yield

    def check(self) -> None:
        """Fail like a machine that is down."""
        if not self.reachable:
            raise TimeoutError("the shop does not answer")


async def quote(article: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Ask for a price."""
    ctx.systems.check()
    if article in ctx.systems.sold_out:
        other = {"label": {"zh": "茶", "en": "tea"}, "changes": {"article": "tea"}}
        raise BusinessEmpty(Text("卖完了。", "Sold out."), details={"alternatives": [other]})
    return {"price": 10 * len(article), "article": article}


async def quote_from_list(article: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Look the price up in the printed list."""
    return {"price": 99, "article": article}


async def reserve(article: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Put an article aside."""
    shop: Backend = ctx.systems
    shop.check()
    with shop.change():
        for known in shop.orders:
            if known["key"] == ctx.idempotency_key:
                return {"reservation_id": known["reservation_id"], "article": article}
        reservation_id = f"R{len(shop.log) + 1}"
        order = {"kind": "reserve", "article": article, "key": ctx.idempotency_key, "reservation_id": reservation_id}
        shop.orders.append(order)
        shop.log.append(("reserve", article))
    return {"reservation_id": reservation_id, "article": article}


async def release(reservation_id: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Put an article back on the shelf."""
    shop: Backend = ctx.systems
    shop.check()
    with shop.change():
        for order in shop.find("reserve", reservation_id=reservation_id):
            shop.orders.remove(order)
            shop.log.append(("release", order["article"]))
    return {"reservation_id": reservation_id}


async def charge(article: str, amount: int, *, ctx: ToolContext) -> dict[str, Any]:
    """Take the money. This back end knows no keys: a second call charges twice."""
    shop: Backend = ctx.systems
    shop.check()
    if article == "cursed":
        raise BusinessRefused(Text("银行拒绝了这笔付款。", "The bank refused this payment."))
    with shop.change():
        charge_id = f"C{len(shop.log) + 1}"
        order = {"kind": "charge", "article": article, "amount": amount, "key": None, "charge_id": charge_id}
        shop.orders.append(order)
        shop.log.append(("charge", article))
    return {"charge_id": charge_id, "article": article, "amount": amount}


async def refund(charge_id: str, *, ctx: ToolContext) -> dict[str, Any]:
    """Give the money back."""
    shop: Backend = ctx.systems
    shop.check()
    with shop.change():
        for order in shop.find("charge", charge_id=charge_id):
            shop.orders.remove(order)
            shop.log.append(("refund", order["article"]))
    return {"charge_id": charge_id}


async def find_order(
    kind: str,
    article: str | None = None,
    amount: int | None = None,
    charge_id: str | None = None,
    reservation_id: str | None = None,
    *,
    ctx: ToolContext,
) -> dict[str, Any]:
    """Look up orders."""
    ctx.systems.check()
    found = ctx.systems.find(kind, article=article, amount=amount, charge_id=charge_id, reservation_id=reservation_id)
    return {"records": [{k: v for k, v in order.items() if k != "key"} for order in found]}


async def greet(to: str = "you", *, ctx: ToolContext) -> dict[str, Any]:
    """Say thanks."""
    ctx.systems.check()
    return {"words": f"thanks, {to}"}


async def amount_below_limit(
    arguments: Mapping[str, Any], data: Mapping[str, Any] | None, ctx: ToolContext
) -> Violation | None:
    """No more than LIMIT at once."""
    if arguments["amount"] <= LIMIT:
        return None
    return Violation("amount_below_limit", Text(f"一次最多 {LIMIT} 元。", f"At most {LIMIT} at once."), field="amount")


async def not_charged_yet(
    arguments: Mapping[str, Any], data: Mapping[str, Any] | None, ctx: ToolContext
) -> Violation | None:
    """Nobody pays twice for the same article: a rule that sees the very effect it guards."""
    if not ctx.systems.find("charge", article=arguments["article"]):
        return None
    return Violation("not_charged_yet", Text("已经付过款了。", "This was paid already."))


async def charge_fee(arguments: Mapping[str, Any], ctx: ToolContext) -> Fee | None:
    """The amount itself."""
    amount = str(arguments["amount"])
    return Fee(amount, "CNY", Text(f"{amount} 元", f"{amount} CNY"))


def cheapest(choosing: Choosing) -> Chosen | None:
    """Take the quoted article."""
    data = choosing.results["quote"].get("data", {})
    return Chosen(data["article"], Text("刚刚询价的商品", "the article just quoted")) if data else None


TOOLS = [quote, quote_from_list, reserve, release, charge, refund, find_order, greet]


def bilingual(words: str) -> dict[str, str]:
    """The same words in both languages."""
    return {"zh": words, "en": words}


class ShopPlanner:
    """Understands ``buy ARTICLE``, ``buy ARTICLE amount N`` and asks for the article when it is missing."""

    async def propose(self, request: Request, systems: Any) -> Proposal:
        """Return the usual five steps."""
        words = request.text.split()
        if words[0] != "buy":
            return Proposal(refusal=Text("我只会买东西。", "I can only buy things."))
        slots = dict(request.slots)
        replied = [words for slot, words in request.replies if slot == "article"]
        if replied:
            slots["article"] = Slot(value=replied[-1], origin="said")
        if len(words) > 1:
            slots.setdefault("article", Slot(value=words[1], origin="said"))
        if "article" not in slots:
            tea = Option(Text("茶", "tea"), {"article": "tea"})
            return Proposal(question=Question(Text("买什么？", "Buy what?"), "article", (tea,)))
        if "amount" in words:
            slots["amount"] = Slot(value=int(words[words.index("amount") + 1]), origin="said")
        else:
            slots["amount"] = Slot(value=30, origin="inferred", note=bilingual("a usual price"))
        return Proposal(plan=plan_for(), slots=slots, reasons=(Text("买", "buy"),))


def plan_for() -> Plan:
    """quote -> reserve -> charge, and thanks at the end."""
    article = Binding(slot="article")
    return Plan(
        goal=bilingual("buy"),
        steps=(
            Step(id="quote", tool="quote", description=bilingual("quote"), parameters={"article": article}),
            Step(
                id="reserve",
                tool="reserve",
                description=bilingual("reserve"),
                depends_on=("quote",),
                parameters={"article": Binding(choose="cheapest")},
                requires_confirmation=True,
            ),
            Step(
                id="charge",
                tool="charge",
                description=bilingual("charge"),
                depends_on=("reserve",),
                parameters={"article": article, "amount": Binding(slot="amount")},
                requires_confirmation=True,
            ),
            Step(id="greet", tool="greet", description=bilingual("greet"), depends_on=("charge",)),
        ),
    )


def compose(view: RunView) -> list[Block]:
    """Say the status."""
    return [Block("text", {"text": f"{view.status}: {view.request}"})]


def shop_app(backend: Backend) -> App:
    """Return the app over one back end."""

    @asynccontextmanager
    async def systems() -> AsyncIterator[Backend]:
        yield backend

    return App(
        name="shop",
        title=Text("小店", "Shop"),
        timezone="Asia/Shanghai",
        contracts=Path(__file__).parent / "contracts",
        tools=TOOLS,
        planner=ShopPlanner(),
        open=systems,
        permissions=lambda user: frozenset() if user == "stranger" else frozenset({"shop"}),
        compose=compose,
        rules={"amount_below_limit": amount_below_limit, "not_charged_yet": not_charged_yet},
        fees={"charge_fee": charge_fee},
        choices={"cheapest": cheapest},
    )
