/** Replies for openapi.yaml: those of the embedded summarizer to the first example of each route. A test checks them against the schemas. */

const REPORT = {
  model: 'embedded',
  strategy: 'embedded',
  windows: 1,
  calls: 0,
  usage: { inputTokens: 0, outputTokens: 0 },
  durationMs: 14,
  degraded: false,
  redactions: 0,
  checks: {
    sections: { missing: [] },
    latestRequest: 'kept',
    constraints: { restored: 0 },
    evidence: { tokens: 37 },
    grounding: { checked: 1, unknown: [] },
    language: { expected: 'en', found: null },
    size: { tokens: 205, limitTokens: 500 },
    injection: { obeyed: [] },
    repaired: 0,
  },
}

const KEEP = {
  ...{ asked: 10, budget: 10, ratio: 1, kept: 9 },
  why: 'The message before them, with what belongs to it, does not fit.',
}

export const COMPACTION_REPLY = {
  summary:
    '## Goal\nNewest request:\nFix the parser in src/parser.ts: it loses the text of nested tags. Never change the files in test/fixtures/.\n\n## Constraints & Preferences\n- Never change the files in test/fixtures/.\n\n## Progress\n\n### Done\n- [x] Fix the parser in src/parser.ts: it loses the text of nested tags. Never change the files in test/fixtures/. => The parser keeps nested text now, and all 3 tests pass. [src/parser.ts]\n\n### In Progress\n(none)\n\n### Blocked\n(none)\n\n## State of the Code\n(none)\n\n## Key Decisions\n- I decided to keep a stack of open tags, because a counter cannot give back their text.\n\n## Next Steps\n(none)\n\n## Critical Context\n- Error: Error: expected "<b>bold <i>both</i></b>", got "<b>bold </b>"\n- `npm test`: failed (exit code 1), printed: # fail 1\n\n## Evidence\n- failed: `npm test` (exit code 1): Error: expected "<b>bold <i>both</i></b>", got "<b>bold </b>"\n\n<modified-files>\nsrc/parser.ts\n</modified-files>',
  shortSummary:
    'Request: Fix the parser in src/parser.ts: it loses the text of nested tags. Never change the files in test/fixtures/. I changed src/parser.ts. `npm test` failed (exit code 1).',
  details: { readFiles: [], modifiedFiles: ['src/parser.ts'] },
  firstKeptEntryId: 'e8',
  isSplitTurn: false,
  tokensBefore: 219,
  tokensAfter: 282,
  tokensOutside: 0,
  report: { ...REPORT, keep: KEEP },
}

export const BRANCH_REPLY = {
  summary:
    'The user explored another branch of this conversation and has come back from it. This is what happened there:\n\n## Goal\n(none)\n\n## Constraints & Preferences\n(none)\n\n## Progress\n\n### Done\n- [x] The parser keeps nested text now, and all 3 tests pass. [src/parser.ts]\n\n### In Progress\n(none)\n\n### Blocked\n(none)\n\n## State of the Code\n(none)\n\n## Key Decisions\n- I decided to keep a stack of open tags, because a counter cannot give back their text.\n\n## Next Steps\n(none)\n\n## Critical Context\n- Error: Error: expected "<b>bold <i>both</i></b>", got "<b>bold </b>"\n- `npm test`: failed (exit code 1), printed: # fail 1\n\n<modified-files>\nsrc/parser.ts\n</modified-files>',
  details: { readFiles: [], modifiedFiles: ['src/parser.ts'] },
  commonAncestorId: 'e1',
  entryIds: ['e2', 'e3', 'e4', 'e5', 'e6', 'e7'],
  report: REPORT,
}

export const HANDOFF_REPLY = {
  document:
    '## Goal\nFirst request:\nFix the parser in src/parser.ts: it loses the text of nested tags. Never change the files in test/fixtures/.\n\nNewest request:\nNow the lexer: it must count lines.\n\n## Constraints & Preferences\n- Never change the files in test/fixtures/.\n- Now the lexer: it must count lines.\n\n## Progress\n\n### Done\n- [x] Fix the parser in src/parser.ts: it loses the text of nested tags. Never change the files in test/fixtures/. => The parser keeps nested text now, and all 3 tests pass. [src/parser.ts]\n\n### In Progress\n- [ ] Now the lexer: it must count lines.\n\n### Pending\n(none)\n\n### Blocked\n(none)\n\n## State of the Code\n(none)\n\n## Key Decisions\n- I decided to keep a stack of open tags, because a counter cannot give back their text.\n\n## Next Steps\n(none)\n\n## Critical Context\n- Error: Error: expected "<b>bold <i>both</i></b>", got "<b>bold </b>"\n- `npm test`: failed (exit code 1), printed: # fail 1\n\n## User Messages\n(Word for word, newest first.)\n\n> Fix the parser in src/parser.ts: it loses the text of nested tags. Never change the files in test/fixtures/.\n\n## Evidence\n- failed: `npm test` (exit code 1): Error: expected "<b>bold <i>both</i></b>", got "<b>bold </b>"\n\n<modified-files>\nsrc/parser.ts\n</modified-files>',
  details: { readFiles: [], modifiedFiles: ['src/parser.ts'] },
  report: REPORT,
}

export const PLAN_REPLY = {
  action: 'none',
  reason: 'below-threshold',
  thresholdTokens: null,
  contextTokens: 219,
  firstKeptEntryId: 'e8',
  isSplitTurn: false,
  turnStartEntryId: null,
  tokensBefore: 219,
  tokensOutside: 0,
  tokensKept: 9,
  keep: KEEP,
  hasPreviousSummary: false,
  previousSummaryTokens: 0,
  details: { readFiles: [], modifiedFiles: ['src/parser.ts'] },
  windows: 1,
  promptTokens: 1515,
  summarizerWindow: 128000,
  prune: { count: 0, tokensSaved: 0 },
  entries: [
    { id: 'e1', type: 'message', role: 'user', tokens: 26, region: 'summarized' },
    { id: 'e2', type: 'message', role: 'assistant', tokens: 17, region: 'summarized' },
    { id: 'e3', type: 'message', role: 'toolResult', tokens: 22, region: 'summarized' },
    { id: 'e4', type: 'message', role: 'toolResult', tokens: 96, region: 'summarized' },
    { id: 'e5', type: 'message', role: 'assistant', tokens: 29, region: 'summarized' },
    { id: 'e6', type: 'message', role: 'toolResult', tokens: 5, region: 'summarized' },
    { id: 'e7', type: 'message', role: 'assistant', tokens: 15, region: 'summarized' },
    { id: 'e8', type: 'message', role: 'user', tokens: 9, region: 'kept' },
  ],
}

export const CONTEXT_REPLY = {
  messages: [
    {
      role: 'toolResult',
      content: [{ type: 'text', text: 'Replaced 1 block.' }],
      toolCallId: 'c2',
      toolName: 'edit',
      isError: false,
    },
    { role: 'assistant', content: [{ type: 'text', text: 'The parser keeps nested text now, and all 3 tests pass.' }] },
    { role: 'user', content: [{ type: 'text', text: 'Now the lexer: it must count lines.' }] },
  ],
}

export const PRUNE_REPLY = {
  messages: [
    {
      role: 'user',
      content:
        'Fix the parser in src/parser.ts: it loses the text of nested tags. Never change the files in test/fixtures/.',
    },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'bash', arguments: '{"command":"npm test"}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: '[Output truncated - 96 tokens]', prunedAt: 1795328595964 },
  ],
  pruned: [{ id: 'm2', tokens: 96 }],
  tokensSaved: 88,
}

export const CHAT_REPLY = {
  id: 'chatcmpl-7b0c5d1e-3f0a-4f5e-9d5c-0a1b2c3d4e5f',
  object: 'chat.completion',
  created: 1795000000,
  model: 'embedded',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content:
          '## Goal\nNewest request:\nFix the parser.\n\n## Constraints & Preferences\n(none)\n\n## Progress\n\n### Done\n- [x] Fix the parser. => It is fixed: src/parser.ts reads nested tags now.\n\n### In Progress\n(none)\n\n### Blocked\n(none)\n\n## State of the Code\n(none)\n\n## Key Decisions\n(none)\n\n## Next Steps\n(none)\n\n## Critical Context\n(none)',
        refusal: null,
      },
      logprobs: null,
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 44, completion_tokens: 87, total_tokens: 131 },
}

export const METRICS_REPLY = `# TYPE precis_jobs_waiting gauge
precis_jobs_waiting 0
`
