/** Complete requests for openapi.yaml; a test sends each of them. */

const ENTRIES = [
  { type: 'message', id: 'a', parentId: null, message: { role: 'user', content: 'Fix the parser in src/parser.ts.' } },
  {
    type: 'message',
    id: 'b',
    parentId: 'a',
    message: {
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'c1', name: 'edit', arguments: { path: 'src/parser.ts' } }],
    },
  },
  {
    type: 'message',
    id: 'c',
    parentId: 'b',
    message: { role: 'toolResult', toolCallId: 'c1', toolName: 'edit', content: 'Replaced 1 block.', isError: false },
  },
  { type: 'message', id: 'd', parentId: 'c', message: { role: 'user', content: 'Now the lexer.' } },
]

const settings = { keepRecentTokens: 4 }

export const ENTRIES_EXAMPLE = { entries: ENTRIES, settings }

export const MESSAGES_EXAMPLE = {
  messages: [
    { role: 'user', content: 'Fix the parser.' },
    { role: 'assistant', content: 'It is fixed.' },
    { role: 'user', content: 'Now the lexer.' },
  ],
  settings,
}

export const CONVERSATION_EXAMPLE = {
  conversation: '[User]: Fix the parser.\n\n[Assistant tool calls]: edit(path="src/parser.ts")\n\n[Tool result]: ok',
}

export const PROMPT_EXAMPLE = {
  systemPrompt: 'You summarize.',
  prompt: '<conversation>\n[User]: Fix the parser.\n</conversation>\n\nSummarize the conversation.',
  maxTokens: 1000,
}

export const BRANCH_EXAMPLE = {
  entries: [
    ...ENTRIES.slice(0, 3),
    { type: 'message', id: 'e', parentId: 'a', message: { role: 'user', content: 'Do it by hand instead.' } },
  ],
  fromId: 'c',
  targetId: 'e',
}

export const CHAT_EXAMPLE = {
  model: 'precis',
  messages: [
    { role: 'user', content: 'Fix the parser.' },
    { role: 'assistant', content: 'It is fixed: src/parser.ts reads nested tags now.' },
    { role: 'user', content: 'Summarize our conversation, so that you can go on from it.' },
  ],
}

const ITEMS = [
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix the parser.' }] },
  {
    type: 'message',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'It is fixed: src/parser.ts reads nested tags now.' }],
  },
]

export const RESPONSES_EXAMPLE = {
  model: 'precis',
  input: [...ITEMS, { role: 'user', content: 'Summarize our conversation, so that you can go on from it.' }],
}

export const COMPACT_EXAMPLE = { model: 'precis', input: ITEMS }

export const ANTHROPIC_EXAMPLE = {
  model: 'precis',
  max_tokens: 4096,
  messages: [
    { role: 'user', content: 'Fix the parser.' },
    { role: 'assistant', content: 'It is fixed: src/parser.ts reads nested tags now.' },
  ],
  compaction: { type: 'summarize' },
}
