#!/bin/sh
# Aider 0.86: Précis summarizes the chat history. Aider also asks its weak model for commit messages: PRECIS_MODEL must be set. Not run.
# The setting: --weak-model and --openai-api-base. The address is that of all openai/ models, so the main model is of another provider.
# To run it: ANTHROPIC_API_KEY=... sh aider.sh
exec aider --model anthropic/claude-sonnet-4-5 --weak-model openai/precis \
  --openai-api-base http://127.0.0.1:8080/v1 --openai-api-key "${COMPACTION_TOKEN:-none}" "$@"
