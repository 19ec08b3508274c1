"""The bank: what really happened, the tools over it, and their contracts."""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import AIMessage
from langchain_core.tools import BaseTool, StructuredTool, ToolException

INVOICE = {"type": "object", "additionalProperties": False, "required": ["invoice", "amount"],
           "properties": {"invoice": {"type": "string"}, "amount": {"type": "integer"}}}  # fmt: skip
ORDER = {"type": "object", "additionalProperties": False, "required": ["order"],
         "properties": {"order": {"type": "string"}}}  # fmt: skip
PAYMENT = {"type": "object", "additionalProperties": False, "required": ["payment_id"],
           "properties": {"payment_id": {"type": "string"}}}  # fmt: skip
QUICK: dict[str, Any] = {"timeout_ms": 300, "retry_policy": {"max_retries": 2, "initial_ms": 0, "jitter": False}}

CONTRACTS: dict[str, dict[str, Any]] = {
    "pay": {
        "version": 1, "summary": "Pay an invoice.", "effect": "write", "permission": "money", "approval": "never",
        "input_schema": INVOICE, "execution_contract": QUICK,
        "output_contract": {"required_fields": ["payment_id"],
                            "data_schema": {"properties": {"payment_id": {"type": "string"}}}},
        "idempotency": {"key": ["invoice", "amount"]},
        "reconcile": {"tool": "find_payment", "match": ["invoice", "amount"], "records": "$.data.result"},
        "compensate": {"tool": "refund", "arguments": {"payment_id": "$.data.payment_id"}},
    },
    "refund": {
        "version": 1, "summary": "Refund a payment.", "effect": "write", "permission": "money", "approval": "never",
        "input_schema": PAYMENT, "execution_contract": QUICK, "irreversible": True,
        "idempotency": {"key": ["payment_id"]},
        "reconcile": {"tool": "find_refund", "match": ["payment_id"], "records": "$.data.result"},
    },
    "ship": {
        "version": 1, "summary": "Ship an order.", "effect": "write", "permission": "goods", "approval": "never",
        "input_schema": ORDER, "execution_contract": QUICK, "irreversible": True, "idempotency": {"key": ["order"]},
        "reconcile": {"tool": "find_shipment", "match": ["order"], "records": "$.data.result"},
    },
    "find_payment": {"version": 1, "summary": "Find payments.", "effect": "read", "permission": "money",
                     "input_schema": INVOICE, "execution_contract": QUICK},
    "find_refund": {"version": 1, "summary": "Find refunds.", "effect": "read", "permission": "money",
                    "input_schema": PAYMENT, "execution_contract": QUICK},
    "find_shipment": {"version": 1, "summary": "Find shipments.", "effect": "read", "permission": "goods",
                      "input_schema": ORDER, "execution_contract": QUICK},
}  # fmt: skip


@dataclass
class Bank:
    """What really happened, in order; and which faults strike next, by tool, one per call."""

    done: list[tuple[str, Any]] = field(default_factory=list)
    faults: dict[str, list[str]] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def count(self, kind: str) -> int:
        """Return how often something was really done."""
        return sum(1 for name, _ in self.done if name == kind)

    def pay(self, invoice: str, amount: int) -> dict[str, Any]:
        """Pay an invoice."""
        payment_id = f"P{self.count('pay') + 1}"
        return self._do("pay", {"invoice": invoice, "amount": amount, "payment_id": payment_id})

    def refund(self, payment_id: str) -> dict[str, Any]:
        """Refund a payment."""
        return self._do("refund", {"payment_id": payment_id})

    def ship(self, order: str) -> dict[str, Any]:
        """Ship an order."""
        return self._do("ship", {"order": order})

    def find_payment(self, invoice: str, amount: int) -> list[dict[str, Any]]:
        """Find payments."""
        self.calls.append("find_payment")
        return self._find("pay", invoice=invoice, amount=amount)

    def find_refund(self, payment_id: str) -> list[dict[str, Any]]:
        """Find refunds."""
        return self._find("refund", payment_id=payment_id)

    def find_shipment(self, order: str) -> list[dict[str, Any]]:
        """Find shipments."""
        return self._find("ship", order=order)

    def _find(self, kind: str, **wanted: Any) -> list[dict[str, Any]]:
        return [what for name, what in self.done if name == kind and wanted.items() <= what.items()]

    def _do(self, kind: str, what: dict[str, Any]) -> Any:
        with self.lock:
            self.calls.append(kind)
            fault = self.faults[kind].pop(0) if self.faults.get(kind) else ""
            if fault == "refuse":
                raise ToolException("the desk says no")
            if fault == "before_timeout":
                raise TimeoutError("read timed out")
            if fault == "5xx":
                error = ConnectionError("503 service unavailable")
                error.status_code = 503  # type: ignore[attr-defined]
                raise error
            self.done.append((kind, what))
        if fault == "hang":
            time.sleep(0.6)
        if fault == "after_timeout":
            raise TimeoutError("read timed out")
        if fault == "malformed":
            text = json.dumps(what)
            return text[: len(text) // 2]
        return what


def bank_tools(bank: Bank, *names: str) -> list[BaseTool]:
    """Return the bank's tools as plain LangChain tools, as a user would have them."""
    return [StructuredTool.from_function(getattr(bank, name)) for name in names or tuple(CONTRACTS)]


def calling(name: str, call_id: str, **arguments: Any) -> AIMessage:
    """Return a model's answer that calls one tool."""
    return AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": call_id, "type": "tool_call"}])


def contracts(**changes: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the contracts, with keys changed by tool."""
    return {name: {**contract, **changes.get(name, {})} for name, contract in CONTRACTS.items()}


Script = list[AIMessage | Exception | Callable[..., AIMessage]]
