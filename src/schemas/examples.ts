/** Complete requests for openapi.yaml; a test sends each of them. */

const TEST_RUN = `> parser@1.4.0 test
> node --test

not ok 3 - a tag inside a tag keeps its text
  Error: expected "<b>bold <i>both</i></b>", got "<b>bold </b>"
      at src/parser.ts:41:11
      at test/parser.test.ts:28:3
# tests 3
# pass 2
# fail 1

Command exited with code 1`

const CODE = `export function parse(text: string): Node[] {
  let depth = 0
  // ...
}`

const REQUEST =
  'Fix the parser in src/parser.ts: it loses the text of nested tags. Never change the files in test/fixtures/.'
const DECISION = 'I decided to keep a stack of open tags, because a counter cannot give back their text.'

const call = (id: string, name: string, args: object) => ({ type: 'toolCall', id, name, arguments: args })
const result = (call: { toolCallId: string; toolName: string }, content: string, isError = false) => ({
  role: 'toolResult',
  ...call,
  content,
  isError,
})

/** The messages of the example session, in the format of pi. */
const AGENT_MESSAGES = [
  { role: 'user', content: REQUEST },
  {
    role: 'assistant',
    content: [call('c1', 'read', { path: 'src/parser.ts' }), call('c2', 'bash', { command: 'npm test' })],
  },
  result({ toolCallId: 'c1', toolName: 'read' }, CODE),
  result({ toolCallId: 'c2', toolName: 'bash' }, TEST_RUN, true),
  {
    role: 'assistant',
    content: [{ type: 'text', text: DECISION }, call('c3', 'edit', { path: 'src/parser.ts' })],
  },
  result({ toolCallId: 'c3', toolName: 'edit' }, 'Replaced 1 block.'),
  { role: 'assistant', content: [{ type: 'text', text: 'The parser keeps nested text now, and all 3 tests pass.' }] },
  { role: 'user', content: 'Now the lexer: it must count lines.' },
]

const ENTRIES = AGENT_MESSAGES.map((message, index) => ({
  type: 'message',
  id: `e${index + 1}`,
  parentId: index === 0 ? null : `e${index}`,
  message,
}))

const settings = { keepRecentTokens: 10 }

export const ENTRIES_EXAMPLE = { entries: ENTRIES, settings, prune: { protectTokens: 0, minimumSavings: 0 } }

const chatCall = (id: string, name: string, args: object) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
})

export const MESSAGES_EXAMPLE = {
  messages: [
    { role: 'user', content: REQUEST },
    { role: 'assistant', content: null, tool_calls: [chatCall('c1', 'bash', { command: 'npm test' })] },
    { role: 'tool', tool_call_id: 'c1', content: TEST_RUN },
    { role: 'assistant', content: DECISION, tool_calls: [chatCall('c2', 'edit', { path: 'src/parser.ts' })] },
    { role: 'tool', tool_call_id: 'c2', content: 'Replaced 1 block.' },
    { role: 'assistant', content: 'The parser keeps nested text now, and all 3 tests pass.' },
    { role: 'user', content: 'Now the lexer: it must count lines.' },
  ],
  settings,
  prune: { protectTokens: 0, minimumSavings: 0 },
}

/** The session of an agent as it is, here in the format of Anthropic's API. */
export const ENVELOPE_EXAMPLE = {
  session: [
    { role: 'user', content: REQUEST },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: DECISION },
        {
          type: 'tool_use',
          id: 'c1',
          name: 'Edit',
          input: { file_path: 'src/parser.ts', old_string: 'a', new_string: 'b' },
        },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'The file has been updated.' }] },
    { role: 'assistant', content: [{ type: 'text', text: 'The parser keeps nested text now.' }] },
    { role: 'user', content: 'Now the lexer: it must count lines.' },
  ],
  settings,
  prune: { protectTokens: 0, minimumSavings: 0 },
}

/** The example session as a session file (NDJSON). */
export const LINES_EXAMPLE = ENTRIES.map((entry) => JSON.stringify(entry)).join('\n')

export const CONVERSATION_EXAMPLE = {
  conversation: [
    `[User]: ${REQUEST}`,
    '[Assistant tool calls]: bash(command="npm test")',
    `[Tool result]: ${TEST_RUN.replaceAll('\n\n', '\n')}`,
    `[Assistant]: ${DECISION}`,
    '[Assistant tool calls]: edit(path="src/parser.ts")',
    '[Tool result]: Replaced 1 block.',
    '[User]: Now the lexer: it must count lines.',
  ].join('\n\n'),
}

export const PROMPT_EXAMPLE = {
  systemPrompt: 'You summarize.',
  prompt: '<conversation>\n[User]: Fix the parser.\n</conversation>\n\nSummarize the conversation.',
  maxTokens: 1000,
}

export const BRANCH_EXAMPLE = {
  entries: [
    ...ENTRIES.slice(0, 7),
    {
      type: 'message',
      id: 'e9',
      parentId: 'e1',
      message: { role: 'user', content: 'Use the library htmlparser2 instead.' },
    },
  ],
  fromId: 'e7',
  targetId: 'e9',
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
