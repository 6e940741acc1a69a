import t, { type Test } from 'tap'
import type { RecallReply } from '../../src/schemas/recall.ts'
import { startApp } from '../support/start-app.ts'

const entry = (id: string, message: object, more: object = {}) => ({
  ...{
    type: 'message',
    id,
    parentId: previous.get(id) ?? null,
    timestamp: `2026-03-24T08:0${id.slice(1)}:00.000Z`,
    message,
  },
  ...more,
})
const IDS = ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8']
const previous = new Map(IDS.map((id, index) => [id, IDS[index - 1] ?? null]))

/** A request, a check that fails, an edit, a commit, a compaction, and one more turn. */
const SESSION = [
  { type: 'session', version: 3, id: 's1', cwd: '/app' },
  entry('e1', { role: 'user', content: 'Make parseConfig read YAML. Never touch the lock file.' }),
  entry('e2', {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'The tests come first.' },
      { type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'npm test -- config' } },
    ],
  }),
  entry('e3', {
    role: 'toolResult',
    toolCallId: 'c1',
    toolName: 'bash',
    isError: true,
    content: [
      { type: 'text', text: 'not ok 1 - reads YAML\nError: parse_config: unexpected token "password=hunter2hunter2"' },
    ],
  }),
  entry('e4', {
    role: 'assistant',
    content: [
      { type: 'text', text: 'The parser only knows JSON.' },
      {
        type: 'toolCall',
        id: 'c2',
        name: 'edit',
        arguments: { path: 'src/config.ts', oldText: 'JSON.parse', newText: 'YAML.parse' },
      },
    ],
  }),
  entry('e5', { role: 'toolResult', toolCallId: 'c2', toolName: 'edit', isError: false, content: 'Replaced 1 block.' }),
  entry('e6', { role: 'user', content: 'Now count the lines.' }),
  {
    ...{ type: 'compaction', id: 'e7', parentId: 'e6', summary: '## Goal\nCount the lines.', firstKeptEntryId: 'e6' },
    ...{ tokensBefore: 100, timestamp: '2026-03-24T08:07:00.000Z' },
  },
  entry('e8', { role: 'assistant', content: [{ type: 'text', text: 'parseConfig counts lines.' }] }),
]
const body = SESSION.map((line) => JSON.stringify(line)).join('\n')

t.test('/recall finds what was replaced, and says where it stood', async (t) => {
  const { recall } = await start(t)
  t.strictSame(await recall({ query: 'parseConfig yaml' }), {
    passages: [
      {
        entryIds: ['e1'],
        kind: 'request',
        kinds: ['request'],
        time: '2026-03-24T08:01:00.000Z',
        position: 'entry 1 of 8, before the 1st compaction',
        text: 'Make parseConfig read YAML. Never touch the lock file.',
        cutBefore: 0,
        cutAfter: 0,
      },
      {
        entryIds: ['e2', 'e3'],
        kind: 'failure',
        kinds: ['failure', 'call', 'output'],
        tool: 'bash',
        time: '2026-03-24T08:02:00.000Z',
        position: 'entry 2 of 8, before the 1st compaction',
        text:
          '$ npm test -- config\n\nnot ok 1 - reads YAML\n' +
          'Error: parse_config: unexpected token "password=[redacted:password]"',
        cutBefore: 0,
        cutAfter: 0,
      },
      {
        entryIds: ['e4', 'e5'],
        kind: 'edit',
        kinds: ['edit', 'call', 'output'],
        tool: 'edit',
        time: '2026-03-24T08:04:00.000Z',
        position: 'entry 4 of 8, before the 1st compaction',
        text: 'edit\npath: src/config.ts\noldText: JSON.parse\nnewText: YAML.parse\n\nReplaced 1 block.',
        cutBefore: 0,
        cutAfter: 0,
      },
      {
        entryIds: ['e4'],
        kind: 'answer',
        kinds: ['answer'],
        time: '2026-03-24T08:04:00.000Z',
        position: 'entry 4 of 8, before the 1st compaction',
        text: 'The parser only knows JSON.',
        cutBefore: 0,
        cutAfter: 0,
      },
    ],
    matches: {
      all: 2,
      some: 4,
      allByKind: { request: 1, failure: 1, output: 1 },
      someByKind: { request: 1, failure: 1, call: 2, output: 2, edit: 1, answer: 1 },
    },
    unknownTerms: [],
    scope: 'replaced',
    searched: { entries: 5 },
    truncated: false,
  })
})

t.test('what was never said is counted as none, and a part of a secret is not there', async (t) => {
  const { recall } = await start(t)
  const none = { passages: [], matches: { all: 0, some: 0, allByKind: {}, someByKind: {} } }
  t.match(await recall({ query: 'docker hunter2 "git push"', scope: 'all' }), {
    ...none,
    unknownTerms: ['docker', 'hunter2', 'git push'],
    searched: { entries: 8 },
  })
  t.match(await recall({ query: 'yaml', kinds: 'commit' }), { ...none, unknownTerms: [] })
})

t.test('a phrase narrows the search where it occurs, and hides nothing where it does not', async (t) => {
  const { recall } = await start(t)
  const search = async (query: string) => {
    const { passages, matches, unknownTerms } = (await recall({ query })) as RecallReply
    return [passages.map(({ entryIds }) => entryIds[0]), matches.all, matches.some, unknownTerms]
  }
  t.strictSame(await search('parseConfig "lock file"'), [['e1'], 1, 1, []])
  t.strictSame(await search('YAML frob "never said"'), [['e1', 'e4', 'e2'], 0, 3, ['frob', 'never said']])
  t.strictSame(await search('"lock file" "only knows"'), [['e1', 'e4'], 0, 2, []])
})

t.test('entries are returned by their ids, with their neighbours, from all of the session', async (t) => {
  const { recall } = await start(t)
  const texts = ({ passages }: { passages: { text: string }[] }) => passages.map(({ text }) => text.split('\n')[0])
  t.strictSame(texts(await recall({ entryIds: 'e8' })), ['parseConfig counts lines.'])
  t.strictSame(texts(await recall({ entryIds: 'e7', around: 1 })), [
    'Now count the lines.',
    '## Goal',
    'parseConfig counts lines.',
  ])
  t.strictSame(texts(await recall({ entryIds: 'e3' })), ['$ npm test -- config'], 'a result stands with its call')
})

t.test('filters, moments and orders choose passages', async (t) => {
  const { recall } = await start(t)
  const ids = async (query: Record<string, string | number>) =>
    (await recall({ scope: 'all', ...query })).passages.map(({ entryIds }: { entryIds: string[] }) => entryIds[0])
  t.strictSame(await ids({ kinds: 'request', order: 'oldest' }), ['e1', 'e6'])
  t.strictSame(await ids({ kinds: 'request' }), ['e6', 'e1'], 'without a query, the newest is first')
  t.strictSame(await ids({ tool: 'BASH' }), ['e2'])
  t.strictSame(await ids({ path: 'config.ts' }), ['e4'])
  t.strictSame(await ids({ query: 'parseConfig', order: 'newest' }), ['e8', 'e2', 'e1'])
  t.strictSame(await ids({ query: 'parseConfig', after: 'compaction:1' }), ['e8'])
  t.strictSame(await ids({ query: 'parseConfig', before: 'e2' }), ['e1'])
  t.strictSame(await ids({ query: 'config', after: '2026-03-24T08:01:30Z', before: '2026-03-24T08:05Z' }), ['e2', 'e4'])
})

t.test('a time without a zone is in UTC, as all times of a reply are, wherever the service runs', async (t) => {
  const zone = process.env['TZ']
  t.teardown(() => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })
  process.env['TZ'] = 'America/New_York'
  const { app, recall } = await start(t)
  const first = async (before: string) =>
    (await recall({ scope: 'all', order: 'newest', before })).passages[0].entryIds[0]
  const same = [
    '2026-03-24T08:06:00.000Z',
    '2026-03-24T08:06',
    '2026-03-24 08:06:00',
    '2026-03-24T09:06+01:00',
    '08:06:00',
  ]
  for (const time of same) t.equal(await first(time), 'e4', time)
  t.equal(await first('2026-03-25'), 'e8')
  for (const time of ['2026-03-24T08', '2026-03-24 08:00 (here)', '08:06 (here)'])
    t.match(
      (await app.inject({ method: 'POST', url: '/recall', query: { before: time }, payload: body })).json(),
      { status: 400, errors: [{ detail: /^must be an entry id, or a time such as 2026-03-24T08:00:00Z/ }] },
      time,
    )
})

t.test('what the filters leave out is not said to occur nowhere', async (t) => {
  const { recall } = await start(t)
  t.match(await recall({ query: 'lock', scope: 'all', kinds: 'edit', before: 'e6' }), {
    passages: { length: 0 },
    unknownTerms: ['lock'],
    searched: {
      entries: 8,
      note: 'Only what passes `kinds` and `before` was searched: 1 message or call. Without filters, 1 message or call has all words (request 1).',
    },
  })
  const noteOf = async (query: Record<string, string>) => ((await recall(query)) as RecallReply).searched.note
  t.equal(
    await noteOf({ query: 'parseConfig', kinds: 'commit' }),
    'No passage passes `kinds`. Without filters, 2 messages and calls have all words (request 1, failure 1, output 1).',
  )
  const onlyEdits = 'Only what passes `kinds` was searched: 1 message or call.'
  t.equal(
    await noteOf({ query: 'parser replaced docker', kinds: 'edit' }),
    `${onlyEdits} Without filters, there is "parser", "replaced".`,
  )
  t.equal(await noteOf({ query: 'docker', kinds: 'edit' }), onlyEdits, 'what is nowhere is nowhere')
  t.equal(await noteOf({ query: 'yaml', kinds: 'edit' }), onlyEdits, 'what passes has all words')
})

t.test('a call is found by what was called, and not by what it returned, however long that is', async (t) => {
  const { recall } = await start(t)
  const beyond = { all: 0, note: ' Without filters, 1 message or call has all words (output 1).' }
  for (const lines of [0, 50, 150]) {
    const session = ran('make release', `${'so many words of a report\n'.repeat(lines)}push the image: done`)
    const found = async (query: string, kinds: string) => {
      const { matches, searched } = (await recall({ query, kinds }, session)) as RecallReply
      const note = / Without filters.*/.exec(searched.note ?? '')?.[0]
      return { all: matches.all, ...(note !== undefined && { note }) }
    }
    const byKind = async (query: string) => ((await recall({ query }, session)) as RecallReply).matches.allByKind
    t.strictSame(await found('push', 'call'), beyond, `${lines}`)
    t.strictSame(await found('make push', 'call'), beyond)
    t.strictSame(await found('make push', 'output'), { all: 1 }, 'the call says what it is the output of')
    t.strictSame(await found('release', 'call'), { all: 1 })
    t.strictSame(await byKind('push'), { output: 1 })
    t.strictSame(await byKind('release'), { call: 1, output: 1 })
    const report = 'one more file\n'.repeat(lines * 2)
    const commit = ran('git commit -m Done', `[main 3f2a1bc] Done\n${report}`)
    t.match(await recall({ query: '3f2a1bc', kinds: 'commit' }, commit), { matches: { all: 1 } })
  }
})

/** A session of one call. */
const ran = (command: string, content: string): object[] => [
  { type: 'session', version: 3, id: 's1', cwd: '/app' },
  entry('e1', { role: 'assistant', content: [{ type: 'toolCall', id: 'c1', name: 'bash', arguments: { command } }] }),
  entry('e2', { role: 'toolResult', toolCallId: 'c1', toolName: 'bash', isError: false, content }),
]

t.test('pages follow each other, and a passage that is too long is cut around what matches', async (t) => {
  const { recall } = await start(t)
  const first = await recall({ query: 'yaml', maxTokens: 100 })
  t.match(first, { passages: [{ entryIds: ['e1'] }], truncated: true, nextOffset: 1 })
  t.match(await recall({ query: 'yaml', offset: 1 }), { passages: { length: 2 }, truncated: false })
  const long = `${'before '.repeat(180)}needle${' after'.repeat(30)}`
  const [passage] = (await recall({ query: 'needle', maxTokens: 100 }, [entry('e1', { role: 'user', content: long })]))
    .passages
  t.match(passage, { text: /^(?:before )+needle(?: after)+/ })
  const { cutBefore, text, cutAfter } = passage as { cutBefore: number; text: string; cutAfter: number }
  t.equal(cutBefore + text.length + cutAfter, long.length)
})

t.test('a session without a compaction is searched as a whole, and says so', async (t) => {
  const { recall } = await start(t)
  t.match(await recall({ query: 'yaml' }, SESSION.slice(0, 3)), {
    passages: [{ entryIds: ['e1'] }],
    scope: 'all',
    searched: { entries: 2, note: 'Nothing of this session was replaced yet: all of it was searched.' },
  })
})

t.test('what was said on a branch that was left is found, and labelled', async (t) => {
  const { recall } = await start(t)
  const left = { ...entry('e9', { role: 'user', content: 'Try TOML.' }), parentId: 'e1' }
  const lines = [...SESSION.slice(0, -1), left, SESSION.at(-1)]
  t.match(await recall({ query: 'toml' }, lines as object[]), {
    passages: [{ entryIds: ['e9'], position: 'entry 8 of the file, on a branch that was left' }],
  })
})

t.test('without a compaction, all branches are searched, also if one was left', async (t) => {
  const { recall } = await start(t)
  const said = (id: string, parentId: string | null, content: string) =>
    entry(id, { role: 'user', content }, { parentId })
  const lines = [said('a1', null, 'The magic is 77.'), said('a2', 'a1', 'Left.'), said('a3', 'a1', 'More magic.')]
  t.match(await recall({ query: 'magic left', order: 'oldest' }, [SESSION[0] as object, ...lines]), {
    matches: { some: 3 },
    scope: 'all',
    searched: {
      entries: 3,
      note: 'Nothing of the active branch was replaced: it and the branches that were left were searched.',
    },
  })
})

t.test(
  'the oldest first is the order of what is shown, and calls that only describe themselves otherwise are one',
  async (t) => {
    const { recall } = await start(t)
    const plan = 'Read the parser, write the tests, fix the lexer, run all checks, commit. Done'
    const ran = (id: string, parentId: string | null, args: object, output: string) => [
      entry(
        `${id}a`,
        { role: 'assistant', content: [{ type: 'toolCall', id, name: 'bash', arguments: args }] },
        { parentId },
      ),
      entry(
        `${id}r`,
        { role: 'toolResult', toolCallId: id, toolName: 'bash', isError: false, content: output },
        { parentId: `${id}a` },
      ),
    ]
    const lines = [
      ...ran('c1', null, { command: 'cat plan.md', description: 'Reads the plan' }, `${plan}: none`),
      ...ran('c2', 'c1r', { command: 'cat plan.md', workdir: '/other' }, `${plan}: none`),
      ...ran('c3', 'c2r', { command: 'cat plan.md', description: 'Reads it again' }, `${plan}: one`),
    ]
    const shown = async (order: string) =>
      ((await recall({ query: 'lexer', order }, [SESSION[0] as object, ...lines])) as RecallReply).passages.map(
        ({ entryIds, copies = [] }) => [entryIds[0], ...copies],
      )
    t.same(await shown('oldest'), [['c2a'], ['c3a', 'c1a']])
    t.same(await shown('newest'), [['c3a', 'c1a'], ['c2a']])
  },
)

t.test(
  'what OpenHands keeps beside a call of what it is for is searched and shown, and is not said twice',
  async (t) => {
    const { recall } = await start(t)
    const action = (id: string, tool_name: string, args: object, fields: object) => ({
      ...{ kind: 'ActionEvent', id, source: 'agent', thought: [], tool_name, tool_call_id: id },
      ...{ tool_call: { id, name: tool_name, arguments: JSON.stringify(args) }, ...fields },
    })
    const summary = 'Look for zebras'
    const events = [
      { kind: 'MessageEvent', id: 'm', source: 'user', llm_message: { role: 'user', content: 'Go.' } },
      action('a', 'terminal', { command: 'ls a' }, { summary }),
      action('b', 'terminal', { command: 'ls b', summary }, { summary }),
      action('c', 'file_editor', { command: 'view', path: '/c' }, { summary }),
      {
        ...action('d', 'terminal', {}, { summary }),
        tool_call: {},
        action: { kind: 'TerminalAction', command: 'ls d' },
      },
      action('e', 'terminal', { command: 'ls e' }, { summary: null }),
    ]
    const { passages } = (await recall({ query: 'zebras', order: 'oldest' }, events)) as RecallReply
    t.same(
      passages.map(({ text }) => text),
      [
        ...['$ ls a\n# Look for zebras', '$ ls b\n# Look for zebras'],
        'file_editor\ncommand: view\npath: /c\nsummary: Look for zebras',
        '$ ls d\n# Look for zebras',
      ],
    )
  },
)

t.test('what an encrypted compaction has replaced is searched, also where it is no entry', async (t) => {
  const { recall } = await start(t)
  const line = (type: string, payload: object) => ({ timestamp: '2026-03-24T08:00:00Z', type, payload })
  const said = (text: string) =>
    line('response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text }] })
  const compacted = line('compacted', {
    message: '',
    replacement_history: [{ type: 'compaction', encrypted_content: 'x' }],
  })
  const codex = [line('session_meta', { id: 's1', cwd: '/app' }), said('A zebra.'), compacted, said('Another zebra.')]
  const shown = async (query: Record<string, string>) => {
    const { passages, scope } = (await recall({ query: 'zebra', ...query }, codex)) as RecallReply
    return [scope, ...passages.map(({ text, position }) => `${text} ${position}`)]
  }
  t.strictSame(await shown({}), ['replaced', 'A zebra. entry 1 of 2, before the 1st compaction'])
  const after = 'Another zebra. entry 2 of 2, after the 1st compaction'
  t.strictSame(await shown({ scope: 'all', after: 'compaction:1' }), ['all', after])

  const opaque = { preserveData: { openaiRemoteCompaction: { items: [] } }, summary: '', firstKeptEntryId: 'e2' }
  const pi = [
    SESSION[0] as object,
    entry('e1', { role: 'user', content: 'A zebra.' }),
    entry('e2', { role: 'user', content: 'Another zebra.' }),
    { ...{ type: 'compaction', id: 'e3', parentId: 'e2', timestamp: '2026-03-24T08:07:00.000Z' }, ...opaque },
  ]
  const { scope, passages } = (await recall({ query: 'zebra' }, pi)) as RecallReply
  t.strictSame([scope, ...passages.map(({ text }) => text)], ['replaced', 'A zebra.'])
})

t.test(
  'the newest summary is searched only with the rest of what the agent sees; older ones were replaced',
  async (t) => {
    const { recall } = await start(t)
    const said = (uuid: string, parentUuid: string | null, content: string, fields = {}) => ({
      ...{
        type: 'user',
        uuid,
        parentUuid,
        isSidechain: false,
        sessionId: 's',
        cwd: '/app',
        version: '2.1.330',
        ...fields,
      },
      message: { role: 'user', content },
    })
    const compacted = (number: number, previous: string) => [
      {
        ...{ type: 'system', subtype: 'compact_boundary', uuid: `b${number}`, parentUuid: null, sessionId: 's' },
        ...{ isSidechain: false, logicalParentUuid: previous, compactMetadata: { trigger: 'manual' } },
      },
      said(`s${number}`, `b${number}`, `The zebra of summary ${number}.`, { isCompactSummary: true }),
    ]
    const claude = [
      ...[said('u1', null, 'A zebra.'), ...compacted(1, 'u1')],
      ...[said('u2', 's1', 'Another zebra.'), ...compacted(2, 'u2'), said('u3', 's2', 'The last zebra.')],
    ]
    const shown = async (session: object[], scope: string) => {
      const reply = (await recall({ query: 'zebra', scope, order: 'oldest' }, session)) as RecallReply
      return [reply.scope, reply.searched, ...reply.passages.map(({ text }) => text)]
    }
    const replaced = ['A zebra.', 'The zebra of summary 1.', 'Another zebra.']
    t.strictSame(await shown(claude, 'replaced'), ['replaced', { entries: 3 }, ...replaced])
    const seen = ['The zebra of summary 2.', 'The last zebra.']
    t.strictSame(await shown(claude, 'all'), ['all', { entries: 5 }, ...replaced, ...seen])

    const note =
      'What the summary has replaced is not in this session: only the rest was searched. Look it up in the messages as they were before the compaction.'
    t.strictSame(
      await shown(claude.slice(-3), 'replaced'),
      ['all', { entries: 2, note }, ...seen],
      'nothing stands before the summary with which a session begins',
    )
  },
)

t.test('before and after are enough to look up; a summary is neither before nor after its compaction', async (t) => {
  const { recall } = await start(t)
  const found = async (fields: Record<string, string>) => {
    const { passages } = (await recall({ scope: 'all', order: 'oldest', ...fields })) as RecallReply
    return passages.map(({ entryIds: [id], position }) => `${id}: ${position}`)
  }
  t.strictSame(await found({ after: 'compaction:1' }), ['e8: entry 8 of 8, after the 1st compaction'])
  t.strictSame(await found({ after: 'e6' }), [
    'e7: entry 7 of 8, the 1st compaction',
    'e8: entry 8 of 8, after the 1st compaction',
  ])
  t.equal((await found({ before: 'compaction:1' })).at(-1), 'e6: entry 6 of 8, before the 1st compaction')
})

t.test('a call whose output is in other passages has what came of it, if the next one is not of it', async (t) => {
  const { recall } = await start(t)
  const log = Array.from({ length: 200 }, (_, at) => `step ${at} of the build`).join('\n')
  const lines = [
    { type: 'session', version: 3, id: 's1', cwd: '/app' },
    entry('e1', { role: 'user', content: 'Build it.' }),
    entry('e2', {
      role: 'assistant',
      content: [{ type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'make' } }],
    }),
    entry('e3', { role: 'toolResult', toolCallId: 'c1', toolName: 'bash', isError: false, content: log }),
  ]
  const found = async (fields: Record<string, string>) =>
    ((await recall({ maxTokens: 50_000, ...fields }, lines)) as RecallReply).passages
  const [call, ...others] = await found({ kinds: 'call' })
  t.same(others, [])
  t.match(call, { text: '$ make', outcome: /^…\n[^]*\nstep 199 of the build$/ })
  const whole = await found({ tool: 'bash', order: 'oldest' })
  t.ok(whole.length > 2 && whole.every(({ outcome }) => outcome === undefined))
})

t.test('a request that asks for nothing, or for what is not there, is told so', async (t) => {
  const { app } = await start(t)
  const detail = async (url: string) => {
    const reply = await app.inject({
      method: 'POST',
      url,
      payload: body,
      headers: { 'content-type': 'application/x-ndjson' },
    })
    t.equal(reply.statusCode, 400)
    return reply.json().errors
  }
  t.match(await detail('/recall'), [
    {
      pointer: '/query',
      detail: 'is required, unless entryIds, kinds, tool, path, before or after say what to look up',
      parameter: 'query',
    },
  ])
  t.match(await detail(`/recall?query=${'a'.repeat(1001)}`), [
    { detail: 'must be a string of at most 1000 characters' },
  ])
  t.match(await detail(`/recall?${'entryIds=e1&'.repeat(101)}`), [{ detail: 'must be an array of at most 100 values' }])
  t.match(await detail('/recall?entryIds=e1,nope'), [{ detail: 'must be the id of an entry of the session' }])
  t.match(await detail('/recall?query=a&before=compaction:9'), [
    { detail: /^must be an entry id, or a time such as .*, or compaction:1$/ },
  ])
})

t.test('the beginning of a long id is enough, unless several ids begin so', async (t) => {
  const { app, recall } = await start(t)
  const lines = ['0199c0de-aaaa', '0199c0de-bbbb'].map((id, index) => ({
    ...{ ...entry(`e${index + 1}`, { role: 'user', content: `Needle ${index}.` }), id, parentId: null },
  }))
  const texts = ({ passages }: { passages: { text: string }[] }) => passages.map(({ text }) => text)
  t.same(texts(await recall({ entryIds: '0199c0de-b' }, lines)), ['Needle 1.'])
  t.same(texts(await recall({ query: 'needle', scope: 'all', after: '0199c0de-a' }, lines)), ['Needle 1.'])
  const reply = await app.inject({
    ...{ method: 'POST', url: '/recall?entryIds=0199c0de', headers: { 'content-type': 'application/x-ndjson' } },
    payload: lines.map((line) => JSON.stringify(line)).join('\n'),
  })
  const detail = 'begins 2 ids, such as 0199c0de-aaaa, 0199c0de-bbbb: more of the id is needed'
  t.match(reply.json().errors, [{ detail }])
})

t.test('an entry without a time is neither before nor after one', async (t) => {
  const { recall } = await start(t)
  const lines = ['2026-03-24T08:01:00.000Z', undefined, '2026-03-24T08:03:00.000Z'].map((timestamp, index) => ({
    ...{ ...entry(`e${index + 1}`, { role: 'user', content: `Needle ${'abc'.charAt(index)}.` }), timestamp },
  }))
  const ids = async (moment: object) =>
    (await recall({ query: 'needle', scope: 'all', order: 'oldest', ...moment }, lines)).passages.map(
      ({ entryIds }: { entryIds: string[] }) => entryIds[0],
    )
  t.strictSame(await ids({}), ['e1', 'e2', 'e3'])
  t.strictSame(await ids({ before: '2026-03-24T08:02Z' }), ['e1'])
  t.strictSame(await ids({ after: '2026-03-24T08:02Z' }), ['e3'])
})

t.test('a time that no date can have is left out', async (t) => {
  const { recall } = await start(t)
  const times = [1e20, -1e300, '+275760-09-13T00:00:00.001Z', 'yesterday', null]
  const lines = times.map((timestamp, index) => ({
    ...{ ...entry(`e${index + 1}`, { role: 'user', content: `Needle ${'abcde'.charAt(index)}.` }), timestamp },
  }))
  const { passages } = await recall({ query: 'needle' }, lines)
  t.same(
    passages.map(({ entryIds, time }: { entryIds: string[]; time?: string }) => [entryIds, time]),
    times.map((_time, index) => [[`e${index + 1}`], undefined]),
  )
})

t.test('ids count for the room: a reply does not repeat a long id with each part of an output', async (t) => {
  const { recall } = await start(t)
  const id = 'a long id '.repeat(500)
  const content = Array.from({ length: 2000 }, (_, index) => `needle ${index}`).join(' ')
  const lines = [{ type: 'message', id, parentId: null, message: { role: 'user', content } }]
  const { passages, nextOffset } = await recall({ query: 'needle', maxTokens: 5000 }, lines)
  t.same([passages.length, nextOffset], [2, 2])
})

t.test('a query of more words than are looked up says so, and parts of words take no place of others', async (t) => {
  const { recall } = await start(t)
  const words = Array.from({ length: 25 }, (_, index) => `readPart${'abcdefghijklmnopqrstuvwxyz'.charAt(index)}x`)
  const note = 'Nothing of this session was replaced yet: all of it was searched.'
  const find = async (query: string) =>
    recall({ query }, [entry('e1', { role: 'user', content: words.slice(1).join(' ') })])
  t.match(await find(words.slice(0, 24).join(' ')), { unknownTerms: [words[0]], searched: { note } })
  t.match(await find(words.join(' ')), {
    unknownTerms: [words[0]],
    searched: { note: `${note} Only the first 24 words and 8 phrases of the query were looked up.` },
  })
})

t.test('a query of more phrases than are looked up says so, also if it has few words', async (t) => {
  const { recall } = await start(t)
  const words = ['ant', 'bee', 'cat', 'dog']
  const phrases = words.flatMap((one) => words.filter((other) => other !== one).map((other) => `"${one} ${other}"`))
  const noteOf = async (count: number) =>
    (await recall({ query: phrases.slice(0, count).join(' ') }, [entry('e1', { role: 'user', content: 'ant bee' })]))
      .searched.note
  const note = 'Nothing of this session was replaced yet: all of it was searched.'
  t.equal(await noteOf(8), note)
  t.equal(await noteOf(9), `${note} Only the first 24 words and 8 phrases of the query were looked up.`)
})

t.test(
  'a part of an output that is cut shows what matches, however long the line is that names its call',
  async (t) => {
    const { recall } = await start(t)
    const command = `npm run check -- ${'--with-a-long-option '.repeat(7)}`
    const text = `${'before '.repeat(130)}needle${' after'.repeat(200)}`
    const lines = [
      entry('e1', {
        role: 'assistant',
        content: [{ type: 'toolCall', id: 'c', name: 'bash', arguments: { command } }],
      }),
      entry('e2', { role: 'toolResult', toolCallId: 'c', isError: false, content: [{ type: 'text', text }] }),
    ]
    const { passages } = await recall({ query: 'needle', maxTokens: 100 }, lines)
    t.equal(passages.length, 1)
    t.ok((passages[0]?.lead ?? '').length > 100)
    t.match(passages[0]?.text, /^before (?:before )+needle after/)
  },
)

t.test('lists and texts of a body that say nothing count as absent, as for the tools', async (t) => {
  const { app } = await startApp(t)
  const messages = [{ role: 'user', content: 'Read the YAML.' }]
  const post = async (fields: object) =>
    (await app.inject({ method: 'POST', url: '/recall', payload: { messages, ...fields } })).json<unknown>()
  const empty = { kinds: [], tool: '', path: '', before: '', after: '', entryIds: [] }
  const found = await post({ query: 'yaml' })
  t.match(found, { passages: { length: 1 } })
  t.same(await post({ query: 'yaml', ...empty }), found)
  t.match(await post(empty), { status: 400, errors: [{ pointer: '/query' }] })
})

async function start(t: Test) {
  const { app } = await startApp(t)
  const recall = async (query: Record<string, string | number>, lines?: readonly object[]) => {
    const reply = await app.inject({
      method: 'POST',
      url: '/recall',
      query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
      payload: lines === undefined ? body : lines.map((line) => JSON.stringify(line)).join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    t.equal(reply.statusCode, 200, reply.body.slice(0, 300))
    return reply.json()
  }
  return { app, recall }
}

t.test(
  'of entries and words together, the words are looked up in these entries only, and the note says so',
  async (t) => {
    const { recall } = await start(t)
    const reply = (await recall({ query: 'touch docker', entryIds: 'e1', around: 1 })) as RecallReply
    t.match(reply, {
      passages: [{ entryIds: ['e1'], text: /parseConfig/ }],
      unknownTerms: ['docker'],
      searched: { note: 'Only what passes `entryIds` was searched: 3 messages and calls.' },
    })
    t.equal(reply.passages.length, 1)
    t.equal((await recall({ entryIds: 'e1' })).searched.note, undefined)
  },
)

t.test('a page after the last one says so, and neighbours of nothing are refused', async (t) => {
  const { app, recall } = await start(t)
  t.match(await recall({ query: 'yaml', offset: 7 }), {
    passages: [],
    truncated: false,
    searched: { note: 'This look-up finds only 3 passages: lower `offset`.' },
  })
  const headers = { 'content-type': 'application/x-ndjson' }
  const refused = await app.inject({
    method: 'POST',
    url: '/recall?query=yaml&around=2',
    headers,
    payload: body,
  })
  t.match(refused.json(), {
    status: 400,
    errors: [{ parameter: 'around', detail: 'is only for entryIds: it adds the entries before and after them' }],
  })
})

t.test('a transcript is searched too, and a summary at its beginning is not what the user said', async (t) => {
  const { app } = await startApp(t)
  const post = async (payload: object) =>
    (await app.inject({ method: 'POST', url: '/recall', payload })).json<RecallReply & { status?: number }>()
  const conversation =
    '[User]: Fix the parser.\n\n[Assistant tool calls]: edit(path="src/parser.ts")\n\n[Tool result]: ok\n\n[Assistant]: The parser is fixed.'
  const { passages, searched, scope } = await post({ conversation, query: 'parser', order: 'oldest' })
  t.same(
    passages.map(({ entryIds, kind, position }) => [entryIds, kind, position]),
    [
      [['c0'], 'request', 'entry 1 of 4'],
      [['c1', 'c2'], 'edit', 'entry 2 of 4'],
      [['c3'], 'answer', 'entry 4 of 4'],
    ],
  )
  t.same([searched.entries, scope], [4, 'all'])
  t.match((await post({ conversation, entryIds: ['c3'] })).passages, [{ text: 'The parser is fixed.' }])
  t.match(await post({ conversation }), { status: 400, errors: [{ pointer: '/query' }] })
  const summary =
    '[User]: The conversation history before this point was compacted into the following summary:\n\n<summary>\n## Goal\nThe lexer.\n</summary>'
  t.match(await post({ conversation: `${summary}\n\n${conversation}`, query: 'lexer', scope: 'all' }), {
    passages: [{ kind: 'summary', entryIds: ['summary'] }],
  })
})

t.test('an id with a secret is not in a reply, and its entry can be looked up by another name', async (t) => {
  const { app } = await startApp(t)
  const key = `sk-ant-api03-${'Ab1'.repeat(31)}AA`
  const session = [
    { type: 'session', version: 3, id: 's1', cwd: '/app' },
    { type: 'message', id: 'u1', parentId: null, message: { role: 'user', content: 'The first request.' } },
    { type: 'message', id: key, parentId: 'u1', message: { role: 'user', content: 'The second request.' } },
    { type: 'message', id: `x/${key}`, parentId: key, message: { role: 'user', content: 'The second request.' } },
    { type: 'message', id: 'redacted-id-2', parentId: `x/${key}`, message: { role: 'user', content: 'The last one.' } },
  ]
  const recall = async (query: Record<string, string>) => {
    const reply = await app.inject({
      method: 'POST',
      url: '/recall',
      query,
      headers: { 'content-type': 'text/plain' },
      payload: session.map((line) => JSON.stringify(line)).join('\n'),
    })
    t.notMatch(reply.body, 'sk-ant')
    return reply.json<RecallReply & { errors?: unknown }>()
  }
  const idsOf = async (query: Record<string, string>) =>
    (await recall(query)).passages.map(({ entryIds, copies = [] }) => [...entryIds, ...copies])
  t.same(await idsOf({ query: 'second request' }), [['redacted-id-3', 'redacted-id-2'], ['u1']])
  t.same(await idsOf({ entryIds: 'redacted-id-2' }), [['redacted-id-2']])
  t.same(await idsOf({ entryIds: 'redacted-id-4' }), [['redacted-id-4']])
  t.match((await recall({ entryIds: 'redacted-id-2' })).passages, [{ text: 'The second request.' }])
  t.same(await idsOf({ entryIds: key }), [['redacted-id-2']], 'who has the whole id may use it')
  t.same(await idsOf({ query: 'request', before: 'redacted-id-2', scope: 'all' }), [['u1']])
  t.match(
    await recall({ entryIds: key.slice(0, 20) }),
    { status: 400, errors: [{ detail: 'must be the id of an entry of the session' }] },
    'a beginning would tell whether a guess is right',
  )
})
