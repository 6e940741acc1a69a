import t from 'tap'
import { asLines } from '../support/read-document.ts'
import { startApp } from '../support/start-app.ts'
import { post } from '../support/write-back.ts'

const LONG = 'Lorem ipsum dolor sit amet, consectetur adipiscing elit. '.repeat(20)
const TURNS = [0, 1, 2, 3, 4, 5, 6, 7]
/** Older turns are long, so that a compaction saves something. */
const words = (name: string, turn: number): string => `${name}${turn} ${turn < 5 ? LONG : 'It must skip empty rows.'}`

interface Fields {
  [name: string]: unknown
}

const { app } = await startApp(t)

/** Returns the answer to a request whose compaction keeps the two newest turns. */
function request(document: string) {
  const url = '/compaction?reply=native&summary=SUMMARY&keepRecentTokens=35'
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return app.inject({ method: 'POST', url, headers, payload: document })
}

/** Returns the session with its compaction. */
async function writeBack(document: string): Promise<string> {
  const reply = await request(document)
  if (reply.statusCode !== 200) throw new Error(reply.body)
  return reply.headers['x-precis-native'] === 'append' ? document + reply.body : reply.body
}

const problemOf = async (document: string): Promise<unknown> => (await request(document)).json()

/** Returns the first word of each message of the context. */
async function contextOf(document: string): Promise<string> {
  const { messages } = (await post(app, '/context', document)).json<{ messages: { content: { text: string }[] }[] }>()
  return messages.map(({ content }) => content.map(({ text }) => /^\w\d|SUMMARY/.exec(text)?.[0]).join('+')).join(' ')
}

const contextAfter = async (document: string): Promise<string> => contextOf(await writeBack(document))

function claudeCode(): Fields[] {
  const lines: Fields[] = []
  for (const turn of TURNS)
    for (const type of ['user', 'assistant']) {
      const text = words(type === 'user' ? 'Q' : 'A', turn)
      const message = { role: type, content: type === 'user' ? text : [{ type: 'text', text }] }
      lines.push({
        ...{ parentUuid: lines.at(-1)?.['uuid'] ?? null, isSidechain: false, type, uuid: `${type[0]}${turn}` },
        ...{ message: type === 'user' ? message : { id: `m${turn}`, ...message }, sessionId: 's', cwd: '/w' },
      })
    }
  return lines
}

t.test('Claude Code: a line that stands twice does not hide the messages that a compaction keeps', async (t) => {
  const lines = claudeCode()
  const [a1 = {}, q6 = {}, a6 = {}] = [lines[3], lines[12], lines[13]]
  const side = { ...a1, uuid: 'side', parentUuid: null, isSidechain: true }
  for (const [name, session] of Object.entries<Fields[]>({
    'no line twice': lines,
    'a covered line': [...lines, a1],
    'a kept line': [...lines, q6],
    'many lines': [...lines, ...lines.slice(0, 6)],
    'an answer twice in a row': [...lines.slice(0, 14), a6, ...lines.slice(14)],
    'a line with the id of a covered one at the end': [...lines, { ...a1, parentUuid: 'a7' }],
    'a side chain at the end': [...lines, side],
    'a covered line that was moved to the end': [...lines.toSpliced(3, 1), a1],
    'a kept line that was moved to the end': [...lines.toSpliced(12, 1), q6],
    'a kept line before the others': [
      ...lines.slice(0, 12),
      ...lines.slice(14, 15),
      ...lines.slice(12, 14),
      ...lines.slice(15),
    ],
  })) {
    const document = `${asLines(session)}\n`
    const written = await writeBack(document)
    t.equal(await contextOf(written), 'SUMMARY Q6 A6 Q7 A7', name)
    const added = written.slice(document.length).trim().split('\n')
    const [boundary, summary] = added.map((line) => JSON.parse(line) as Fields)
    t.equal(boundary?.['logicalParentUuid'], 'a7', `${name}: the compaction follows the newest message`)
    const next = { ...q6, uuid: 'u8', parentUuid: summary?.['uuid'], message: { role: 'user', content: 'Q8' } }
    t.equal(await contextOf(`${written}${asLines([next])}\n`), 'SUMMARY Q6 A6 Q7 A7 Q8', `${name}, continued`)
  }
})

/** A turn whose answer stands on three lines, with a result between them; it follows the other turns. */
function linesOfAnswer(): Fields[] {
  const common = { isSidechain: false, sessionId: 's', cwd: '/w' }
  const part = (uuid: string, parentUuid: string, id: string, block: object) => ({
    ...{ ...common, type: 'assistant', uuid, parentUuid },
    message: { role: 'assistant', id, content: [block] },
  })
  const user = (uuid: string, parentUuid: string, content: unknown) => ({
    ...{ ...common, type: 'user', uuid, parentUuid },
    message: { role: 'user', content },
  })
  const result = (id: string) => [{ type: 'tool_result', tool_use_id: id, content: `R${id.slice(1)}` }]
  return [
    user('u8', 'a7', 'Q8'),
    part('t', 'u8', 'm8', { type: 'text', text: 'A8' }),
    part('c1', 't', 'm8', { type: 'tool_use', id: 'C1', name: 'Read', input: {} }),
    user('r1', 'c1', result('C1')),
    part('c2', 'c1', 'm8', { type: 'tool_use', id: 'C2', name: 'Bash', input: {} }),
    user('r2', 'c2', result('C2')),
    part('a9', 'r2', 'm9', { type: 'text', text: 'A9' }),
  ]
}

const timed = (lines: readonly Fields[]): Fields[] =>
  lines.map((line, at) => ({ ...line, timestamp: new Date(Date.UTC(2026, 5, 1, 0, at)).toISOString() }))

/** Returns the texts, calls and results of the context. */
async function partsOf(document: string): Promise<string> {
  const { messages } = (await post(app, '/context', document)).json<{ messages: { content: Fields[] }[] }>()
  const nameOf = ({ text, id }: Fields): unknown => (typeof text === 'string' ? /^[A-Z]\d|SUMMARY/.exec(text)?.[0] : id)
  return messages.map(({ content }) => content.map(nameOf).join('+')).join(' ')
}

const KEPT = 'Q7 A7 Q8 A8+C1+C2 R1 R2 A9'

t.test('Claude Code: a line of an answer that stands elsewhere takes nothing out of a compaction', async (t) => {
  const lines = timed([...claudeCode(), ...linesOfAnswer()])
  const names = ['t', 'c1', 'c2']
  for (const name of ['none', ...names])
    for (const to of name === 'none' ? [0] : [0, 3, 15, 16, 17, 18, 19, 20, 21, 22]) {
      const at = lines.findIndex(({ uuid }) => uuid === name)
      const moved = at < 0 ? lines : lines.toSpliced(at, 1).toSpliced(to, 0, lines[at] ?? {})
      const document = `${asLines(moved)}\n`
      const url = '/compaction?reply=native&summary=SUMMARY&keepRecentTokens=35'
      const { body } = await post(app, url, document)
      t.equal(await partsOf(document + body), `SUMMARY ${KEPT}`, `${name} at ${to}`)
      const [boundary] = body.split('\n').map((line) => (line === '' ? {} : (JSON.parse(line) as Fields)))
      const expected = ['u7', 'a7', 'u8', 't', 'c1', 'r1', 'c2', 'r2', 'a9']
      const { preservedMessages } = boundary?.['compactMetadata'] as { preservedMessages: { uuids: string[] } }
      t.strictSame(
        preservedMessages.uuids.filter((id) => !id.startsWith('r')),
        expected.filter((id) => !id.startsWith('r')),
        `${name} at ${to}: the client reads its lines in their order`,
      )
    }
})

t.test('Claude Code: a kept line behind its compaction is kept', async (t) => {
  const session = timed([...claudeCode(), ...linesOfAnswer()])
  const url = '/compaction?reply=native&summary=SUMMARY&keepRecentTokens=35'
  const compaction = (await post(app, url, `${asLines(session)}\n`)).body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Fields)
  const [q0 = {}] = claudeCode()
  // The client continues after the summary or, if it was not ended, after the newest kept line.
  for (const parentUuid of [compaction[1]?.['uuid'], 'a9']) {
    const next = { ...q0, uuid: 'u10', parentUuid, message: { role: 'user', content: 'Q9' } }
    const lines = [...session, ...compaction, { ...next, timestamp: '2100-01-01T00:00:00.000Z' }]
    for (const [at, { uuid }] of lines.entries())
      for (const to of at < 14 || at > 22 || uuid === 'r1' ? [at] : [23, 24, 25]) {
        const [line = {}] = lines.slice(at)
        const moved = lines.toSpliced(at, 1).toSpliced(to, 0, line)
        t.equal(await partsOf(`${asLines(moved)}\n`), `SUMMARY ${KEPT} Q9`, `${String(uuid)} at ${to}`)
      }
  }
})

t.test('Claude Code: a second compaction keeps messages before the first one, but not its summary', async (t) => {
  const first = await writeBack(`${asLines(claudeCode())}\n`)
  const summary = first.trim().split('\n').at(-1) ?? ''
  const { uuid: parentUuid } = JSON.parse(summary) as Fields
  const [q0 = {}, a0 = {}] = claudeCode()
  const turn = [
    { ...q0, uuid: 'u8', parentUuid, message: { role: 'user', content: 'Q8' } },
    {
      ...a0,
      uuid: 'a8',
      parentUuid: 'u8',
      message: { role: 'assistant', id: 'm8', content: [{ type: 'text', text: 'A8' }] },
    },
  ]
  const document = `${first}${asLines(turn)}\n`
  const url = '/compaction?reply=native&summary=S&keepRecentTokens=25'
  const { body } = await post(app, url, document)
  const [boundary] = body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { compactMetadata: Fields })
  t.match(boundary?.compactMetadata['preservedMessages'], { uuids: ['u7', 'a7', 'u8', 'a8'] })
})

/** Lines of Qwen Code, from a turn on. */
function qwen(turns: readonly number[] = TURNS, parentUuid: unknown = null): Fields[] {
  const lines: Fields[] = []
  for (const turn of turns)
    for (const type of ['user', 'assistant'])
      lines.push({
        ...{
          uuid: `${type[0]}${turn}`,
          parentUuid: lines.at(-1)?.['uuid'] ?? parentUuid,
          sessionId: 's',
          cwd: '/w',
          type,
        },
        message: {
          role: type === 'user' ? 'user' : 'model',
          parts: [{ text: words(type === 'user' ? 'Q' : 'A', turn) }],
        },
      })
  return lines
}

t.test('Qwen Code: a second compaction keeps only the end of the history that the first one has kept', async (t) => {
  const first = await writeBack(`${asLines(qwen())}\n`)
  t.equal(await contextOf(first), 'SUMMARY Q6 A6 Q7 A7')
  const { uuid } = JSON.parse(first.trim().split('\n').at(-1) ?? '') as Fields
  const document = `${first}${asLines(qwen([8], uuid))}\n`
  const url = '/compaction?reply=native&summary=SUMMARY&keepRecentTokens=35'
  const { body } = await post(app, url, document)
  t.equal(await contextOf(document + body), 'SUMMARY Q7 A7 Q8 A8')
})

t.test(
  'Qwen Code: an answer before the line that it follows is kept, also if the last line is bookkeeping',
  async (t) => {
    const lines = qwen()
    const telemetry = { uuid: 'end', parentUuid: 'a7', type: 'system', subtype: 'ui_telemetry', sessionId: 's' }
    const session = [...lines.slice(0, 14), ...lines.slice(14).reverse(), telemetry]
    const document = `${asLines(session)}\n`
    t.equal(await contextAfter(document), 'SUMMARY Q6 A6 Q7 A7')
  },
)

t.test(
  'Claude Code and Qwen Code: the compaction of an older branch follows its leaf, not what was written after it',
  async (t) => {
    const url = '/compaction?reply=native&summary=SUMMARY&keepRecentTokens=35&leafId=a6'
    const parents: unknown[] = []
    for (const lines of [claudeCode(), qwen()]) {
      const { body } = await post(app, url, `${asLines(lines)}\n`)
      const { parentUuid, logicalParentUuid } = JSON.parse(body.split('\n', 1)[0] ?? '') as Fields
      parents.push(logicalParentUuid ?? parentUuid)
    }
    t.strictSame(parents, ['a6', 'a6'])
  },
)

t.test('Gemini: a kept record without an id is written back with one', async (t) => {
  const header = { sessionId: 's', projectHash: 'h', kind: 'main' }
  const records = TURNS.flatMap((turn) => [
    { id: `u${turn}`, type: 'user', content: [{ text: words('Q', turn) }] },
    { id: `g${turn}`, type: 'gemini', content: words('A', turn) },
  ])
  const expected = 'SUMMARY Q6 A6 Q7 A7'
  for (const [without, id] of [[[]], [[14]], [[12, 14]], [[12, 13, 14, 15]], [[12, 14], '']] as const) {
    const some = records.map((record, at) => (without.some((one) => one === at) ? { ...record, id } : record))
    for (const document of [`${asLines([header, ...some])}\n`, JSON.stringify({ ...header, messages: some })]) {
      const written = await writeBack(document)
      t.equal(await contextOf(written), expected, without.join())
      const list = written.startsWith('{"sessionId":"s","projectHash":"h","kind":"main","messages"')
        ? written
        : JSON.stringify((JSON.parse(written.trim().split('\n').at(-1) ?? '') as Fields)['$set'])
      const ids = (JSON.parse(list) as { messages: Fields[] }).messages.map(({ id }) => id)
      t.strictSame(
        [new Set(ids).size, ids.every((id) => typeof id === 'string' && id !== '')],
        [6, true],
        'each has its own id',
      )
    }
  }
})

/** Events of OpenHands' SDK, without the instructions. */
const events = (): Fields[] =>
  TURNS.flatMap((turn) =>
    ['user', 'assistant'].map((role) => ({
      ...{ kind: 'MessageEvent', id: `${role[0]}${turn}`, source: role === 'user' ? 'user' : 'agent' },
      llm_message: { role, content: [{ type: 'text', text: words(role === 'user' ? 'Q' : 'A', turn) }] },
    })),
  )

t.test('OpenHands: events that it could not forget one by one are a problem that says what to do', async (t) => {
  const list = events()
  const [first = {}, q6 = {}, a6 = {}] = [list[0], list[12], list[13]]
  t.equal(await contextAfter(`${asLines(list)}\n`), 'SUMMARY Q6 A6 Q7 A7')
  t.equal(
    await contextAfter(`${asLines([...list.slice(0, 3), first, ...list.slice(3)])}\n`),
    'SUMMARY Q6 A6 Q7 A7',
    'both are covered',
  )
  const nameless = [...list.slice(0, 13), { ...a6, id: undefined }, ...list.slice(14)]
  t.equal(await contextAfter(`${asLines(nameless)}\n`), 'SUMMARY Q6 A6 Q7 A7', 'a kept one needs no id')
  t.match(await problemOf(`${asLines([{ ...first, id: undefined }, ...list.slice(1)])}\n`), {
    type: 'urn:precis:problem:no-native-form',
    detail: /Event 1 has no `id`.*Give the event an id/,
  })
  t.match(await problemOf(`${asLines([...list, { ...q6, id: 'u0' }])}\n`), {
    detail: /Two events have the `id` "u0".*Remove the repeated event/,
  })
})

/** Events of OpenHands 0.x, without the instructions. */
const eventsV0 = (): Fields[] =>
  TURNS.flatMap((turn) =>
    ['user', 'agent'].map((source, at) => ({
      ...{ id: 2 * turn + at + 1, timestamp: '2026-01-01T00:00:00', source, action: 'message' },
      args: { content: words(source === 'user' ? 'Q' : 'A', turn) },
    })),
  )

t.test('OpenHands: instructions with the id of a covered event are not forgotten with it', async (t) => {
  const systemPrompt = {
    kind: 'SystemPromptEvent',
    source: 'agent',
    system_prompt: { type: 'text', text: 'Be brief.' },
  }
  const systemMessage = {
    ...{ kind: 'MessageEvent', source: 'agent' },
    llm_message: { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
  }
  const [list, listV0] = [events(), eventsV0()]
  const systemV0 = { source: 'agent', action: 'system', args: { content: 'Be brief.' } }
  const problem = (id: string) => ({
    ...{ status: 422, type: 'urn:precis:problem:no-native-form' },
    detail: new RegExp(`Two events have the \`id\` ${id}.*although one is to be kept.*give it an id of its own`),
  })
  for (const system of [systemPrompt, systemMessage]) {
    const written = await writeBack(`${asLines([{ ...system, id: 'own' }, ...list])}\n`)
    t.match(JSON.parse(written.trim().split('\n').at(-1) ?? ''), { summary_offset: 1 }, 'with an id of its own')
    t.match(await problemOf(`${asLines([{ ...system, id: 'u1' }, ...list])}\n`), problem('"u1"'), 'before it')
    t.match(await problemOf(`${asLines([...list, { ...system, id: 'u1' }])}\n`), problem('"u1"'), 'after it')
  }
  const writtenV0 = JSON.parse(await writeBack(JSON.stringify([{ ...systemV0, id: 0 }, ...listV0]))) as Fields[]
  t.match(writtenV0.at(-1), { action: 'condensation', args: { summary_offset: 1 } })
  t.match(await problemOf(JSON.stringify([{ ...systemV0, id: 3 }, ...listV0])), problem('"3"'))
})

t.test('OpenHands: a second condensation forgets the first summary, wherever it stands', async (t) => {
  const list = events()
  // The first condensation has kept the first message and the newest two turns, which stand before it.
  const ids = list.slice(1, 10).map(({ id }) => id)
  const condensation = {
    ...{ kind: 'Condensation', id: 'c1', source: 'environment', forgotten_event_ids: ids, summary: 'OLD' },
    ...{ summary_offset: 1, llm_response_id: 'r1' },
  }
  const document = `${asLines([...list, condensation])}\n`
  const written = await writeBack(document)
  const { forgotten_event_ids: forgotten } = JSON.parse(written.slice(document.length)) as {
    forgotten_event_ids: string[]
  }
  t.strictSame(forgotten, [...list.slice(0, 12).map(({ id }) => id), 'c1-summary'])
})

const opencode = () =>
  TURNS.flatMap((turn) =>
    ['user', 'assistant'].map((role, at) => ({
      info: { id: `msg_1ff5b0b180${turn}${at}abcdefghijklmn`, sessionID: 'ses_1', role, finish: 'stop' },
      parts: [{ type: 'text', text: words(role === 'user' ? 'Q' : 'A', turn) }],
    })),
  )

t.test('opencode: a compaction sorts after every message, also after one of a clock that was ahead', async (t) => {
  const ahead = 'msg_fff000000000abcdefghijklmn'
  const messages = opencode().map((message, at) =>
    at === 3 ? { ...message, info: { ...message.info, id: ahead } } : message,
  )
  const written = await writeBack(JSON.stringify({ info: { id: 'ses_1', directory: '/w' }, messages }))
  const ids = (JSON.parse(written) as { messages: { info: { id: string } }[] }).messages.map(({ info }) => info.id)
  t.equal(ids.length, messages.length + 2)
  t.strictSame(ids.toSorted().slice(-3), [ahead, ...ids.slice(-2)])
})

t.test('opencode: with a pending undo, the problem says how to end it', async (t) => {
  const list = opencode()
  const info = { id: 'ses_1', directory: '/w' }
  t.equal(await contextAfter(JSON.stringify({ info, messages: list })), 'SUMMARY Q6 A6 Q7 A7')
  const undone = { ...info, revert: { messageID: list[14]?.info.id } }
  t.match(await problemOf(JSON.stringify({ info: undone, messages: list })), {
    ...{ status: 422, type: 'urn:precis:problem:no-native-form' },
    detail: /`\/undo`.*Run `\/redo` in opencode, or write the next prompt first/,
  })
  const nameless = list.map((message, at) =>
    at === 12 ? { ...message, info: { ...message.info, id: undefined } } : message,
  )
  t.match(await problemOf(JSON.stringify({ info, messages: nameless })), {
    detail: /Message 13.*has no `info.id`/,
  })
  const repeated = list.map((message, at) => (at === 12 ? { ...message, info: { ...list[2]?.info } } : message))
  t.match(await problemOf(JSON.stringify({ info, messages: repeated })), {
    detail: /Message 13.*has no `info.id` of its own/,
  })
  const withoutAnswers = list.filter(({ info: { role } }) => role === 'user')
  t.match(await problemOf(JSON.stringify({ info, messages: withoutAnswers })), {
    type: 'urn:precis:problem:no-native-form',
    detail: /cannot be written back into this session of the format opencode\. Ask for the JSON reply/,
  })
})

t.test('Codex: a line without an item does not break the history of the compaction', async (t) => {
  const item = (role: string, text: string): Fields => ({
    ...{ timestamp: '2026-01-01T00:00:00Z', type: 'response_item' },
    payload: { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] },
  })
  const turns = TURNS.flatMap((turn) => [item('user', words('Q', turn)), item('assistant', words('A', turn))])
  for (const payload of [{}, { payload: null }, { payload: 'x' }, { payload: [] }]) {
    const broken = { timestamp: '2026-01-01T00:00:00Z', type: 'response_item', ...payload }
    const meta = { timestamp: '2026-01-01T00:00:00Z', type: 'session_meta', payload: { id: 's', cwd: '/w' } }
    const session = asLines([meta, ...turns.slice(0, 13), broken, ...turns.slice(13)])
    t.equal(await contextAfter(session), 'SUMMARY Q6 A6 Q7 A7')
  }
})
