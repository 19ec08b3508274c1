"""Rate limits through the whole engine: messages before anything runs, tools at the door."""

import pytest

from scenarios.recovering import changed_shop
from shop.app import plan_for
from shop.running import buy, confirm, confirm_all, shop
from surefoot.errors import RateLimited
from surefoot.execution.protocol import State
from surefoot.planning import Slot

SLOTS = {"article": Slot(value="tea"), "amount": Slot(value=30)}


async def test_messages_above_the_limit_are_refused_before_anything_runs(tmp_path):
    async with shop(tmp_path, message_limit="2/hour") as (runner, _, injector):
        for _ in range(2):
            await buy(runner)
        calls = dict(injector.calls)
        with pytest.raises(RateLimited) as refused:
            await buy(runner)
        assert 0 < refused.value.retry_after <= 3600
        assert dict(injector.calls) == calls
        assert len(await runner.runs.newest()) == 2
        assert (await buy(runner, user="bob")).status == "waiting"


async def test_a_tools_own_limit_is_kept_at_the_door_and_the_person_is_told(tmp_path):
    changed = {"charge": {"limit": "1/hour"}}
    async with changed_shop(tmp_path, *plan_for().steps, contracts=changed, slots=SLOTS) as (runner, _, __):
        first = await confirm_all(runner, await buy(runner))
        assert first.status == "done"
        second = await buy(runner)
        second = await runner.resume(second.run_id, by="ann", answer=confirm(second))
        assert second.status != "done"
        assert "Too often" in str(second.state["execution"]["steps"]["charge"])
        made = [effect for effect in await runner.door.ledger.all() if effect.tool == "charge"]
        assert [effect.state for effect in made] == [State.COMMITTED]
        states = {effect.tool: effect.state for effect in await runner.door.ledger.of_run(second.run_id)}
        assert states["reserve"] is State.COMPENSATED
