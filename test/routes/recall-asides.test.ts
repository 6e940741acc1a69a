import t, { type Test } from 'tap'
import type { RecallReply } from '../../src/schemas/recall.ts'
import { readSession } from '../support/read-session.ts'
import { startApp } from '../support/start-app.ts'

/** A session of Claude Code with lines that belong to no turn: each follows the one before. */
const SESSION = readSession('asides')

async function start(t: Test) {
  const { app } = await startApp(t)
  const post = async (url: string) => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const reply = await app.inject({ method: 'POST', url, payload: SESSION, headers })
    t.equal(reply.statusCode, 200, reply.body.slice(0, 300))
    return reply.json<unknown>()
  }
  const found = async (query: string) => {
    const { passages, unknownTerms } = (await post(`/recall?query=${query}`)) as RecallReply
    return passages.length === 0
      ? unknownTerms
      : passages.map((one) => [one.kinds.join(), one.entryIds.join(), one.text])
  }
  return { post, found }
}

t.test(
  'what a client of Claude Code shows to the model beside the messages is found, and never as words of the user',
  async (t) => {
    const { found } = await start(t)
    const cases: Record<string, unknown> = {
      walrus: [['output', 'u0', '[File: /app/zebra.py]\nwalrus = 7']],
      heron: [['output', 'u0', '<system-reminder>A heron day</system-reminder>']],
      osprey: [['output', 'u0', '<local-command-stdout>osprey: 3 of 4</local-command-stdout>']],
      plover: [['output', 'u0', '<system-reminder>Mind the plover.</system-reminder>']],
      curlew: [['output', 'u6', '<system-reminder>Mind the curlew.</system-reminder>']],
    }
    for (const [query, expected] of Object.entries(cases)) t.strictSame(await found(query), expected)
    t.strictSame(await found('gannet'), ['gannet'], 'counters are left out')
    t.strictSame(await found('dunlin'), ['dunlin'], 'what no model has seen is left out')
  },
)

t.test('calls of sub-agents in progress lines are found with their results, and their words as a note', async (t) => {
  const { found } = await start(t)
  const call = [['call,output', 'u6', '$ ls bittern\n# Lists the egret\n\none lapwing']]
  for (const query of ['bittern', 'egret', 'lapwing']) t.strictSame(await found(query), call)
  t.strictSame(await found('avocet'), [['output', 'u6', '[Sub-agent]\nI look for the avocet.']])
})

t.test('such texts are not in the context', async (t) => {
  const { post } = await start(t)
  const said = (text: string) => ({ role: 'user', content: [{ type: 'text', text }] })
  const { messages } = (await post('/context')) as { messages: unknown }
  t.strictSame(messages, [said('Read the config.'), said('Go on.')])
})

t.test('side chains are found, whether the agent sees what is around them or not, and are labelled', async (t) => {
  const { app } = await startApp(t)
  let parentUuid: string | null = null
  const line = (uuid: string, type: string, content: unknown, fields: object = {}) => {
    const made = { parentUuid, isSidechain: false, sessionId: 's', version: '1.0.98', uuid, type, ...fields }
    if (!('isSidechain' in fields)) parentUuid = uuid
    return JSON.stringify({ ...made, message: { role: type, id: uuid, content } })
  }
  const side = { isSidechain: true }
  const lines = [
    line('u0', 'user', 'Please look.'),
    line('a0', 'assistant', [{ type: 'tool_use', id: 't1', name: 'Task', input: { prompt: 'Search.' } }]),
    line('s0', 'user', 'Search the gannets.', { ...side, parentUuid: null }),
    line('s1', 'assistant', [{ type: 'tool_use', id: 't2', name: 'Bash', input: { command: 'npm run zebra' } }], side),
    line('s2', 'user', [{ type: 'tool_result', tool_use_id: 't2', content: 'zebra: not found', is_error: true }], side),
    line('s3', 'assistant', [{ type: 'thinking', thinking: 'A quagga, then.', signature: 'x' }], side),
    line('r0', 'user', [{ type: 'tool_result', tool_use_id: 't1', content: 'It is broken.' }]),
    line('a1', 'assistant', [{ type: 'text', text: 'Ok.' }]),
  ]
  const search = async (body: readonly string[], query: string) => {
    const headers = { 'content-type': 'application/x-ndjson' }
    const reply = await app.inject({
      method: 'POST',
      url: `/recall?scope=replaced&query=${query}`,
      payload: `${body.join('\n')}\n`,
      headers,
    })
    const { passages, unknownTerms } = reply.json<RecallReply>()
    return { unknownTerms, passages: passages.map(({ kinds, position, text }) => [kinds.join(), position, text]) }
  }
  const call = ['failure,call,output', 'entry 2 of 4, in a side chain', '$ npm run zebra\n\nzebra: not found']
  const task = ['output', 'entry 2 of 4, in a side chain', '[Sub-agent]\nSearch the gannets.']
  t.same(await search(lines, 'zebra'), { unknownTerms: [], passages: [call] })
  t.same(await search(lines, 'gannets'), { unknownTerms: [], passages: [task] })
  const thought = ['thinking', 'entry 2 of 4, in a side chain', 'A quagga, then.']
  t.same(await search(lines, 'quagga'), { unknownTerms: [], passages: [thought] })
  const boundary = { type: 'system', subtype: 'compact_boundary', uuid: 'b', parentUuid: null, logicalParentUuid: null }
  const compacted = [
    JSON.stringify({ isSidechain: false, sessionId: 's', ...boundary }),
    line('c', 'user', 'This session is being continued from a previous conversation.\n\nSummary:\nNone.', {
      ...{ parentUuid: 'b', isCompactSummary: true },
    }),
    ...lines.map((one) => one.replace('"parentUuid":null,"isSidechain":false', '"parentUuid":"c","isSidechain":false')),
  ]
  t.same((await search(compacted, 'zebra')).passages.length, 1, 'the agent sees what is around the side chain')
})

t.test('where sub-agents were called, a search says that sessions of their own were not read', async (t) => {
  const { app } = await startApp(t)
  const noteOf = async (tool: string, fields: object) => {
    const calls = [{ type: 'tool_use', id: 't1', name: tool, input: { prompt: 'Search.' } }]
    const messages = [
      { role: 'user', content: 'Please look.' },
      { role: 'assistant', content: calls },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'It is broken.' }] },
    ]
    const reply = await app.inject({ method: 'POST', url: '/recall', payload: { messages, ...fields } })
    return reply.json<RecallReply>().searched.note
  }
  const all = 'Nothing of this session was replaced yet: all of it was searched.'
  const subAgents =
    'Of the work of sub-agents, only what this session has was searched: sessions of their own were not read.'
  for (const tool of ['Task', 'Agent', 'task'])
    t.equal(await noteOf(tool, { query: 'zebra' }), `${all} ${subAgents}`, tool)
  t.equal(await noteOf('TaskCreate', { query: 'zebra' }), all)
  t.equal(await noteOf('Task', { entryIds: ['item:2'] }), undefined, 'entries that are shown are not searched')
})

t.test('instructions, refusals and reasoning of a chat are found, and never as words of the user', async (t) => {
  const { app } = await startApp(t)
  const messages = [
    { role: 'system', content: 'Alpha rules.' },
    { role: 'user', content: 'Do it.' },
    { role: 'assistant', content: null, refusal: 'Gamma is refused.' },
    { role: 'developer', content: [{ type: 'text', text: 'Beta rules, password=hunter2hunter2.' }] },
    { role: 'user', content: 'Go on.' },
    {
      role: 'assistant',
      content: [{ type: 'refusal', refusal: 'Zeta is refused.' }],
      reasoning_content: 'An epsilon.',
    },
    { role: 'assistant', content: 'Done.', reasoning: 'An omega.' },
    { role: 'system', content: 'Hidden theta.', excludeFromContext: true },
    { role: 'user', content: 'Thanks.' },
  ]
  const find = async (query: string, url = '/recall') => {
    const reply = await app.inject({ method: 'POST', url, payload: { messages, query } })
    const { passages, unknownTerms } = reply.json<RecallReply>()
    return passages.length === 0
      ? unknownTerms
      : passages.map((one) => [one.kinds.join(), one.entryIds.join(), one.text])
  }
  t.same(await find('alpha'), [['output', 'm0', '[System]\nAlpha rules.']])
  t.same(await find('gamma'), [['answer', 'm2', 'Gamma is refused.']])
  t.same(await find('beta'), [['output', 'm3', '[Developer]\nBeta rules, password=[redacted:password].']])
  t.same(await find('zeta'), [['answer', 'm5', 'Zeta is refused.']])
  t.same(await find('epsilon'), [['thinking', 'm5', 'An epsilon.']])
  t.same(await find('omega'), [['thinking', 'm6', 'An omega.']])
  t.same(await find('theta'), ['theta'])
})

t.test('system steps of a trajectory are found, and are in no context', async (t) => {
  const { app } = await startApp(t)
  const steps = [
    { step_id: 1, source: 'system', message: 'Alpha rules.' },
    { step_id: 2, source: 'user', message: 'Do it.' },
    { step_id: 3, source: 'agent', message: 'Done.' },
    { step_id: 4, source: 'system', message: 'A beta notice.', observation: { results: [{ content: 'Gamma seen.' }] } },
  ]
  const payload = { schema_version: 'ATIF-v1.6', session_id: 's', agent: { name: 'a' }, steps }
  const post = async (url: string) => (await app.inject({ method: 'POST', url, payload })).json<unknown>()
  const find = async (query: string) =>
    ((await post(`/recall?query=${query}`)) as RecallReply).passages.map((one) => [
      one.kinds.join(),
      one.entryIds.join(),
      one.text,
    ])
  t.same(await find('alpha'), [['output', '2', '[System]\nAlpha rules.']])
  const notice = [['output', '3', '[System]\nA beta notice.\nGamma seen.']]
  for (const query of ['beta', 'gamma']) t.same(await find(query), notice)
  const { messages } = (await post('/context')) as { messages: { role: string }[] }
  t.same(
    messages.map(({ role }) => role),
    ['user', 'assistant'],
  )
})
