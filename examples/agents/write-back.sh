#!/bin/sh
# curl: compacts the session file of Claude Code, Codex, Gemini CLI, Qwen Code or pi in place. The agent must not run meanwhile.
# The setting: COMPACTION_URL, and COMPACTION_TOKEN if the service has tokens. It keeps the old file as FILE.before.
# To run it: sh write-back.sh ~/.claude/projects/PROJECT/SESSION.jsonl, then resume the session in the agent.
set -eu
new=$(mktemp)
trap 'rm -f "$new"' EXIT
curl -fsS "${COMPACTION_URL:-http://127.0.0.1:8080}/compaction?reply=native&keepRecentTokens=${KEEP:-8000}" \
  -H "authorization: Bearer ${COMPACTION_TOKEN:-none}" -H 'content-type: application/x-ndjson' --data-binary "@$1" -o "$new"
cp -p "$1" "$1.before"
cat "$new" >> "$1"
