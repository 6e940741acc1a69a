import t from 'tap'
import { planCompaction } from '../../src/plan/plan-compaction.ts'
import { selectBranch } from '../../src/session/link-session.ts'
import { asLines, outline, readDocument } from '../support/read-document.ts'

const common = { isSidechain: false, sessionId: 's', cwd: '/work', version: '2.1.330' }

const user = (uuid: string, parentUuid: string | null, content: unknown, more: object = {}) => ({
  ...common,
  type: 'user',
  uuid,
  parentUuid,
  message: { role: 'user', content },
  ...more,
})

const answer = (uuid: string, parentUuid: string | null, content: object[], message: object = {}) => ({
  ...common,
  type: 'assistant',
  uuid,
  parentUuid,
  message: { id: `msg_${uuid}`, role: 'assistant', model: 'claude', content, ...message },
})

const text = (value: string) => ({ type: 'text', text: value })
const call = (id: string, name: string, input: object) => ({ type: 'tool_use', id, name, input })
const result = (id: string, content: unknown, more: object = {}) => [
  { type: 'tool_result', tool_use_id: id, content, ...more },
]

const read = (lines: readonly object[]) => readDocument(asLines(lines), { isLines: true })

t.test('the lines of one message are one entry, and its calls have their results in order', async (t) => {
  const usage = { input_tokens: 5, cache_read_input_tokens: 7, cache_creation_input_tokens: 1, output_tokens: 2 }
  const lines = [
    { type: 'queue-operation', operation: 'enqueue', sessionId: 's' },
    user('u1', null, 'Fix calc.py'),
    answer('a1', 'u1', [{ type: 'thinking', thinking: 'Run it', signature: 'x' }], { id: 'm', usage }),
    answer('a2', 'a1', [call('c1', 'Bash', { command: 'npm test' })], { id: 'm', usage }),
    user('r1', 'a2', result('c1', 'Exit code 2\nfailed', { is_error: true }), { toolUseResult: 'Error: Exit code 2' }),
    answer('a3', 'a2', [call('c2', 'Read', { file_path: '/work/calc.py' })], {
      id: 'm',
      usage,
      stop_reason: 'tool_use',
    }),
    user('r2', 'a3', result('c2', [text('def add')])),
    // The next message follows only one of the parallel results.
    answer('a4', 'r1', [text('Done')], { stop_reason: 'end_turn' }),
  ]
  const request = read(lines)
  t.equal(request.format, 'claude-code')
  t.strictSame(outline(request), [
    ['u1', 'user', 'Fix calc.py'],
    ['a1', 'assistant', 'Run it | Bash | npm test | Read | /work/calc.py', 'toolUse'],
    ['r1', 'toolResult', 'Exit code 2\nfailed', 'Bash', 'failed', 2],
    ['r2', 'toolResult', 'def add', 'Read'],
    ['a4', 'assistant', 'Done', 'stop'],
  ])
  const message = request.session.byId.get('a1')?.message
  t.strictSame(message?.role === 'assistant' && message.usage, { input: 5, output: 2, cacheRead: 7, cacheWrite: 1 })
  t.strictSame(request.ignored, undefined)
})

t.test('an entry knows the bytes of its line', async (t) => {
  const lines = [user('u1', null, 'Fix calc.py'), answer('a1', 'u1', [text('Done')])]
  const { session, source } = read(lines)
  t.strictSame(
    session.entries.map(({ range }) => JSON.parse(source.body.toString('utf8', range.start, range.end)) as unknown),
    lines,
  )
})

t.test('texts of the client in the role of the user are not requests of the user', async (t) => {
  const request = read([
    user('u1', null, [text('<system-reminder>Be brief</system-reminder>'), text('Add a test')]),
    user('u2', 'u1', '<system-reminder>The date has changed</system-reminder>'),
    user('u3', 'u2', 'Expanded command', { isMeta: true }),
    user('u4', 'u3', '<local-command-stdout>ok</local-command-stdout>'),
    user('u5', 'u4', '<task-notification><result>found</result></task-notification>', {
      origin: { kind: 'task-notification' },
    }),
    user('u6', 'u5', '<bash-input>ls</bash-input>'),
    user('u7', 'u6', '<bash-stdout>a.ts</bash-stdout><bash-stderr></bash-stderr>'),
    user('u8', 'u7', '<command-name>/review</command-name><command-args>the parser</command-args>'),
    user('u9', 'u8', '<command-name>/clear</command-name><command-args></command-args>'),
    user('u11', 'u9', '<command-message>init is running</command-message>\n<command-name>/init</command-name>'),
    user('u10', 'u11', '[Request interrupted by user]'),
    { ...common, type: 'attachment', uuid: 'at1', parentUuid: 'u10', attachment: { type: 'date', date: 'today' } },
    {
      ...common,
      type: 'attachment',
      uuid: 'at2',
      parentUuid: 'at1',
      attachment: { type: 'queued_command', commandMode: 'prompt', prompt: 'And lint', origin: { kind: 'human' } },
    },
  ])
  t.strictSame(outline(request), [
    ['u1', 'user', 'Add a test'],
    ['u3', 'custom', 'Expanded command'],
    ['u5', 'custom', '<task-notification><result>found</result></task-notification>'],
    ['u6', 'bashExecution', 'ls | '],
    ['u7', 'custom', '<bash-stdout>a.ts</bash-stdout><bash-stderr></bash-stderr>'],
    ['u8', 'user', '/review the parser'],
    ['u11', 'user', '/init'],
    ['u10', 'custom', '[Request interrupted by user]'],
    ['at2', 'user', 'And lint'],
  ])
})

t.test(
  'what the user sends while the agent works is a message of the user, with a picture and without a mode too',
  async (t) => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }
    const words = 'Never touch the zebra files.'
    const queued = (fields: object) =>
      read([
        user('u1', null, 'Fix calc.py'),
        answer('a1', 'u1', [text('Looking.')]),
        {
          ...common,
          type: 'attachment',
          uuid: 'q1',
          parentUuid: 'a1',
          attachment: { type: 'queued_command', ...fields },
        },
        answer('a2', 'q1', [text('Fixed.')]),
      ])
    const messageOf = (fields: object) => queued(fields).session.entries.at(-2)?.message
    const own = { role: 'user', content: [text(words)] }
    t.match(messageOf({ prompt: words, commandMode: 'prompt' }), own)
    t.match(messageOf({ prompt: words }), own)
    t.match(messageOf({ prompt: [text(words)], origin: { kind: 'human' } }), own)
    t.match(messageOf({ prompt: [text(words), image], commandMode: 'prompt' }), {
      role: 'user',
      content: [text(words), { type: 'image' }],
    })
    for (const other of [{ commandMode: 'task-notification' }, { isMeta: true }, { origin: { kind: 'channel' } }])
      t.strictSame(outline(queued({ prompt: [text(words), image], ...other })), [
        ['u1', 'user', 'Fix calc.py'],
        ['a1', 'assistant', 'Looking.'],
        ['a2', 'assistant', 'Fixed.'],
      ])
  },
)

const boundary = (uuid: string, logicalParentUuid: string, uuids?: string[]) => ({
  ...common,
  type: 'system',
  subtype: 'compact_boundary',
  uuid,
  parentUuid: null,
  logicalParentUuid,
  compactMetadata: uuids === undefined ? {} : { preservedMessages: { anchorUuid: 's1', uuids } },
})

const SUMMARY =
  'This session is being continued from a previous conversation that ran out of context.\n\nAnalysis:\nnone\n\n' +
  'Summary:\nThe goal is calc.py.\n\nIf you need specific details, read the transcript.'

t.test('a second compaction updates the summary of the first, and begins with the messages that it kept', async (t) => {
  const request = read([
    user('u1', null, 'Fix calc.py'),
    answer('a1', 'u1', [text('Fixed')]),
    user('u2', 'a1', 'Explain'),
    answer('a2', 'u2', [text('It was a minus')]),
    boundary('b1', 'a2', ['u2', 'a2']),
    user('s1', 'b1', SUMMARY, { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
    // Claude Code continues after the newest of the kept messages.
    user('u3', 'a2', 'Anything else?'),
    answer('a3', 'u3', [text('No')]),
  ])
  t.strictSame(outline(request), [
    ['u1', 'user', 'Fix calc.py'],
    ['a1', 'assistant', 'Fixed'],
    ['u2', 'user', 'Explain'],
    ['a2', 'assistant', 'It was a minus'],
    ['s1', 'compaction', 'The goal is calc.py.', 'u2'],
    ['u3', 'user', 'Anything else?'],
    ['a3', 'assistant', 'No'],
  ])
  const plan = planCompaction(selectBranch(request.session), { keepRecentTokens: 1 })
  t.strictSame(plan.regions, ['covered', 'covered', 'summarized', 'summarized', 'ignored', 'turn-prefix', 'kept'])
  t.equal(plan.previousSummary, 'The goal is calc.py.')
})

t.test('a compaction of an old version, without flags, is recognized by its first words', async (t) => {
  const request = read([user('u1', null, 'Fix'), user('s1', null, SUMMARY), answer('a1', 's1', [text('Go')])])
  t.strictSame(outline(request), [
    ['s1', 'compaction', 'The goal is calc.py.', null],
    ['a1', 'assistant', 'Go'],
  ])
})

const leaf = (leafUuid: string) => ({ type: 'last-prompt', lastPrompt: 'Fix', leafUuid, sessionId: 's' })
const idsOf = (request: ReturnType<typeof read>) => outline(request).map((entry) => (entry as unknown[])[0])

t.test('after going back without a new prompt, the branch ends at the leaf that the client names', (t) => {
  const lines = [
    user('u1', null, 'Fix'),
    answer('a1', 'u1', [call('c1', 'Bash', {}), call('c2', 'Bash', {})], { id: 'm1' }),
    user('r1', 'a1', result('c1', 'one')),
    user('r2', 'a1', result('c2', 'two')),
    answer('a2', 'r2', [text('Done')]),
    user('u2', 'a2', 'Not like this'),
    answer('a3', 'u2', [text('Sorry')]),
  ]
  const all = ['u1', 'a1', 'r1', 'r2', 'a2', 'u2', 'a3']
  t.strictSame(idsOf(read([...lines, leaf('a2')])), ['u1', 'a1', 'r1', 'r2', 'a2'])
  t.strictSame(
    idsOf(read([...lines, leaf('r1')])),
    ['u1', 'a1', 'r1', 'r2'],
    'the results of a message belong together',
  )
  t.strictSame(idsOf(read([...lines, leaf('a2'), leaf('a3')])), all, 'the newest one counts')
  t.strictSame(idsOf(read([...lines, leaf('elsewhere')])), all, 'a leaf of another file says nothing')
  t.strictSame(idsOf(read([leaf('a2'), ...lines])), all, 'what follows it is newer')
  const later = user('u3', 'a3', 'Go on', { isSidechain: true })
  t.strictSame(idsOf(read([...lines, leaf('a2'), later])), ['u1', 'a1', 'r1', 'r2', 'a2'], 'a side chain does not')
  t.end()
})

t.test('side chains are left out, unless the file has nothing else', async (t) => {
  const side = [
    user('x1', null, 'Search', { isSidechain: true }),
    { ...answer('x2', 'x1', [text('Found')]), isSidechain: true },
  ]
  t.strictSame(outline(read(side)), [
    ['x1', 'user', 'Search'],
    ['x2', 'assistant', 'Found'],
  ])
  const main = [user('u1', null, 'Fix'), answer('a1', 'u1', [text('Done')])]
  t.strictSame(read([...side, ...main, user('x3', 'x2', 'More', { isSidechain: true })]).session.entries.length, 2)
})

t.test('errors of the API are errors, and other texts of the client are left out', async (t) => {
  const error = answer('a1', 'u1', [text('Prompt is too long')], { model: '<synthetic>' })
  const request = read([
    user('u1', null, 'Fix'),
    { ...error, isApiErrorMessage: true },
    answer('a2', 'a1', [text('No response requested.')], { model: '<synthetic>' }),
    user('u2', 'a2', 'Go on'),
  ])
  t.strictSame(outline(request), [
    ['u1', 'user', 'Fix'],
    ['a1', 'assistant', 'Prompt is too long', 'error'],
    ['u2', 'user', 'Go on'],
  ])
})

t.test(
  'a rewound branch is not the active one, a missing parent is a root, and a broken line is skipped',
  async (t) => {
    const lines = [
      user('u1', 'gone', 'Fix'),
      answer('a1', 'u1', [text('Wrong way')]),
      user('u2', 'u1', 'Another way'),
      { ...common, type: 'telemetry', uuid: 'x', parentUuid: 'u2' },
      answer('a2', 'x', [text('Right'), { type: 'hologram' }]),
    ]
    const request = readDocument(`${asLines(lines)}\n{"type":"user","uu`, { isLines: true })
    t.strictSame(
      outline(request).map((entry) => (entry as unknown[])[0]),
      ['u1', 'u2', 'a2'],
    )
    t.strictSame(request.ignored, { entryTypes: { telemetry: 1 }, blocks: { hologram: 1 }, lines: [6] })
  },
)

/** A line with its time, in minutes. */
const at = (minute: number, line: object): object => ({
  ...line,
  timestamp: new Date(Date.UTC(2026, 10, 22, 8, minute)).toISOString(),
})

const move = (lines: readonly object[], from: number, to: number): object[] => {
  const [line = {}] = lines.slice(from)
  return lines.toSpliced(from, 1).toSpliced(to, 0, line)
}

/** Returns the texts, calls and results of the active branch. */
const branchOf = (lines: readonly object[]): string =>
  selectBranch(read(lines).session)
    .flatMap(({ message }) => (message !== undefined && 'content' in message ? message.content : []))
    .map((block) => (typeof block === 'string' ? block : 'text' in block ? block.text : 'id' in block ? block.id : ''))
    .join(' ')

// As Claude Code 2.1.330 resumes these sessions.
t.test('the leaf is the newest line below the last one', (t) => {
  const lines = [0, 1, 2, 3].flatMap((turn) => [
    user(`q${turn}`, turn === 0 ? null : `a${turn - 1}`, `Q${turn}`),
    answer(`a${turn}`, `q${turn}`, [text(`A${turn}`)]),
  ])
  const timed = lines.map((line, minute) => at(minute, line))
  const whole = 'Q0 A0 Q1 A1 Q2 A2 Q3 A3'
  for (const [name, list] of Object.entries({ 'with times': timed, 'without times': lines })) {
    t.equal(branchOf(move(list, 3, 7)), whole, `${name}: a line with messages below it is the last one`)
    t.equal(branchOf(move(list, 7, 0)), whole, `${name}: the newest line is the first one`)
    t.equal(branchOf(move(list, 7, 6)), whole, `${name}: the newest line stands before its parent`)
  }
  const other = at(20, user('other', 'a1', 'Again'))
  t.equal(branchOf([...timed, other]), 'Q0 A0 Q1 A1 Again', 'the last line is of a branch that is newer')
  t.equal(branchOf([...timed, at(3, other)]), 'Q0 A0 Q1 A1 Again', 'or older, and has nothing below it')
  t.end()
})

t.test('a line that stands elsewhere takes neither a call nor its result with it', (t) => {
  const lines = [
    user('u', null, 'Q'),
    answer('t1', 'u', [text('I read.')], { id: 'm' }),
    answer('c1', 't1', [call('C1', 'Read', {})], { id: 'm' }),
    user('r1', 'c1', result('C1', 'R1')),
    answer('c2', 'c1', [call('C2', 'Bash', {})], { id: 'm' }),
    user('r2', 'c2', result('C2', 'R2')),
    answer('z', 'r2', [text('Done')]),
  ]
  const whole = 'Q I read. C1 C2 R1 R2 Done'
  t.equal(branchOf(lines), whole)
  t.equal(branchOf(move(lines, 2, 3)), whole, 'a call after its result')
  t.equal(branchOf(move(lines, 2, 5)), whole, 'and after another call and its result')
  t.equal(branchOf(move(lines, 2, 1)), whole, 'a call before the first line of its answer')
  t.equal(branchOf(move(lines, 2, 6)), whole, 'a call after the next answer')
  t.equal(branchOf(move(lines, 4, 0)), whole, 'a call before the request')
  const timed = lines.map((line, minute) => at(minute, line))
  t.equal(
    branchOf(timed.toReversed()),
    'Q I read. C1 C2 R2 R1 Done',
    'all lines: siblings are in the order of the file',
  )
  t.equal(branchOf(lines.toSpliced(2, 1).slice(1)), 'I read. C2 R2 Done', 'a result whose call is missing')
  // The client does the same: its leaf is the last line, or what is below it, and nothing is below this result.
  t.equal(branchOf(move(timed, 3, 6)), 'Q I read. C1 C2 R2 R1', 'a result without anything below it as the last line')
  t.equal(branchOf(move(timed, 5, 6)), whole, 'a result above the next answer as the last line')
  t.equal(branchOf(lines.slice(3, 4)), 'R1', 'and nothing else')
  t.end()
})

t.test('a line with results and words has both, also for the lines after it', (t) => {
  const lines = [
    user('u', null, 'Q'),
    answer('c1', 'u', [call('C1', 'Read', {})]),
    user('r1', 'c1', [...result('C1', 'R1'), text('And the docs.')]),
    answer('z', 'r1', [text('Done')]),
  ]
  t.equal(branchOf(lines), 'Q C1 R1 And the docs. Done')
  t.end()
})
