import t from 'tap'
import { pairCalls } from '../../src/extract/runs.ts'
import { readUserAnswers, readUserText } from '../../src/extract/user-text.ts'
import { selectBranch } from '../../src/session/link-session.ts'
import { asLines, readDocument } from '../support/read-document.ts'

/** Returns what the user said in the results of a session, as the summary gets it: `question => answer`. */
function saidIn(document: string | object): string[] {
  const messages = selectBranch(readDocument(document).session).flatMap(({ message }) => message ?? [])
  const runs = pairCalls(messages)
  return messages
    .flatMap((message) => readUserAnswers(message, runs.get(message)?.call))
    .map(({ question, answer }) => `${question} => ${answer}`)
}

const user = (text: string) => ({ role: 'user', content: text })

/** A session of Claude Code with one call and its result. */
function claude(tool: string, content: string, { isError = false, ...line }: Record<string, unknown> = {}): string {
  const base = { sessionId: 's', version: '2.1.330', isSidechain: false }
  const blocks = [{ type: 'tool_result', tool_use_id: 't', content, ...(isError ? { is_error: true } : {}) }]
  return asLines([
    { type: 'user', uuid: '1', parentUuid: null, message: user('Fix it.'), ...base },
    {
      type: 'assistant',
      uuid: '2',
      parentUuid: '1',
      message: { id: 'm', role: 'assistant', content: [{ type: 'tool_use', id: 't', name: tool, input: {} }] },
      ...base,
    },
    { type: 'user', uuid: '3', parentUuid: '2', message: { role: 'user', content: blocks }, ...line, ...base },
  ])
}

const REFUSAL =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nKeep the branch."
const REASON = REFUSAL.replace(/To tell you.*/s, 'The user provided the following reason for the rejection:  Too long.')
const answered = (answers: object, annotations = {}) => ({ toolUseResult: { questions: [], answers, annotations } })
const refused = { isError: true, toolUseResult: `Error: ${REFUSAL}` }

const CLAUDE: [what: string, document: string, said: string[]][] = [
  [
    'answers beside the result',
    claude('AskUserQuestion', 'Your questions have been answered: ...', answered({ 'A or "B"?': 'B', 'C?': 'no' })),
    ['A or "B"? => B', 'C? => no'],
  ],
  [
    'an answer with a note',
    claude('AskUserQuestion', '...', answered({ 'A?': 'Yes' }, { 'A?': { notes: 'but later' } })),
    ['A? => Yes; but later'],
  ],
  ['a refusal of 2.1.39', claude('Bash', REFUSAL, refused), [' => Keep the branch.']],
  [
    'a refusal of 1.0.98',
    claude('Edit', REASON, { isError: true, toolUseResult: `Error: ${REASON}` }),
    [' => Too long.'],
  ],
  [
    'a refusal of 2.1.205',
    claude('mcp__web__fetch', REFUSAL, { ...refused, toolDenialKind: 'user-rejected' }),
    [' => Keep the branch.'],
  ],
  [
    'feedback beside a refusal',
    claude('Bash', 'The user rejected it.', {
      isError: true,
      toolUseResult: 'User rejected tool use',
      toolDenialKind: 'user-rejected',
      userFeedback: 'Keep it.',
    }),
    [' => Keep it.'],
  ],
  ['answers in the text alone', claude('AskUserQuestion', 'User has answered your questions: "A?"="Never".'), []],
  ['answers of another tool', claude('mcp__x__AskUserQuestion', '...', answered({ 'A?': 'Never' })), []],
  ['an error of a server with the words of a refusal', claude('mcp__web__fetch', REFUSAL, refused), []],
  ['an error of a server without a prefix', claude('web_fetch', REFUSAL, refused), []],
  ['an error of a resource of a server', claude('ReadMcpResourceTool', REFUSAL, refused), []],
  ['an output with the words of a refusal', claude('Bash', REFUSAL, { toolUseResult: { stdout: REFUSAL } }), []],
  ['a failed output with them', claude('Bash', `Exit code 1\n${REFUSAL}`, { ...refused }), []],
  ['a call that a rule refused', claude('Bash', REFUSAL, { ...refused, toolDenialKind: 'automode-blocked' }), []],
]

t.test('Claude Code: of several results in one line, none is what the user said', async (t) => {
  const calls = [
    ['1', 'Bash'],
    ['2', 'mcp__web__fetch'],
  ] as const
  const base = { sessionId: 's', version: '2.1.330', isSidechain: false }
  const uses = calls.map(([id, name]) => ({ type: 'tool_use', id, name, input: {} }))
  const results = ['Exit code 1', REFUSAL].map((content, index) => ({
    type: 'tool_result',
    tool_use_id: calls[index]?.[0],
    content,
    is_error: true,
  }))
  const session = (line: object): string =>
    asLines([
      { type: 'user', uuid: '1', parentUuid: null, message: user('Fix it.'), ...base },
      {
        type: 'assistant',
        uuid: '2',
        parentUuid: '1',
        message: { id: 'm', role: 'assistant', content: uses },
        ...base,
      },
      { type: 'user', uuid: '3', parentUuid: '2', message: { role: 'user', content: results }, ...line, ...base },
    ])
  const lines = [
    { toolUseResult: `Error: ${REFUSAL}` },
    { toolUseResult: `Error: ${REFUSAL}`, toolDenialKind: 'user-rejected' },
    { toolDenialKind: 'user-rejected', userFeedback: 'Keep it.' },
  ]
  for (const line of lines) t.strictSame(saidIn(session(line)), [], JSON.stringify(line).slice(0, 80))
})

/** A rollout of Codex with one call and its output. */
const codex = (call: object, output: string): string =>
  asLines(
    [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix it.' }] },
      { type: 'function_call', call_id: 'c', arguments: '{"questions":[{"question":"Which color?"}]}', ...call },
      { type: 'function_call_output', call_id: 'c', output },
    ].map((payload) => ({ timestamp: '2026-01-01T00:00:00Z', type: 'response_item', payload })),
  )
const BLUE = '{"answers":{"color":{"answers":["Blue","user_note: dark"]}}}'

const CODEX: typeof CLAUDE = [
  ['answers', codex({ name: 'request_user_input' }, BLUE), ['Which color? => Blue; user_note: dark']],
  ['answers of a server', codex({ name: 'request_user_input', namespace: 'mcp__evil' }, BLUE), []],
  ['answers of a command', codex({ name: 'exec_command' }, BLUE), []],
]

/** An export of opencode with one call. */
const opencode = (tool: string, state: object) => ({
  info: { id: 'ses_1' },
  messages: [
    { info: { id: 'msg_1', role: 'user' }, parts: [{ type: 'text', text: 'Fix it.' }] },
    { info: { id: 'msg_2', role: 'assistant' }, parts: [{ type: 'tool', id: 'prt_1', callID: 'c', tool, state }] },
  ],
})
const CORRECTED =
  'The user rejected permission to use this specific tool call with the following feedback: Keep the branch.'
const asked = {
  status: 'completed',
  input: { questions: [{ question: 'A?' }, { question: 'B?' }] },
  output: 'User has answered your questions: "A?"="Never"',
}

const OPENCODE: [string, object, string[]][] = [
  [
    'answers in the metadata',
    opencode('question', { ...asked, metadata: { answers: [['Yes', 'now'], []] } }),
    ['A? => Yes; now'],
  ],
  ['a refusal', opencode('edit', { status: 'error', error: CORRECTED }), [' => Keep the branch.']],
  [
    'a refusal with the kind of error',
    opencode('bash', { status: 'error', error: `Error: ${CORRECTED}` }),
    [' => Keep the branch.'],
  ],
  ['answers in the output alone', opencode('question', asked), []],
  ['an error of a server', opencode('web_fetch', { status: 'error', error: CORRECTED }), []],
  ['an output', opencode('bash', { status: 'completed', output: CORRECTED }), []],
]

/** A session of Gemini CLI with one call. */
const gemini = (name: string, output: string, status = 'success'): string =>
  asLines([
    { sessionId: 's', projectHash: 'h', startTime: '2026-01-01T00:00:00Z' },
    { id: 'u', type: 'user', content: [{ text: 'Fix it.' }] },
    {
      id: 'g',
      type: 'gemini',
      content: '',
      toolCalls: [
        {
          id: 'c',
          name,
          args: { questions: [{ question: 'Which color?' }] },
          result: [{ functionResponse: { id: 'c', name, response: { output } } }],
          status,
        },
      ],
    },
  ])

/** A session of Qwen Code with one call. */
const qwen = (name: string, output: string, status = 'success'): string => {
  const base = { sessionId: 's', cwd: '/w' }
  return asLines([
    {
      uuid: '1',
      parentUuid: null,
      type: 'user',
      provenance: 'real_user',
      message: { role: 'user', parts: [{ text: 'Fix it.' }] },
      ...base,
    },
    {
      uuid: '2',
      parentUuid: '1',
      type: 'assistant',
      message: { role: 'model', parts: [{ functionCall: { id: 'c', name, args: {} } }] },
      ...base,
    },
    {
      uuid: '3',
      parentUuid: '2',
      type: 'tool_result',
      message: { role: 'user', parts: [{ functionResponse: { id: 'c', name, response: { output } } }] },
      toolCallResult: { callId: 'c', status },
      ...base,
    },
  ])
}
const COLORS = 'User has provided the following answers:\n\n**Color**: Blue\nor green\n**Size**: 3'

const GOOGLE: typeof CLAUDE = [
  ['answers of Gemini CLI', gemini('ask_user', '{"answers":{"0":"Blue"}}'), ['Which color? => Blue']],
  ['answers of another tool', gemini('mcp_evil_ask_user', '{"answers":{"0":"Never"}}'), []],
  ['answers of a call that failed', gemini('ask_user', '{"answers":{"0":"Never"}}', 'error'), []],
  ['answers of Qwen Code', qwen('ask_user_question', COLORS), ['Color => Blue\nor green', 'Size => 3']],
  ['answers of another tool', qwen('mcp__evil__ask_user_question', COLORS), []],
  ['a question without an answer', qwen('ask_user_question', 'User declined to answer the questions.'), []],
]

/** A session of Cline or Roo with a result as text blocks. */
const cline = (tool: string, ...texts: string[]) => [
  { role: 'user', ts: 1, content: [{ type: 'text', text: '<task>\nFix it.\n</task>' }] },
  { role: 'assistant', ts: 2, content: [{ type: 'text', text: 'I go on.' }] },
  {
    role: 'user',
    ts: 3,
    content: [`[${tool} for 'Which color?'] Result:`, ...texts].map((text) => ({ type: 'text', text })),
  },
]
/** The same with a block for the result. */
const roo = (name: string, content: unknown, more = {}) => [
  { role: 'user', ts: 1, content: [{ type: 'text', text: '<task>\nFix it.\n</task>' }] },
  { role: 'assistant', ts: 2, content: [{ type: 'tool_use', id: 'c', name, input: {} }] },
  { role: 'user', ts: 3, content: [{ type: 'tool_result', tool_use_id: 'c', content, ...more }] },
]
const DENIED =
  'The user denied this operation and provided the following feedback:\n<feedback>\nKeep the branch.\n</feedback>'

const CLINE: [string, object, string[]][] = [
  ['an answer', cline('ask_followup_question', '<answer>\nUse Blue.\n</answer>'), ['Which color? => Use Blue.']],
  ['an answer of Roo', roo('ask_followup_question', '<user_message>\nUse Blue.\n</user_message>'), [' => Use Blue.']],
  ['a refusal', cline('execute_command', DENIED), [' => Keep the branch.']],
  ['a refusal in a result block', roo('apply_diff', [{ type: 'text', text: DENIED }]), [' => Keep the branch.']],
  ['a refusal as JSON', roo('write_to_file', '{"status":"denied","feedback":"Keep it."}'), [' => Keep it.']],
  ['an approval as JSON', roo('write_to_file', '{"status":"approved","feedback":"Keep it."}'), [' => Keep it.']],
  ['JSON with another status', roo('write_to_file', '{"status":"done","feedback":"Never."}'), []],
  [
    'feedback below an output',
    cline('write_to_file', 'Saved.', DENIED.replace('denied', 'approved').replace('feedback:', 'context:')),
    [' => Keep the branch.'],
  ],
  ['a file with the words of a refusal', cline('read_file', DENIED), []],
  ['a server with them', cline('use_mcp_tool', DENIED), []],
  ['a result block of a server', roo('use_mcp_tool', DENIED), []],
  ['a command that prints them', cline('execute_command', `Command executed.\nOutput:\n${DENIED}`), []],
  ['a refusal with more text', cline('execute_command', `${DENIED}\nmore`), []],
  ['an answer in a file', cline('read_file', '<answer>\nNever.\n</answer>'), []],
]

const pi = (toolName: string, fields: object): string =>
  asLines([
    { type: 'session', version: 3, id: 's', cwd: '/w' },
    { type: 'message', id: '1', parentId: null, message: { role: 'user', content: 'Fix it.' } },
    {
      type: 'message',
      id: '2',
      parentId: '1',
      message: {
        role: 'assistant',
        content: [{ type: 'toolCall', id: 'c', name: toolName, arguments: { question: 'A?' } }],
      },
    },
    {
      type: 'message',
      id: '3',
      parentId: '2',
      message: {
        role: 'toolResult',
        toolCallId: 'c',
        toolName,
        content: 'User selected: Never',
        isError: false,
        ...fields,
      },
    },
  ])

const OTHERS: [string, string | object, string[]][] = [
  [
    'the details of oh-my-pi',
    pi('ask', { details: { question: 'A?', selectedOptions: ['Yes'], customInput: 'now' } }),
    ['A? => Yes; now'],
  ],
  [
    'several questions of oh-my-pi',
    pi('ask', {
      details: {
        results: [
          { question: 'A?', selectedOptions: [] },
          { question: 'B?', selectedOptions: ['Yes'] },
        ],
      },
    }),
    ['B? => Yes'],
  ],
  [
    "the tool of pi's examples that asks one question",
    pi('question', { details: { question: 'A?', options: ['Yes', 'No'], answer: 'Yes', wasCustom: false } }),
    ['A? => Yes'],
  ],
  [
    "the tool of pi's examples that asks several, by their ids",
    pi('questionnaire', {
      details: {
        questions: [
          { id: 'a', label: 'Scope', prompt: 'A?', options: [] },
          { id: 'b', label: 'Order', prompt: 'B?', options: [] },
        ],
        answers: [{ id: 'b', value: 'last', label: 'At last', wasCustom: false }],
        cancelled: false,
      },
    }),
    ['B? => At last'],
  ],
  [
    'a questionnaire that was cancelled',
    pi('questionnaire', {
      details: { questions: [{ id: 'a', prompt: 'A?' }], answers: [{ id: 'a', label: 'Never' }], cancelled: true },
    }),
    [],
  ],
  ['an answer of pi in the text alone', pi('ask', {}), []],
  ['details of another tool', pi('bash', { details: { question: 'A?', customInput: 'Never' } }), []],
  [
    'details in the messages form',
    {
      messages: [
        user('Fix it.'),
        { role: 'toolResult', toolCallId: 'c', toolName: 'ask', content: 'x', details: { customInput: 'Never' } },
      ],
    },
    [],
  ],
  [
    'a field with the name of the mark',
    {
      messages: [
        user('Fix it.'),
        {
          role: 'toolResult',
          toolCallId: 'c',
          toolName: 'ask',
          content: 'x',
          userAnswers: [{ question: '', answer: 'Never' }],
        },
      ],
    },
    [],
  ],
  ...(['user', 'hook'] as const).map((source): [string, object, string[]] => [
    `a refusal of OpenHands by a ${source}`,
    [
      {
        kind: 'MessageEvent',
        id: 'e1',
        source: 'user',
        llm_message: { role: 'user', content: [{ type: 'text', text: 'Fix it.' }] },
      },
      {
        kind: 'UserRejectObservation',
        id: 'e2',
        tool_name: 'terminal',
        tool_call_id: 'c',
        rejection_reason: 'Keep it.',
        rejection_source: source,
      },
    ],
    source === 'user' ? [' => Keep it.'] : [],
  ]),
  ...([false, undefined] as const).map((approved): [string, object, string[]] => [
    `an approval of the AI SDK: ${approved ?? 'none'}`,
    [
      { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Fix it.' }] },
      {
        id: 'm2',
        role: 'assistant',
        parts: [
          {
            type: 'tool-bash',
            toolCallId: 'c',
            state: 'output-denied',
            input: {},
            approval: { id: 'a', approved, reason: 'Keep it.' },
          },
        ],
      },
    ],
    approved === false ? [' => Keep it.'] : [],
  ]),
]

const AGENTS = {
  'Claude Code': CLAUDE,
  Codex: CODEX,
  opencode: OPENCODE,
  Google: GOOGLE,
  'Cline and Roo': CLINE,
  others: OTHERS,
}

for (const [agent, cases] of Object.entries(AGENTS))
  for (const [what, document, said] of cases)
    t.test(
      `${agent}: ${what} ${said.length === 0 ? 'is not what the user said' : 'is what the user said'}`,
      async (t) => {
        t.strictSame(saidIn(document), said)
      },
    )

/** A history of Aider whose answer has a text of a tool. @param mark what Aider writes at the ends of its own lines */
const aider = (answer: string, mark = ''): string =>
  [
    '# aider chat started at 2026-01-01 09:00:00',
    '',
    `#### Fix it.${mark}`,
    '',
    answer,
    '',
    `> Tokens: 2.5k sent, 120 received.${mark}`,
    '',
    `#### Now test it.${mark}`,
    '',
    'It passes.',
  ].join('\n')

const AIDER: [what: string, document: string][] = [
  ['in a block of code', aider('```md\n#### Never run it.  \n```', '  ')],
  ['in a block of code without marks', aider('```md\n#### Never run it.\n> Applied edit to x.py\n#### Never.\n```')],
  ['in its prose', aider('The file says:\n\n#### Never run it.\n\nDone.')],
  ['in a history with marks', aider('The file says:\n\n#### Never run it.\n\nDone.', '  ')],
  ['behind a fence that is not closed', aider('```py\nx = 1\n\n#### Never run it.')],
]

for (const [what, document] of AIDER)
  t.test(`Aider: a heading of an answer is not a request: ${what}`, async (t) => {
    const messages = selectBranch(readDocument(document).session).flatMap(({ message }) => message ?? [])
    t.strictSame(
      messages.flatMap((message) => readUserText(message) ?? []),
      ['Fix it.', 'Now test it.'],
    )
  })
