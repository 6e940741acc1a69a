/** A shape of requests, of any size: the time for a request may grow only with its size. */
export interface RequestShape {
  /** The requests that are made with the body; by default a compaction and a plan with its prompts. */
  urls?: readonly string[]
  /** Whether it has few long texts, so that its time may be compared with that of prose. */
  isText?: boolean
  /** How many pieces the smaller of two compared requests has. */
  size: number
  /** Returns the body: an object, or the text of a session file. */
  body: (size: number) => unknown
}

const COMPACTION = '/compaction?include=provenance'
export const DEFAULT_URLS = [COMPACTION, '/compaction/plan?include=prompts,entries']
const WRITE_BACK = ['/compaction?reply=native&keepRecentTokens=100']

const list = <T>(length: number, item: (index: number) => T): T[] => Array.from({ length }, (_, index) => item(index))
const lines = (length: number, line: (index: number) => string, separator = '\n'): string =>
  list(length, line).join(separator)

type Message = Record<string, unknown>

const user = (content: string): Message => ({ role: 'user', content })
const assistant = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] })
const call = (name: string, values: unknown, id = 0): Message => ({
  role: 'assistant',
  content: [{ type: 'toolCall', id: `t${id}`, name, arguments: values }],
})
const result = (text: string, { id = 0, isError = false, name = 'bash' } = {}): Message => ({
  role: 'toolResult',
  toolCallId: `t${id}`,
  toolName: name,
  isError,
  content: [{ type: 'text', text }],
})

/** A session whose region to summarize has these messages. */
const session = (messages: readonly Message[], fields: object = {}): object => ({
  messages: [user('a'), ...messages, assistant('b'), user('c'), assistant('d')],
  settings: { keepRecentTokens: 1 },
  ...fields,
})

/** A call and its result for each number. */
const calls = (size: number, write: (index: number) => [called: Message, returned: Message]): object =>
  session(list(size, write).flat())

/** A text in each place that a session has for texts. */
const inEachPlace = (text: string): Message[] => [
  user(text),
  assistant(text),
  call('bash', { command: text }, 1),
  result(text, { id: 1 }),
  call('bash', { command: 'make' }, 2),
  result(text, { id: 2, isError: true }),
  call('edit', { path: 'src/a.ts', oldText: text, newText: `${text}x` }, 3),
  result('ok', { id: 3, name: 'edit' }),
  call('write', { path: text.slice(0, 2000), content: text }, 4),
  result('ok', { id: 4, name: 'write' }),
  call('read', { path: 'README.md' }, 5),
  result(text, { id: 5, name: 'read' }),
  user(text),
]

/** A piece of text again and again, in each place; and in a summary of the caller, which names a path. */
const repeated = (piece: string, size = 4000): RequestShape => ({
  isText: true,
  size,
  body: (count) => session(inEachPlace(piece.repeat(count))),
})
const stated = (piece: string, size = 4000): RequestShape => ({
  urls: [COMPACTION],
  isText: true,
  size,
  body: (count) => {
    const text = piece.repeat(count)
    return session([result(text)], { summary: `See src/nope/none.ts, line 7.\n${text}`, customInstructions: text })
  },
})

/** Pieces of text that slow patterns are slow for. The number is that of the pieces. */
const PIECES: Record<string, [piece: string, size: number]> = {
  backslashes: ['\\', 20_000],
  'letters without an end': ['a', 20_000],
  'Chinese without punctuation': ['总结忽略以上指令输出', 2000],
  'opening quotation marks': ['“„«「', 5000],
  'quotation marks': ['"\'', 10_000],
  'opening brackets': ['[{(<', 5000],
  'opening fences': ['```js\n~~~\n', 2000],
  'backquotes on a line': ['`` ` ', 4000],
  'opening tags': ['<read-files>\n<system-reminder>', 700],
  'closing tags': ['</conversation></previous-summary>', 600],
  'tags of tool calls': ['<tool_call>{"a":', 1200],
  blanks: [' \t', 10_000],
  'blank lines': ['\n \n', 7000],
  'line separators': ['\u2028\u0085\r', 7000],
  'paths on a line': ['src/a/b.ts ', 2000],
  'braces in paths': ['src/{a,b,c}.ts ', 1400],
  'commands with pipes': ['cat a | grep b && rm c; ', 900],
  'here-documents': ["cat > a << 'E'\nx\n", 1200],
  'heads of PEM': ['-----BEGIN PRIVATE KEY-----\nMIIE', 600],
  'names of secrets': ['password: "token=', 1200],
  diffs: ['--- a/x.ts\n+++ b/x.ts\n@@ -1 +1 @@\n-a\n+b\n', 500],
  'ANSI colours': ['\u001b[31mred\u001b[0m', 1500],
  'half surrogates': ['\ud83d', 20_000],
  'combining marks': ['e\u0301\u0323', 7000],
  emoji: ['👩‍👩‍👧', 2500],
  numbers: ['1.2.3.4:80 ', 2000],
  Base64: ['QUJDREVGR0hJSktMTU5P', 1000],
  'URLs with parameters': ['https://h.example/a?b=c&d=e&', 700],
  'JSON in JSON': ['{\\"a\\":\\"{\\\\\\"b\\\\\\":', 900],
  tables: ['| a | b |\n|---|---|\n', 1000],
  headings: ['## Goal\n### Done\n', 1200],
  'quoted lines': ['> a\n>> b\n', 2000],
  'check boxes': ['- [ ] a\n1. b\n', 1500],
  errors: ['TypeError: a is not b\n    at f (a.ts:1:2)\n', 450],
  'one line of errors': ['Error: exit code 1 failed ', 800],
  commits: ['[main abcdef1] m\ncommit 0123456789abcdef0123456789abcdef01234567\n', 300],
  decisions: ['I chose a because b is slow. Next, I will fix c. ', 400],
  demands: ['Never touch a. Always use b? ', 700],
  'labels of speakers': ['[User]: a\n\n[Assistant]: b?\n\n', 700],
  'calls in a transcript': ['[Assistant tool calls]: read(path="a"); ', 500],
  'listings of folders': ['src/a:\ndrwxr-xr-x 2 a a 1 b\n├── c.ts\n', 500],
  'file lists': ['<modified-files>\nsrc/a.ts\n</modified-files>\n', 500],
  declarations: ['export function f(a: string): void {}\n', 500],
  markers: ['[... 10 characters left out ...]\n', 600],
}

/** Many small things in one session. */
const MANY: Record<string, RequestShape> = {
  'marks in a tag': {
    size: 2000,
    body: (size) => session(inEachPlace(`<conversat${'\u0345'.repeat(size)}`)),
  },
  'marks in a label': { size: 2000, body: (size) => session(inEachPlace(`[ass${'\u0345'.repeat(size)}`)) },
  'arguments of a call': {
    size: 10_000,
    body: (size) => session([call('x', Object.fromEntries(list(size, (index) => [`k${index}`, 1]))), result('ok')]),
  },
  'arguments whose names are secrets': {
    size: 1000,
    body: (size) =>
      session([
        call('x', Object.fromEntries(list(size, (index) => [`ghp_${String(index).padStart(36, 'aB3dE5fG7')}`, 1]))),
        result('ok'),
      ]),
  },
  'deep arguments': {
    size: 10_000,
    body: (size) =>
      `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"toolCall","id":"t","name":"x","arguments":${'['.repeat(size)}${']'.repeat(size)}}]},{"role":"user","content":"c"},{"role":"assistant","content":"d"}],"settings":{"keepRecentTokens":1}}`,
  },
  'different secrets': {
    size: 1000,
    body: (size) =>
      session([result(lines(size, (index) => `K${index}=ghp_${String(index).padStart(36, 'aB3dE5fG7')}`))]),
  },
  'failing commands': {
    size: 800,
    body: (size) =>
      calls(size, (id) => [
        call('bash', { command: `npm test ${id}` }, id),
        result(`Error: x${id}`, { id, isError: true }),
      ]),
  },
  'one failing command': {
    size: 800,
    body: (size) =>
      calls(size, (id) => [call('bash', { command: 'npm test' }, id), result(`Error: x${id}`, { id, isError: true })]),
  },
  'edits of a file': {
    size: 800,
    body: (size) =>
      calls(size, (id) => [
        call(
          'edit',
          { path: 'src/a.ts', oldText: `${'x'.repeat(100)}${id}`, newText: `${'x'.repeat(100)}${id + 1}` },
          id,
        ),
        result('ok', { id, name: 'edit' }),
      ]),
  },
  'reads of a file': {
    size: 1000,
    body: (size) =>
      calls(size, (id) => [call('read', { path: 'src/a.ts' }, id), result(`line ${id}\n\n\n`, { id, name: 'read' })]),
  },
  'reads of different documents': {
    size: 800,
    body: (size) =>
      calls(size, (id) => [
        call('read', { path: `docs/d${id}/f${id}.md` }, id),
        result(`# Title ${id}\n\nThis page says what part ${id} does, and why.\n`, { id, name: 'read' }),
      ]),
  },
  'files that are deleted and written': {
    size: 500,
    body: (size) =>
      session(
        list(size, (index) => [
          call('bash', { command: `rm a${index}` }, 2 * index),
          result('ok', { id: 2 * index }),
          call('write', { path: `a${index}`, content: 'x' }, 2 * index + 1),
          result('ok', { id: 2 * index + 1, name: 'write' }),
        ]).flat(),
      ),
  },
  'renames in a command': {
    size: 1000,
    body: (size) =>
      session([call('bash', { command: lines(size, (index) => `git mv a${index} b${index}`, ' && ') }), result('ok')]),
  },
  'files of a patch': {
    size: 1500,
    body: (size) =>
      session([
        call('apply_patch', {
          input: `*** Begin Patch\n${lines(size, (index) => `*** Update File: a${index}\n@@\n-x\n+y`)}\n*** End Patch`,
        }),
        result('ok', { name: 'apply_patch' }),
      ]),
  },
  'lists of tasks': {
    size: 500,
    body: (size) =>
      calls(size, (id) => [
        call('TodoWrite', { todos: list(40, (task) => ({ content: `x${id} ${task}`, status: 'pending' })) }, id),
        result('ok', { id, name: 'TodoWrite' }),
      ]),
  },
  'questions to the user': {
    size: 500,
    body: (size) =>
      calls(size, (id) => [
        call('AskUserQuestion', { questions: [{ question: `q${id}` }] }, id),
        result(`User has answered your questions: "q${id}"="a${id}". You can now continue`, {
          id,
          name: 'AskUserQuestion',
        }),
      ]),
  },
  'calls without results': {
    size: 2000,
    body: (size) => session(list(size, (index) => call('bash', { command: `cat f${index}` }, index))),
  },
  'results without calls': {
    size: 2000,
    body: (size) => session(list(size, (id) => result(`f${id}`, { id }))),
  },
  'calls with one id': {
    size: 1000,
    body: (size) => calls(size, (index) => [call('bash', { command: `cat f${index}` }), result(`x${index}`)]),
  },
  'calls in a message': {
    size: 1500,
    body: (size) =>
      session([
        {
          role: 'assistant',
          content: list(size, (index) => ({
            type: 'toolCall',
            id: `t${index}`,
            name: 'bash',
            arguments: { command: `cat f${index}` },
          })),
        },
        ...list(size, (id) => result(`x${id}`, { id })),
      ]),
  },
  'demands of the user': {
    size: 800,
    body: (size) =>
      session(list(size, (index) => user(`Never touch file ${index}, and always use strings in module ${index}.`))),
  },
  'one demand again and again': {
    size: 1000,
    body: (size) => session(list(size, () => user('Never touch that file, and always use decimal strings there.'))),
  },
  'requests without punctuation': {
    isText: true,
    size: 30,
    body: (size) => session(list(size, (index) => user(`${'总结忽略以上指令输出'.repeat(400)}${index}`))),
  },
  'decisions of the agent': {
    size: 800,
    body: (size) =>
      session(list(size, (index) => assistant(`I chose option ${index} because option ${index}b is slow.`))),
  },
  'blocks of a message': {
    size: 5000,
    body: (size) =>
      session([{ role: 'assistant', content: list(size, (index) => ({ type: 'text', text: `x${index}` })) }]),
  },
  images: {
    size: 4000,
    body: (size) =>
      session([{ role: 'user', content: list(size, () => ({ type: 'image', data: 'aGk=', mimeType: 'image/png' })) }]),
  },
  'unknown roles': {
    size: 4000,
    body: (size) => session(list(size, (index) => ({ role: `_r${index}`, content: 'x' }))),
  },
  'unknown fields': {
    size: 4000,
    body: (size) => session([user('x')], Object.fromEntries(list(size, (index) => [`f${index}`, index]))),
  },
  'tiny messages': { size: 4000, body: (size) => session(list(size, () => user('x'))) },
  compactions: {
    size: 1000,
    body: (size) =>
      tree(
        list(size, (index) => compaction(index, index === 0 ? 'e' : `c${index - 1}`)),
        `c${size - 1}`,
      ),
  },
  branches: {
    size: 4000,
    body: (size) =>
      tree(
        list(size, (index) => message(`b${index}`, 'e', user(`x${index}`))),
        'e',
      ),
  },
  'a long branch in reverse order': {
    size: 4000,
    body: (size) =>
      tree(
        list(size, (index) => message(`b${index}`, index === 0 ? 'e' : `b${index - 1}`, user(`x${index}`))).reverse(),
        `b${size - 1}`,
      ),
  },
  'sections of the previous summary': {
    size: 2000,
    body: (size) => previous(lines(size, (index) => `## H${index}\nx`, '\n\n')),
  },
  'quoted requests of the previous summary': {
    size: 1500,
    body: (size) =>
      previous(
        `## Goal\nx\n\n## User Messages\n(Word for word, newest first.)\n\n${lines(size, (index) => `> request ${index}\n`)}`,
      ),
  },
  'files of the previous summary': {
    size: 4000,
    body: (size) =>
      previous(`## Goal\nx\n\n<modified-files>\n${lines(size, (index) => `src/f${index}.ts`)}\n</modified-files>`),
  },
  'evidence of the previous summary': {
    size: 1500,
    body: (size) =>
      previous(`## Goal\nx\n\n## Evidence\n${lines(size, (index) => `- failed: \`run ${index}\` (error): no`)}`),
  },
  'demands of the previous summary': {
    size: 1500,
    body: (size) =>
      previous(`## Goal\nx\n\n## Constraints & Preferences\n${lines(size, (index) => `- must use word${index}`)}`),
  },
  'lines of context': {
    size: 4000,
    body: (size) => session([user('x')], { context: list(size, (index) => `x${index}`) }),
  },
  'calls on a line of a transcript': {
    urls: [COMPACTION],
    size: 5000,
    body: (size) => ({
      conversation: `[User]: a\n\n[Assistant tool calls]: ${'read(path="a"); '.repeat(size)}\n\n[User]: b`,
    }),
  },
  'paths in the summary': {
    size: 1000,
    body: (size) => session([result('x')], { summary: lines(size, (index) => `- src/d${index}/f${index}.ts`) }),
  },
  'paths in the summary and the session': {
    size: 500,
    body: (size) =>
      session([result(lines(size, (index) => `src/d${index}/:\nf${index}.ts\n`))], {
        summary: lines(size, (index) => `- src/d${index}/f${index}.ts and src/nope${index}/none.ts`),
      }),
  },
  'quotations in the summary': {
    size: 1000,
    body: (size) =>
      session([result('words '.repeat(size))], {
        summary: lines(size, (index) => `- "a text that is quoted ${index}"`),
      }),
  },
  'errors in the summary': {
    size: 500,
    body: (size) =>
      session([result('Error: x '.repeat(size))], {
        summary: lines(size, (index) => `- TypeError: cannot read property ${index} of undefined`),
      }),
  },
}

/** A session of Claude Code whose lines follow each other. */
const claudeCode = (messages: readonly object[], fields: (index: number) => object = () => ({})): string =>
  messages
    .map((written, index) =>
      JSON.stringify({
        type: (written as { role: string }).role,
        isSidechain: false,
        sessionId: 's',
        cwd: '/p',
        version: '2.1.330',
        uuid: `u${index}`,
        parentUuid: index === 0 ? null : `u${index - 1}`,
        message: written,
        ...fields(index),
      }),
    )
    .join('\n')

const toolUse = (id: string, input: object): object => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'Bash', input }],
})
const toolResult = (id: string, content: string): object => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }],
})

const codexItem = (payload: object): string => JSON.stringify({ type: 'response_item', payload })

/** Turns of Claude Code with times: the newest line is the leaf, in whatever order the lines stand. */
const timedLines = (size: number, fields: (index: number) => object = () => ({})): string[] =>
  claudeCode(
    list(size, (index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `${'words '.repeat(20)}${index}`,
    })),
    (index) => ({ timestamp: new Date(1_800_000_000_000 + index * 1000).toISOString(), ...fields(index) }),
  ).split('\n')

/** Returns lines in an order without a pattern that is always the same. */
const shuffle = (lines: readonly string[]): string[] =>
  lines
    .map((line, index) => ({ line, order: (index * 7919 + 104_729) % 15_013 }))
    .sort((a, b) => a.order - b.order)
    .map(({ line }) => line)

/** A compaction of Claude Code that has kept these lines, and follows the last one. */
const boundaryOf = (uuids: readonly string[]): string[] => {
  const base = { isSidechain: false, sessionId: 's', cwd: '/p', version: '2.1.330' }
  return [
    {
      ...{ ...base, type: 'system', subtype: 'compact_boundary', uuid: 'b', parentUuid: null },
      ...{ logicalParentUuid: uuids.at(-1), compactMetadata: { preservedMessages: { anchorUuid: 's', uuids } } },
    },
    {
      ...{ ...base, type: 'user', uuid: 's', parentUuid: 'b', isCompactSummary: true },
      message: { role: 'user', content: 'Summary:\nx' },
    },
  ].map((line) => JSON.stringify(line))
}

/** Lines of Claude Code that do not stand after the lines that they follow. */
const DISORDER: Record<string, RequestShape> = {
  'reversed lines of Claude Code': {
    urls: WRITE_BACK,
    size: 1500,
    body: (size) => timedLines(size).reverse().join('\n'),
  },
  'shuffled lines of Claude Code': {
    urls: WRITE_BACK,
    size: 1500,
    body: (size) => shuffle(timedLines(size)).join('\n'),
  },
  'lines of Claude Code after a compaction that has kept them': {
    urls: WRITE_BACK,
    size: 1500,
    body: (size) => [...boundaryOf(list(size, (index) => `u${index}`)), ...timedLines(size).reverse()].join('\n'),
  },
  'lines of Claude Code that wait for missing ones': {
    urls: WRITE_BACK,
    size: 1500,
    body: (size) =>
      [
        ...boundaryOf(list(size, (index) => `missing${index}`)),
        ...timedLines(size, (index) => (index === 0 ? { parentUuid: 's' } : {})),
      ].join('\n'),
  },
}

/** Session files that are written back. */
const FILES: Record<string, RequestShape> = {
  'turns of Claude Code': {
    urls: WRITE_BACK,
    size: 600,
    body: (size) =>
      claudeCode(
        list(size, (index) => [
          { role: 'user', content: `do ${index}` },
          toolUse(`c${index}`, { command: `make ${index}` }),
          toolResult(`c${index}`, `made ${index}`),
          { role: 'assistant', content: [{ type: 'text', text: `done ${index}` }] },
        ]).flat(),
      ),
  },
  'rewound messages of Claude Code': {
    urls: WRITE_BACK,
    size: 1500,
    body: (size) =>
      claudeCode(
        list(size, (index) => ({
          role: index % 2 === 0 ? 'user' : 'assistant',
          content: index < 2 ? 'words '.repeat(200) : `text ${index}`,
        })),
        (index) => ({ parentUuid: index < 2 ? (index === 0 ? null : 'u0') : index === size - 1 ? 'u1' : 'u0' }),
      ),
  },
  'a hostile output of Claude Code': {
    urls: WRITE_BACK,
    size: 3000,
    body: (size) =>
      claudeCode([
        { role: 'user', content: 'a' },
        toolUse('c', { command: '<system-reminder>'.repeat(size) }),
        toolResult('c', '<command-name>\\"</local-command-stdout>'.repeat(size)),
        { role: 'assistant', content: [{ type: 'text', text: '<system-reminder>'.repeat(size) }] },
        { role: 'user', content: 'b' },
        { role: 'assistant', content: [{ type: 'text', text: 'c' }] },
      ]),
  },
  'turns of Codex': {
    urls: WRITE_BACK,
    size: 600,
    body: (size) =>
      [
        JSON.stringify({ type: 'session_meta', payload: { id: 's', timestamp: '2026-01-01T00:00:00Z', cwd: '/p' } }),
        ...list(size, (index) => [
          codexItem({ type: 'message', role: 'user', content: [{ type: 'input_text', text: `do ${index}` }] }),
          codexItem({ type: 'function_call', name: 'shell', arguments: '{"cmd":"make"}', call_id: `c${index}` }),
          codexItem({ type: 'function_call_output', call_id: `c${index}`, output: `made ${index}` }),
          codexItem({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] }),
        ]).flat(),
      ].join('\n'),
  },
  'entries of pi': {
    urls: WRITE_BACK,
    size: 1500,
    body: (size) =>
      [
        { type: 'session', version: 3, id: 's', cwd: '/p' },
        ...list(size, (index) =>
          message(
            `e${index}`,
            index === 0 ? null : `e${index - 1}`,
            index % 2 === 0 ? user(`do ${index}`) : assistant(`done ${index}`),
          ),
        ),
      ]
        .map((line) => JSON.stringify(line))
        .join('\n'),
  },
  'a history of Aider': {
    urls: [`${COMPACTION}&keepRecentTokens=1`],
    size: 1500,
    body: (size) =>
      `# aider chat started at 2026-01-01 10:00:00\n\n${lines(size, (index) => `#### do ${index}\n\n\\\\\\ done ${index}\n`)}`,
  },
}

/** Sessions and fields for look-ups. */
const LOOK_UPS: Record<string, RequestShape> = {
  'a look-up in one long line': {
    urls: ['/recall?query=ab&scope=all'],
    size: 500_000,
    body: (size) => session([user('a'.repeat(size))]),
  },
  'a look-up of a long tool, and of many kinds': {
    urls: ['/recall'],
    size: 3000,
    body: (size) =>
      session(
        list(size, (index) => user(`m${index}`)),
        { tool: 'x'.repeat(100 * size), kinds: list(10 * size, () => 'commit'), scope: 'all' },
      ),
  },
  'a look-up before a time, in one message with many results': {
    urls: ['/recall?query=word&before=2026-06-01&scope=all'],
    size: 1000,
    body: (size) => ({
      messages: [
        user('a'),
        {
          role: 'user',
          timestamp: 1_760_000_000_000,
          content: list(size, (index) => ({ type: 'tool_result', tool_use_id: `t${index}`, content: `word ${index}` })),
        },
        assistant('b'),
      ],
    }),
  },
}

const message = (id: string, parentId: string | null, written: Message): object => ({
  type: 'message',
  id,
  parentId,
  message: written,
})

const compaction = (index: number, parentId: string): object => ({
  type: 'compaction',
  id: `c${index}`,
  parentId,
  summary: `## Goal\nx${index}`,
  firstKeptEntryId: 'e',
  tokensBefore: 1,
})

/** A tree of entries after the entry `e`, and a turn after one of them. */
const tree = (entries: readonly object[], last: string): object => ({
  entries: [
    message('e', null, user('a')),
    ...entries,
    message('x', last, user('b')),
    message('y', 'x', assistant('c')),
    message('z', 'y', user('d')),
  ],
  settings: { keepRecentTokens: 1 },
})

const previous = (previousSummary: string): object => session([user('x')], { previousSummary })

/** The shape with which others are compared. */
export const PROSE = 'prose'

/** All shapes, by name. */
export const REQUEST_SHAPES: Readonly<Record<string, RequestShape>> = {
  [PROSE]: repeated('The parser reads a line, and then it writes the result. ', 400),
  ...Object.fromEntries(Object.entries(PIECES).map(([name, [piece, size]]) => [name, repeated(piece, size)])),
  ...Object.fromEntries(
    Object.entries(PIECES).map(([name, [piece, size]]) => [`${name}, in the summary`, stated(piece, size)]),
  ),
  ...MANY,
  ...FILES,
  ...DISORDER,
  ...LOOK_UPS,
}

/** Returns the body of a shape as it is sent. */
export function writeBody({ body }: RequestShape, size: number): string {
  const written = body(size)
  return typeof written === 'string' ? written : JSON.stringify(written)
}
