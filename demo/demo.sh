#!/usr/bin/env bash
# The main job, twice: once straight through, once killed in the middle and resumed.
set -euo pipefail
surefoot=$1
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
export SUREFOOT_DATABASE_URL="sqlite:///$home/surefoot.sqlite"
export SUREFOOT_CAMPUS_DATABASE="$home/campus.sqlite"
sentence='我明天上午第二节没课，想找一个空研讨间做小组展示排练，排练结束后再推荐一个附近人少、味道不错的食堂，帮我把时间安排好。'

echo "── 1. A sentence becomes a checked plan, a card, a booking and a timeline (--yes consents by flag)"
"$surefoot" ask "$sentence" --at 2026-12-01T10:00 --yes

echo
echo "── 2. The same for Thursday; the process is killed right after the back end has answered"
thursday='后天下午第五节想订一个四个人的研讨间讨论课题，结束后推荐一个附近的食堂，帮我安排好。'
(
  export SUREFOOT_CRASH_AT=attempt.after_call SUREFOOT_CRASH_MARK="$home/mark"
  "$surefoot" ask "$thursday" --at 2026-12-01T10:00 --yes || true
) >/dev/null 2>&1
test -s "$home/mark" && echo "killed with SIGKILL at: $(cat "$home/mark")"
"$surefoot" effects list
run=$("$surefoot" runs --json | python3 -c 'import json,sys; print(json.load(sys.stdin)[0]["run_id"])')

echo
echo "── 3. surefoot resume $run: the back end is asked first, nothing is booked twice, the card is not asked again"
"$surefoot" resume "$run"
"$surefoot" effects list
