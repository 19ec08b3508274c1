"""Abort before the last write: exact, declared, refused; silence is found where there is some."""

from collections import Counter
from pathlib import Path

import pytest

from surefoot.evals.tau2.contracts import contracts_for
from surefoot.evals.tau2.images import image_of, put_back
from surefoot.evals.tau2.undo import Commits, Ended, Undo, classed, image_figures, undo_figures
from unit.evals_tau2.bank import Bank, bank, get_environment, open_account, pay, rename

PUT_BACK = {
    "before": {"account": {"tool": "get_account", "arguments": {"account_id": "$.arguments.account_id"}}},
    "reconcile": {"changed": ["account"]},
    "irreversible": None,
    "compensate": {
        "tool": "rename",
        "arguments": {"account_id": "$.arguments.account_id", "label": "$.before.account.label"},
    },
}
LABEL: Commits = Counter({("rename", "{}"): 1})
MONEY: Commits = Counter({("pay", "{}"): 1})


def test_writes_with_an_inverse_are_undone_and_those_without_are_declared(tmp_path: Path) -> None:
    domain = bank(
        [rename("x", "a2"), pay(1)],
        [rename("x", "a2"), pay(30), rename("y", "a2")],
        [pay(3000), pay(1)],
        [pay(1)],
    )
    contracts = contracts_for(domain, {"rename": PUT_BACK})
    figures = undo_figures(domain, contracts, tmp_path)
    assert figures == {"tasks": 3, "exact": 2, "declared": 1, "refused": 0, "silent": 0}


def test_an_inverse_that_is_refused_is_handed_over(tmp_path: Path) -> None:
    domain = bank([rename("x"), pay(1)])
    undo = {"tool": "pay", "arguments": {"account_id": "$.arguments.account_id", "amount": 10_000}}
    contracts = contracts_for(domain, {"rename": {"irreversible": None, "compensate": undo}})
    assert undo_figures(domain, contracts, tmp_path)["refused"] == 1


def test_before_images_bring_everything_back_also_what_was_added(tmp_path: Path) -> None:
    domain = bank([pay(30), open_account(), rename("x"), open_account()], [pay(1, "a2"), pay(2, "a2")])
    assert image_figures(domain, contracts_for(domain), tmp_path) == {"tasks": 2, "exact": 2}


def test_an_image_holds_what_is_named_and_what_that_names() -> None:
    database: Bank = get_environment().tools.db
    image = image_of(database, {"account_id": "a1", "amount": 3})
    assert [(name, key) for name, key, _ in image["objects"]] == [("accounts", "a1"), ("owners", "o1")]
    database.accounts["a1"].balance = 0
    database.opened = 7
    put_back(database, image)
    assert database == get_environment().tools.db


@pytest.mark.parametrize(
    ("ended", "kind"),
    [
        (Ended(exact=True, remains=Counter(), adds_up=True), Undo.EXACT),
        (Ended(exact=False, remains=MONEY, adds_up=True), Undo.DECLARED),
        (Ended(exact=False, remains=LABEL, adds_up=True), Undo.REFUSED),
        (Ended(exact=False, remains=Counter(), adds_up=True), Undo.SILENT),
        (Ended(exact=False, remains=MONEY, adds_up=False), Undo.SILENT),
    ],
)
def test_what_is_not_reported_or_does_not_add_up_is_silent(ended: Ended, kind: Undo) -> None:
    assert classed(ended, contracts_for(bank(), {"rename": PUT_BACK})) is kind
