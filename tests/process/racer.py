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
from surefoot.execution import Call, LoopDetector, Ready, Reply, RunBudget, Session


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
            budget=RunBudget(runner.limits, Deadline.after(clock, 100), Counter()),
            loops=LoopDetector(),
            now=clock.now,
            systems=runner.systems,
        )
        call = Call(f"r-{user}/book", f"r-{user}", user, "book", user, "book_room", json.loads(arguments))
        ready = await runner.door.prepare(call, session)
        assert isinstance(ready, Ready), ready
        assert ready.card is not None
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while not Path(gun).exists():  # noqa: ASYNC110, ASYNC240 - a barrier between processes is a file
            await asyncio.sleep(0.005)
        consent_id = await runner.door.consents.grant(
            ready.card, Reply(ready.card.card_id, ready.card.nonce, "confirm", user)
        )
        outcome = await runner.door.attempt(ready, session, consent_id=consent_id)
        told = {
            "kind": outcome.kind,
            "reason": outcome.details.get("reason"),
            "alternatives": len(outcome.details.get("alternatives", [])),
        }
        sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))
