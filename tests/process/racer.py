"""One contender in the race for a room: prepares its card, waits for the gun, and goes through the door."""

import asyncio
import json
import sys
from collections import Counter
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from surefoot.bootstrap import find_app, load_settings, open_runner
from surefoot.contracts import Deadline, StandingClock
from surefoot.execution import Call, Limits, LoopDetector, Ready, Reply, RunBudget, Session
from surefoot.recovery.reconcile import reconcile


async def main(user: str, gun: str, arguments: str) -> None:
    """Print how the attempt ended."""
    zone = ZoneInfo("Asia/Shanghai")
    clock = StandingClock(zone, datetime(2026, 12, 1, 10, tzinfo=zone))
    async with open_runner(find_app("campus"), load_settings()) as runner:
        lease = await runner.leases.claim(user, f"r-{user}", user, ttl_seconds=120)
        session = Session(
            user_id=user,
            permissions=runner.app.permissions(user),
            lease=lease,
            budget=RunBudget(Limits(1000, 1000), Deadline.after(clock, 300), Counter()),
            loops=LoopDetector(),
            now=clock.now,
            systems=runner.systems,
        )
        call = Call(f"r-{user}/book", f"r-{user}", user, "book", user, "book_room", json.loads(arguments))
        ready = await runner.door.prepare(call, session)
        while not isinstance(ready, Ready):
            # Fifty processes on two cores: a rule's look-up may come too late. Nothing was written; look again.
            ready = await runner.door.prepare(call, session)
        assert ready.card is not None
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while not Path(gun).exists():  # noqa: ASYNC110, ASYNC240 - a barrier between processes is a file
            await asyncio.sleep(0.005)
        reply = Reply(ready.card.card_id, ready.card.nonce, "confirm", user)
        consent_id = await runner.door.consents.grant(ready.card, reply)
        outcome = await runner.door.attempt(ready, session, consent_id=consent_id)
        while outcome.kind in ("unknown", "not_sent"):
            # What the graph does: ask back until it is known, send again only what is known not to be there.
            await asyncio.sleep(0.5)
            if outcome.kind == "unknown":
                effect = await runner.door.ledger.get(str(outcome.effect_id))
                outcome = await reconcile(effect, runner.door, session)
            else:
                outcome = await runner.door.attempt(ready, session, consent_id=consent_id)
        told = {
            "kind": outcome.kind,
            "reason": outcome.details.get("reason"),
            "alternatives": len(outcome.details.get("alternatives", [])),
        }
        sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))
