"""A small domain with tau2's interface: accounts that are paid from (twice is twice), renamed and opened."""

import hashlib
import json
from collections.abc import Callable
from enum import Enum
from types import SimpleNamespace
from typing import Any, ClassVar, cast

from pydantic import BaseModel, create_model

from surefoot.evals.tau2.domain import Action, Domain, Task


class Kind(Enum):
    READ = "read"
    WRITE = "write"
    GENERIC = "generic"


class Account(BaseModel):
    account_id: str
    owner_id: str
    balance: float
    label: str | None = None


class Owner(BaseModel):
    owner_id: str
    accounts: list[str]


class Bank(BaseModel):
    accounts: dict[str, Account]
    owners: dict[str, Owner]
    opened: int = 0


class Tools:
    """The toolkit. Kinds and return types are what tau2 keeps beside each function."""

    kinds: ClassVar[dict[str, tuple[Kind, Any, tuple[str, ...]]]] = {
        "get_account": (Kind.READ, Account, ("account_id",)),
        "get_owner": (Kind.READ, Owner, ("owner_id",)),
        "pay": (Kind.WRITE, Account, ("account_id", "amount")),
        "rename": (Kind.WRITE, Account, ("account_id", "label")),
        "open_account": (Kind.WRITE, Account, ("owner_id",)),
        "chat": (Kind.GENERIC, str, ("words",)),
    }

    def __init__(self, db: Bank) -> None:
        self.db = db

    def get_tools(self) -> dict[str, Any]:
        return {name: _shown(name, returns, required) for name, (_, returns, required) in self.kinds.items()}

    def tool_type(self, name: str) -> Kind:
        return self.kinds[name][0]

    def get_account(self, account_id: str) -> Account:
        if account_id not in self.db.accounts:
            raise ValueError("Account not found")
        return self.db.accounts[account_id]

    def get_owner(self, owner_id: str) -> Owner:
        return self.db.owners[owner_id]

    def pay(self, account_id: str, amount: float) -> Account:
        account = self.get_account(account_id)
        if account.balance < amount:
            raise ValueError("Not enough money")
        account.balance -= amount
        return account

    def rename(self, account_id: str, label: str) -> Account:
        account = self.get_account(account_id)
        account.label = label
        return account

    def open_account(self, owner_id: str) -> Account:
        self.db.opened += 1
        account = Account(account_id=f"new-{self.db.opened}", owner_id=owner_id, balance=0.0)
        self.db.accounts[account.account_id] = account
        self.db.owners[owner_id].accounts.append(account.account_id)
        return account

    def chat(self, words: str) -> str:
        return "Understood."


class Environment:
    user_tools = None

    def __init__(self) -> None:
        accounts = [Account(account_id="a1", owner_id="o1", balance=100.0)]
        accounts.append(Account(account_id="a2", owner_id="o1", balance=50.0, label="rent"))
        owner = Owner(owner_id="o1", accounts=["a1", "a2"])
        self.tools = Tools(Bank(accounts={a.account_id: a for a in accounts}, owners={"o1": owner}))

    def get_db_hash(self) -> str:
        return hashlib.sha256(json.dumps(self.tools.db.model_dump(), sort_keys=True).encode()).hexdigest()

    def get_response(self, call: Any) -> Any:
        function: Callable[..., Any] = getattr(self.tools, call.name)
        try:
            made = function(**call.arguments)
        except (ValueError, KeyError, TypeError) as error:
            return SimpleNamespace(content=f"Error: {error}", error=True)
        content = made if isinstance(made, str) else json.dumps(made.model_dump())
        return SimpleNamespace(content=content, error=False)


def get_environment() -> Environment:
    return Environment()


def bank(*tasks: list[Action]) -> Domain:
    """Return the domain with these tasks."""
    module = SimpleNamespace(get_environment=get_environment)
    given = [Task(f"t{number}", tuple(actions)) for number, actions in enumerate(tasks)]
    return Domain("bank", cast(Any, module), SimpleNamespace, given)


def look(account: str = "a1") -> Action:
    return Action("get_account", {"account_id": account})


def pay(amount: float, account: str = "a1") -> Action:
    return Action("pay", {"account_id": account, "amount": amount})


def rename(label: str, account: str = "a1") -> Action:
    return Action("rename", {"account_id": account, "label": label})


def open_account() -> Action:
    return Action("open_account", {"owner_id": "o1"})


def _shown(name: str, returns: Any, required: tuple[str, ...]) -> Any:
    properties = {each: {"type": "number" if each == "amount" else "string"} for each in required}
    parameters = {"type": "object", "properties": properties, "required": list(required), "title": "parameters"}
    function = {"name": name, "description": f"{name.capitalize()}.\n\nMore words.", "parameters": parameters}
    return SimpleNamespace(
        openai_schema={"function": function}, returns=create_model("returns", returns=(returns, ...))
    )
