#!/bin/sh
# curl: compacts a session file in place, as far as the agent's own storage allows it. The agent must not run meanwhile.
# The setting: COMPACTION_URL, and COMPACTION_TOKEN if the service has tokens. It keeps the old file as FILE.before.
# To run it: sh write-back.sh ~/.claude/projects/PROJECT/SESSION.jsonl, then resume the session in the agent.
set -eu
session=$1
new=$(mktemp)
headers=$(mktemp)
trap 'rm -f "$new" "$headers" "$session.new"' EXIT
curl -fsS "${COMPACTION_URL:-http://127.0.0.1:8080}/compaction?reply=native&keepRecentTokens=${KEEP:-8000}" \
  -H "authorization: Bearer ${COMPACTION_TOKEN:-none}" -H 'content-type: application/x-ndjson' \
  --data-binary "@$session" -D "$headers" -o "$new"
# The header says what the agent expects of the reply: more lines for its file, a new file, or a file beside it.
mode=$(tr -d '\r' <"$headers" | sed -n 's/^[Xx]-[Pp]recis-[Nn]ative: *//p' | tail -n 1)
case $mode in
append)
  cp -p "$session" "$session.before"
  cat "$new" >>"$session"
  ;;
replace)
  cp -p "$session" "$session.before"
  # A file of its own first, with the old mode: the agent never finds half a session.
  cp -p "$session" "$session.new"
  cat "$new" >"$session.new"
  mv "$session.new" "$session"
  ;;
*)
  echo "The reply cannot be written into $session: X-Precis-Native is \"$mode\", and this script knows append and replace." >&2
  exit 1
  ;;
esac
