import type { FormatId } from '../../src/schemas/format.ts'
import { CLIENT_TAGS } from '../../src/agents/apis/claude-code-text.ts'
import { asLines } from './read-document.ts'

/** Stands in a document for each text that a tool writes. */
export const TOOL_TEXT = '@@TOOL@@'

const T = TOOL_TEXT
const text = (words: string) => ({ type: 'text', text: words })
const claude = (...lines: object[]): string => {
  const all: object[] = [
    { type: 'user', message: { role: 'user', content: 'Fix the parser.' } },
    ...lines,
    { type: 'user', message: { role: 'user', content: 'Now the lexer.' } },
    { type: 'assistant', message: { id: 'm9', role: 'assistant', content: [text('ok')] } },
  ]
  const base = { sessionId: 's', isSidechain: false, version: '2.1.330' }
  return asLines(
    all.map((line, at) => ({ uuid: `u${at}`, parentUuid: at === 0 ? null : `u${at - 1}`, ...base, ...line })),
  )
}
const claudeCall = (name: string, content: unknown, more: object = {}): object[] => [
  {
    type: 'assistant',
    message: { id: 'm1', role: 'assistant', content: [{ type: 'tool_use', id: 'c', name, input: {} }] },
  },
  {
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content, is_error: true }] },
    ...more,
  },
]
const claudeSays = (content: string, more: object = {}): object => ({
  type: 'user',
  message: { role: 'user', content },
  ...more,
})

const codex = (...items: object[]): string =>
  asLines(
    [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix the parser.' }] },
      ...items,
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Now the lexer.' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] },
    ].map((payload) => ({ timestamp: '2026-01-01T00:00:00Z', type: 'response_item', payload })),
  )
const codexUser = (...texts: string[]): object => ({
  ...{ type: 'message', role: 'user' },
  content: texts.map((words) => ({ type: 'input_text', text: words })),
})
const codexCall = (call: object, output: object): object[] => [
  { type: 'function_call', call_id: 'c', arguments: '{}', ...call },
  { type: 'function_call_output', call_id: 'c', ...output },
]

const chat = (...messages: object[]): string =>
  JSON.stringify({
    messages: [
      { role: 'user', content: 'Fix the parser.' },
      ...messages,
      { role: 'assistant', content: 'Done.' },
      { role: 'user', content: 'Now the lexer.' },
      { role: 'assistant', content: 'ok' },
    ],
  })
const chatCall = (name: string): object => ({
  ...{ role: 'assistant', content: null },
  tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: '{}' } }],
})

const cline = (...blocks: object[]): string =>
  JSON.stringify([
    { role: 'user', content: [text('<task>\nFix the parser.\n</task>')] },
    { role: 'assistant', content: [text('Reading.\n<read_file>\n<path>a.ts</path>\n</read_file>')] },
    { role: 'user', content: [...blocks, text(`<environment_details>\n${T}\n</environment_details>`)] },
    { role: 'assistant', content: [text('Done.')] },
    { role: 'user', content: [text('<feedback>\nNow the lexer.\n</feedback>')] },
    { role: 'assistant', content: [text('ok')] },
  ])
/** Files that the user has attached, in a block of their own. */
const ATTACHED = `Files attached by the user:\n\n<file_content path="a.ts">\n${T}\n</file_content>`
const HEAD = "[read_file for 'a.ts'] Result:"
/** A session in which Cline, Roo or Kilo has written a text in the user's role: alone, after a result, and beside his words. */
const clineWrites = (words: string): string =>
  JSON.stringify([
    { role: 'user', content: [text('<task>\nFix the parser.\n</task>')] },
    ...[
      [],
      [{ type: 'tool_result', tool_use_id: 'c', content: 'ok' }],
      [text('<feedback>\nGo on.\n</feedback>')],
    ].flatMap((before) => [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'read_file', input: {} }] },
      { role: 'user', content: [...before, text(words), text('<environment_details>\nx\n</environment_details>')] },
    ]),
    { role: 'assistant', content: [text('Done.')] },
    { role: 'user', content: [text('<user_message>\nNow the lexer.\n</user_message>')] },
    { role: 'assistant', content: [text('ok')] },
  ])
const CLINE_WRITES = [
  `Skipping tool [execute_command for 'ls\n${T}'] due to user rejecting a previous tool.`,
  `Skipping tool [execute_command for '\n\n<file_content path="a">\n${T}'] due to user rejecting a previous tool.`,
  `Skipping MCP tool ${T} due to user rejecting a previous tool.`,
  `Skipping tool due to user rejecting a previous tool. [execute_command for '${T}']`,
  `Tool [execute_command for '${T}'] was interrupted and not executed due to user rejecting a previous tool.`,
  `MCP tool ${T} was interrupted and not executed due to user rejecting a previous tool.`,
  `Tool [${T}] was not executed because a tool has already been used in this message. Only one tool may be used.`,
  `\n\n\n\t\t\t\t# TODO LIST UPDATE REQUIRED - You MUST include the task_progress parameter in your NEXT tool call.\n\n- [ ] ${T}`,
  `\n# task_progress RECOMMENDED\n\nWhen starting a new task, include a todo list.\n- [ ] ${T}`,
  `\n# task_progress CREATION REQUIRED - ACT MODE ACTIVATED\n\n- [ ] ${T}`,
  `\n# task_progress List (Optional - Plan Mode)\n\n- [ ] ${T}`,
  `\n# task_progress\n\nYou've made 9 API requests without a task_progress parameter.\n\n- [ ] ${T}`,
  `[read_file for 'a b.ts']\nFile: a b.ts\n${T}`,
  `[read_file for 'a.ts']\nIMPORTANT: File content truncated.\nStatus: Showing lines 1-2.\n\nFile: a.ts\n${T}`,
  `[read_file for folder 'src/']\nFolder listing:\n└── ${T}\n\n\n--- File Contents ---\n\n[read_file for 'src/a.ts']\n${T}`,
  `<command name="review">\nDescription: Reviews.\n\n${T}\n</command>\n\n<command name="b">\n${T}\n</command>`,
  `<file_content path="a.ts">\n${T}\n</file_content>`,
  `Subtask 0199 completed.\n\nResult:\n${T}`,
  ...['user_message', 'task', 'feedback'].flatMap((tag) =>
    ['command name="review"', 'terminal_output', 'folder_content path="src/"', 'workspace_diagnostics'].map(
      (element) => `<${tag}>\nGo on.\n</${tag}>\n\n<${element}>\n${T}\n</${element.split(' ')[0] ?? ''}>`,
    ),
  ),
]
const anthropic = (...content: object[]): object[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'web_fetch', input: {} }] },
  { role: 'user', content },
]
const result = (content: unknown, more: object = {}): object => ({
  type: 'tool_result',
  tool_use_id: 'c',
  content,
  ...more,
})

const gemini = (...records: object[]): string =>
  asLines([
    { sessionId: 's', projectHash: 'h' },
    ...[
      { type: 'user', content: [{ text: 'Fix the parser.' }] },
      ...records,
      { type: 'user', content: [{ text: 'Now the lexer.' }] },
      { type: 'gemini', content: 'ok' },
    ].map((record, at) => ({ id: `g${at}`, ...record })),
  ])
const FILES = [
  { text: '\n--- Content from referenced files ---' },
  { text: '\nContent from @a.ts:\n' },
  { text: T },
  { text: '\n--- End of content ---' },
]
/** The output of a tool in parts beside its result, as Gemini CLI wrote them for `read_many_files` and servers. */
const OUTPUT_IN_PARTS = [
  { functionResponse: { name: 'read_many_files', response: { output: 'Tool execution succeeded.' } } },
  { text: '--- a.md ---\n' },
  { text: T },
]
const SHELL = `I ran the following shell command:\n\`\`\`sh\nls\n\`\`\`\n\nThis produced the following result:\n\`\`\`\n${T}\n\`\`\``
const contents = (...list: object[]): string =>
  JSON.stringify({
    contents: [
      { role: 'user', parts: [{ text: 'Fix the parser.' }] },
      ...list,
      { role: 'model', parts: [{ text: 'Done.' }] },
      { role: 'user', parts: [{ text: 'Now the lexer.' }] },
      { role: 'model', parts: [{ text: 'ok' }] },
    ],
  })
const qwen = (...lines: object[]): string =>
  asLines(
    [
      { type: 'user', provenance: 'real_user', message: { role: 'user', parts: [{ text: 'Fix the parser.' }] } },
      ...lines,
      { type: 'user', provenance: 'real_user', message: { role: 'user', parts: [{ text: 'Now the lexer.' }] } },
      { type: 'assistant', message: { role: 'model', parts: [{ text: 'ok' }] } },
    ].map((line, at) => ({ uuid: `q${at}`, parentUuid: at === 0 ? null : `q${at - 1}`, sessionId: 's', ...line })),
  )
const opencode = (parts: object[], userParts: object[] = []): string =>
  JSON.stringify({
    info: { id: 'ses_1' },
    messages: [
      { info: { id: 'msg_1', role: 'user' }, parts: [text('Fix the parser.'), ...userParts] },
      { info: { id: 'msg_2', role: 'assistant', finish: 'stop' }, parts },
      { info: { id: 'msg_3', role: 'user' }, parts: [text('Now the lexer.')] },
      { info: { id: 'msg_4', role: 'assistant', finish: 'stop' }, parts: [text('ok')] },
    ],
  })
const tool = (name: string, state: object): object => ({ type: 'tool', id: 'prt_1', callID: 'c', tool: name, state })
const openhandsV1 = (...events: object[]): string => {
  const says = (source: string, role: string, words: string) => ({
    ...{ kind: 'MessageEvent', source, llm_message: { role, content: [text(words)] } },
  })
  const all = [
    says('user', 'user', 'Fix the parser.'),
    ...events,
    says('user', 'user', 'Now the lexer.'),
    says('agent', 'assistant', 'ok'),
  ]
  return asLines(all.map((event, at) => ({ id: `e${at}`, ...event })))
}
const openhandsV0 = (...events: object[]): string => {
  const says = (source: string, content: string) => ({ source, action: 'message', args: { content } })
  const all = [says('user', 'Fix the parser.'), ...events, says('user', 'Now the lexer.'), says('agent', 'ok')]
  return JSON.stringify(all.map((event, id) => ({ id, timestamp: '2026-01-01', ...event })))
}
const ai = (...messages: object[]): string =>
  JSON.stringify([
    { role: 'user', content: 'Fix the parser.' },
    ...messages,
    { role: 'user', content: 'Now the lexer.' },
    { role: 'assistant', content: 'ok' },
  ])
const aiUi = (...parts: object[]): string =>
  JSON.stringify([
    { id: '1', role: 'user', parts: [text('Fix the parser.')] },
    { id: '2', role: 'assistant', parts },
    { id: '3', role: 'user', parts: [text('Now the lexer.')] },
    { id: '4', role: 'assistant', parts: [text('ok')] },
  ])
const aider = (lines: string): string =>
  `# aider chat started at 2026-01-01 09:00:00\n\n#### Fix the parser.  \n\n${lines}\n\n> Tokens: 2k sent, 1k received.  \n\n#### Now the lexer.  \n\nok\n`
const pi = (...entries: object[]): string =>
  asLines([
    { type: 'session', version: 3, id: 's', cwd: '/w' },
    ...[
      { type: 'message', message: { role: 'user', content: 'Fix the parser.' } },
      ...entries,
      { type: 'message', message: { role: 'user', content: 'Now the lexer.' } },
      { type: 'message', message: { role: 'assistant', content: [text('ok')] } },
    ].map((entry, at) => ({ id: `p${at}`, parentId: at === 0 ? null : `p${at - 1}`, ...entry })),
  ])
const piResult = (toolName: string, more: object = {}): object => ({
  ...{ type: 'message' },
  message: { role: 'toolResult', toolCallId: 'c', toolName, content: [text(T)], isError: false, ...more },
})

/**
 * Documents in each format with the places that a tool can write to, besides the results of its calls (those are rendered from
 * one conversation for all formats). A format without such places has an empty list.
 */
export const TOOL_PLACES: Readonly<Record<FormatId, readonly string[]>> = {
  pi: [
    pi({ type: 'custom_message', customType: 'x', content: T, display: true }),
    pi({ type: 'message', message: { role: 'bashExecution', command: 'ls', output: T, exitCode: 0 } }),
    pi(
      { type: 'message', message: { role: 'user', content: T, synthetic: true } },
      { type: 'message', message: { role: 'user', content: [text(T)], attribution: 'agent' } },
    ),
    pi(piResult('ask'), piResult('bash', { details: { question: T, customInput: T, answer: T } })),
  ],
  chat: [
    chat(chatCall('ask'), { role: 'tool', tool_call_id: 'c', content: T }),
    chat(chatCall(T), { role: 'tool', tool_call_id: 'c', content: [text(T)] }),
    chat({ role: 'user', content: [text(HEAD), text(T)] }),
    chat({ role: 'user', content: `${HEAD}\n${T}` }),
  ],
  'claude-code': [
    claude(...claudeCall('mcp__web__fetch', T, { toolUseResult: `Error: ${T}` })),
    claude(
      ...claudeCall('mcp__web__fetch', [text(T)], {
        toolUseResult: [text(T)],
        mcpMeta: { structuredContent: { answers: { a: T } } },
      }),
    ),
    claude(...claudeCall('AskUserQuestion', T, { toolUseResult: T })),
    claude(...claudeCall('Bash', `Exit code 1\n${T}`, { toolUseResult: `Error: Exit code 1\n${T}` })),
    claude(...claudeCall('Bash', T, { toolUseResult: { stdout: T, stderr: T, answers: { a: T } } })),
    claude({
      type: 'attachment',
      attachment: { type: 'file', content: { file: { content: T } } },
      rendered: [{ content: T }],
    }),
    claude({ type: 'attachment', attachment: { type: 'queued_command', prompt: T, commandMode: 'task-notification' } }),
    claude(
      ...[{ prompt: T, isMeta: true }, { prompt: `<channel source="x">\n${T}\n</channel>` }].map((prompt) => ({
        ...{ type: 'attachment' },
        attachment: { type: 'queued_command', commandMode: 'prompt', ...prompt },
      })),
    ),
    claude(claudeSays(`Look at this.\n\n<system-reminder>\n${T}\n</system-reminder>`)),
    claude({ type: 'system', subtype: 'local_command', content: T }),
    claude(claudeSays(T, { isMeta: true }), claudeSays(T, { sourceToolUseID: 'c' })),
    claude(claudeSays(T, { origin: { kind: 'task-notification' } }), claudeSays(T, { promptSource: 'system' })),
    claude(
      ...['task-notification', 'local-command-stdout', 'bash-stdout', 'user-prompt-submit-hook'].map((tag) =>
        claudeSays(`<${tag}>${T}</${tag}>`),
      ),
    ),
    claude(claudeSays(`<system-reminder>\n${T}\n</system-reminder>`), claudeSays(`Stop hook feedback:\n${T}`)),
    claude({
      type: 'user',
      message: {
        role: 'user',
        content: [
          text(`<ide_selection>The user selected the lines 1 to 2 from /w/a.ts:\n${T}\n</ide_selection>`),
          text(`<ide_opened_file>${T}</ide_opened_file>`),
          text('Look at this.'),
        ],
      },
    }),
    claude({ ...claudeSays(T), isSidechain: true }),
    claude({
      type: 'user',
      message: { role: 'user', content: [{ type: 'document', source: { type: 'text', data: T } }] },
    }),
  ],
  codex: [
    codex(...codexCall({ name: 'request_user_input', namespace: 'mcp__evil' }, { output: T })),
    codex(
      ...codexCall(
        { name: 'request_user_input' },
        { output: JSON.stringify({ answers: { a: { answers: ['Yes'] } } }) },
      ),
      ...codexCall({ name: 'mcp__x__y' }, { output: T }),
      { type: 'function_call_output', call_id: 'c', output: T },
    ),
    codex(...codexCall({ name: 'shell' }, { output: JSON.stringify({ output: T, metadata: { exit_code: 1 } }) })),
    codex(...codexCall({ name: 'mcp__x__y' }, { output: [{ type: 'input_text', text: T }] })),
    codex(codexUser(`<user_shell_command>\n<command>ls</command>\n<result>\n${T}\n</result>\n</user_shell_command>`)),
    codex(
      codexUser(
        `# Context from my IDE setup:\n\n## Active file: a.ts\n\n## Active selection of the file:\n${T}\n\n## My request for Codex:\n${T}\n\n## My request for Codex:\nFix it.\n`,
      ),
    ),
    codex(
      codexUser(`<subagent_notification>${T}</subagent_notification>`),
      codexUser(`<user_action>${T}</user_action>`),
      codexUser(`<codex_internal_context source="user_goal">${T}</codex_internal_context>`),
      codexUser(`<agent_message_board_notification>${T}</agent_message_board_notification>`),
    ),
    codex(
      codexUser(`<goal_context>\n${T}\n</goal_context>`),
      codexUser(`<extension_context>\n${T}\n</extension_context>`),
      codexUser(`<external_browser>${T}</external_browser>`),
      codexUser(`<next_prompt_suggestion>\n${T}\n</next_prompt_suggestion>`),
      codexUser(
        `<realtime_delegation>\n  <input>Look.</input>\n  <transcript_delta>${T}</transcript_delta>\n</realtime_delegation>`,
      ),
      codexUser(
        `<realtime_delegation>\n  <source>transcript_tail_flush</source>\n  <input>${T}</input>\n</realtime_delegation>`,
      ),
      codexUser(`<model_switch>\n${T}\n</model_switch>`, `<untrusted_objective>${T}</untrusted_objective>`),
      codexUser(
        `Warning: apply_patch was requested via ${T}. Use the apply_patch tool instead of exec_command.`,
        `Warning: The maximum number of unified exec processes you can keep open is 60. ${T}`,
      ),
    ),
    codex({
      ...codexUser('Fix it.', T),
      internal_chat_message_metadata_passthrough: { content_item_kinds: ['user.text', 'hooks.additional_context'] },
    }),
  ],
  opencode: [
    opencode([tool('web_fetch', { status: 'error', input: {}, error: T })]),
    opencode([tool('question', { status: 'completed', input: {}, output: T, metadata: { output: T } })]),
    opencode([tool('bash', { status: 'completed', input: {}, output: T, title: T, metadata: { output: T, exit: 1 } })]),
    opencode([text('Done.')], [{ ...text(T), synthetic: true }]),
  ],
  gemini: [
    gemini({
      type: 'gemini',
      content: '',
      toolCalls: [
        {
          id: 'c',
          name: 'mcp_x_ask_user',
          args: {},
          status: 'success',
          resultDisplay: T,
          result: [{ functionResponse: { id: 'c', name: 'x', response: { output: T } } }],
        },
      ],
    }),
    gemini({ type: 'user', content: [{ text: 'Read @a.ts' }, ...FILES] }),
    gemini({ type: 'user', content: OUTPUT_IN_PARTS }),
    gemini({ type: 'user', content: [{ text: `<untrusted_context>\n${T}\n</untrusted_context>` }] }),
    gemini({ type: 'info', content: T }, { type: 'error', content: T }),
  ],
  'gemini-contents': [
    contents({ role: 'function', parts: [{ functionResponse: { name: 'x', response: { a: T } } }, { text: T }] }),
    contents({ role: 'user', parts: [{ text: 'Read @a.ts' }, ...FILES] }, { role: 'user', parts: [{ text: SHELL }] }),
    contents({ role: 'user', parts: OUTPUT_IN_PARTS }),
    contents({
      role: 'user',
      parts: [
        {
          text: `Here is the user's editor context as a JSON object. This is for your information only.\n\`\`\`json\n${T}\n\`\`\``,
        },
      ],
    }),
    contents({ role: 'user', parts: [{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: T } }] }),
  ],
  qwen: [
    qwen({
      type: 'tool_result',
      message: {
        role: 'user',
        parts: [
          { functionResponse: { id: 'c', name: 'mcp__x__ask_user_question', response: { output: T } } },
          { text: T },
        ],
      },
      toolCallResult: { resultDisplay: T },
    }),
    qwen(
      ...['notification', 'cron'].map((subtype) => ({
        ...{ type: 'user', subtype, provenance: undefined },
        message: { role: 'user', parts: [{ text: T }] },
      })),
    ),
    qwen({ type: 'user', provenance: 'hook', message: { role: 'user', parts: [{ text: T }] } }),
    qwen({
      ...{ type: 'system', subtype: 'chat_compression' },
      systemPayload: {
        compressedHistory: [
          { role: 'user', parts: [{ text: '<state_snapshot>Fix the parser.</state_snapshot>' }] },
          { role: 'model', parts: [{ text: 'Got it. Thanks for the additional context!' }] },
          { role: 'user', parts: OUTPUT_IN_PARTS },
        ],
      },
    }),
  ],
  cline: [
    JSON.stringify({
      ...{ version: 1, sessionId: 's', agent: 'lead', updated_at: 'now' },
      messages: [
        {
          role: 'user',
          content: [
            text('<user_input mode="act">Fix the parser.</user_input>'),
            { type: 'file', path: 'a.ts', content: T },
          ],
        },
        ...anthropic(
          result(
            [
              { query: 'a', result: T, success: true },
              { query: 'b', result: '', error: T, success: false },
            ],
            { name: T },
          ),
        ),
        { role: 'user', content: [text('<user_input mode="act">Now the lexer.</user_input>')] },
        { role: 'assistant', content: [text('ok')] },
      ].map((message, at) => ({ id: `c${at}`, ts: at, ...message })),
    }),
    JSON.stringify({
      ...{ version: 1, sessionId: 's', agent: 'lead', updated_at: 'now' },
      messages: [
        { role: 'user', content: [text('<user_input mode="act">Fix the parser.</user_input>'), text(ATTACHED)] },
        { role: 'user', content: [text(T)], metadata: { kind: 'overflow_truncation', displayRole: 'system' } },
        { role: 'assistant', content: [text('Done.')] },
        {
          role: 'user',
          content: [text(`<user_input mode="act">Look.</user_input>\n\n<attachment>\n${T}\n</attachment>`)],
        },
        { role: 'assistant', content: [text('Done.')] },
        { role: 'user', content: [text('<user_input mode="act">Now the lexer.</user_input>')] },
        { role: 'assistant', content: [text('ok')] },
      ].map((message, at) => ({ id: `c${at}`, ts: at, ...message })),
    }),
  ],
  'cline-legacy': [
    ...CLINE_WRITES.map(clineWrites),
    cline(text(HEAD), text(T)),
    cline(text(`${HEAD}\n${T}`)),
    cline(text(HEAD), text(T), text("[read_file for 'b.ts'] Result:"), text(T)),
    cline(text(`[execute_command for '${'x'.repeat(600)}\nls'] Result:`), text(`Command executed.\nOutput:\n${T}`)),
    cline(text("[use_mcp_tool for 'server'] Result:"), text(T), text(T)),
    cline(text(HEAD), text(`The tool execution failed with the following error:\n<error>\n${T}\n</error>`)),
    cline(text(`<feedback>\nGo on.\n</feedback>\n\n<file_content path="a.ts">\n${T}\n</file_content>`)),
    cline(text('<feedback>\nGo on.\n</feedback>'), text(ATTACHED)),
    cline(
      text(
        `<explicit_instructions type="x.md">\nDo.\n</explicit_instructions>\n<feedback>\nGo on.\n</feedback>\n\n<url_content url="u">\n${T}\n</url_content>`,
      ),
    ),
    cline(text(`<user_message>\nGo on.\n</user_message>\n\n<git_commit hash="a">\n${T}\n</git_commit>`)),
    JSON.stringify([
      { role: 'user', ts: 1, content: 'Fix the parser.' },
      ...anthropic(result(T), text(`<environment_details>\n${T}\n</environment_details>`)),
      { role: 'user', content: 'Now the lexer.' },
      { role: 'assistant', content: 'ok' },
    ]),
  ],
  'openhands-v0': [
    openhandsV0({ source: 'environment', action: 'message', args: { content: T } }),
    openhandsV0(
      { source: 'user', action: 'run', args: { command: 'ls' } },
      { source: 'user', observation: 'run', cause: 1, content: T, extras: {} },
    ),
  ],
  'openhands-v1': [
    openhandsV1({
      kind: 'UserRejectObservation',
      source: 'environment',
      tool_call_id: 'c',
      rejection_reason: T,
      rejection_source: 'hook',
    }),
    openhandsV1({ kind: 'AgentErrorEvent', tool_call_id: 'c', error: T }),
    openhandsV1({ kind: 'MessageEvent', source: 'user', llm_message: { role: 'tool', content: [text(T)] } }),
    openhandsV1({ kind: 'MessageEvent', source: 'environment', llm_message: { role: 'user', content: [text(T)] } }),
    openhandsV1({
      ...{ kind: 'MessageEvent', source: 'user', sender: 'lexer-agent' },
      llm_message: { role: 'user', content: [text(T)] },
    }),
  ],
  atif: [
    JSON.stringify({
      ...{ schema_version: 'ATIF-v1.7', agent: { name: 'a', version: '1' } },
      steps: [
        { source: 'user', message: 'Fix the parser.' },
        { source: 'agent', message: 'Run it.', observation: { results: [{ content: T }] } },
        { source: 'system', message: T },
        { source: 'user', message: 'Now the lexer.' },
        { source: 'agent', message: 'ok' },
      ].map((step, at) => ({ step_id: at + 1, ...step })),
    }),
  ],
  'swe-agent': [
    JSON.stringify({
      history: [
        { role: 'user', content: 'Fix the parser.', message_type: 'observation' },
        { role: 'assistant', content: 'Run it.', action: 'ls', message_type: 'action' },
        { role: 'user', content: T, message_type: 'observation' },
        { role: 'user', content: T, message_type: 'observation' },
        { role: 'user', content: 'Now the lexer.', message_type: 'user' },
        { role: 'assistant', content: 'ok', message_type: 'action' },
      ],
    }),
  ],
  'ai-model': [
    ai(
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'x', input: {} }] },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c', toolName: 'x', output: { type: 'execution-denied', reason: T } },
          text(T),
        ],
      },
    ),
  ],
  'ai-ui': [
    aiUi(
      { type: 'tool-x', toolCallId: 'c', state: 'output-error', input: {}, errorText: T },
      { type: 'data-x', data: T },
    ),
    aiUi({
      type: 'dynamic-tool',
      toolName: 'ask',
      toolCallId: 'c',
      state: 'output-available',
      input: {},
      output: { answers: { a: T } },
    }),
  ],
  goose: [
    JSON.stringify({
      id: 's',
      conversation: [
        { role: 'user', content: [text('Fix the parser.')] },
        {
          role: 'assistant',
          content: [
            { type: 'toolRequest', id: 'c', toolCall: { status: 'success', value: { name: 'x', arguments: {} } } },
          ],
        },
        { role: 'user', content: [{ type: 'toolResponse', id: 'c', toolResult: { status: 'error', error: T } }] },
        { role: 'user', content: [text(T)], metadata: { userVisible: false, agentVisible: true } },
        { role: 'user', content: [text('Now the lexer.')] },
        { role: 'assistant', content: [text('ok')] },
      ].map((message, at) => ({ id: `g${at}`, created: at, ...message })),
    }),
  ],
  aider: [aider(`> ${T}  `), aider(`The file says:\n\n${T}`), aider(`\`\`\`\n${T}\n\`\`\``)],
  gencode: [],
  responses: [
    JSON.stringify({
      input: [
        codexUser('Fix the parser.'),
        ...codexCall({ name: 'request_user_input' }, { output: T }),
        codexUser('Now the lexer.'),
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] },
      ],
    }),
    JSON.stringify({
      input: [
        codexUser('Fix the parser.'),
        { type: 'mcp_call', id: 'c', name: T, arguments: '{}', error: T },
        {
          type: 'shell_call_output',
          call_id: 'd',
          output: [{ stdout: T, stderr: T, outcome: { type: 'exit', exit_code: 1 } }],
        },
        codexUser('Now the lexer.'),
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] },
      ],
    }),
  ],
  anthropic: [
    chat(
      ...anthropic(result('ok')),
      ...CLIENT_TAGS.map((tag) => ({ role: 'user', content: [text(`<${tag}>\n${T}\n</${tag}>`), text('Look.')] })),
    ),
    chat(...anthropic(result(T, { is_error: true }))),
    chat(
      ...anthropic(
        result([text(T), { type: 'document', source: { type: 'text', data: T } }]),
        text(`<system-reminder>${T}</system-reminder>`),
      ),
    ),
    chat(
      ...anthropic(result('ok')),
      { role: 'user', content: [text(HEAD), text(T)] },
      { role: 'user', content: [{ type: 'document', title: T, source: { type: 'text', data: T } }] },
    ),
  ],
}
