import { readFileSync } from 'node:fs'
import t from 'tap'
import { SESSIONS } from '../support/agent-sessions.ts'
import { startApp } from '../support/start-app.ts'

type Fields = Record<string, unknown>

const { app } = await startApp(t)

/** Returns the session that a compaction was written back into, and what it says of its mode. */
async function writeBack(document: string, query = 'keepRecentTokens=40') {
  const url = `/compaction?reply=native&summary=Short.&${query}`
  const { body, headers } = await app.inject({ method: 'POST', url, payload: document })
  return { body, mode: headers['x-precis-native'] }
}

const session = (name: string): string => SESSIONS[name] ?? ''
const fixture = (name: string): string => readFileSync(new URL(`../fixtures/formats/${name}`, import.meta.url), 'utf8')

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/

t.test(
  'OpenHands (SDK): a condensation forgets the events before the cut, and its summary follows the instructions',
  async (t) => {
    const { body, mode } = await writeBack(session('openhands-v1'))
    t.equal(mode, 'append')
    const event = JSON.parse(body) as Fields
    t.match(event, { id: /^[0-9a-f-]{36}$/, timestamp: TIME, llm_response_id: /^[0-9a-f-]{36}$/ })
    t.strictSame(event, {
      ...{ kind: 'Condensation', id: event['id'], timestamp: event['timestamp'], source: 'environment' },
      forgotten_event_ids: ['e1', 'file_editor', 'e3', 'e5'],
      ...{ summary: 'Short.', summary_offset: 1, llm_response_id: event['llm_response_id'] },
    })
    const list = await writeBack(session('openhands-v1, a list'))
    t.equal(list.mode, 'replace')
    t.match((JSON.parse(list.body) as Fields[]).at(-1), { kind: 'Condensation', summary_offset: 1 })
  },
)

t.test('OpenHands (SDK): instructions that are a message of the system stay before the summary', async (t) => {
  const [, ...events] = session('openhands-v1').trim().split('\n')
  const content = [{ type: 'text', text: 'Rules.' }]
  const instructions = { kind: 'MessageEvent', id: 'e0', source: 'agent', llm_message: { role: 'system', content } }
  const { body } = await writeBack([JSON.stringify(instructions), ...events].join('\n'))
  const { forgotten_event_ids: forgotten, summary_offset: offset } = JSON.parse(body) as Fields
  t.strictSame([forgotten, offset], [['e1', 'file_editor', 'e3', 'e5'], 1])
})

t.test('OpenHands (SDK): the summary does not move behind instructions that came after the cut', async (t) => {
  const events = session('openhands-v1').trim().split('\n')
  const content = [{ type: 'text', text: 'More rules.' }]
  const later = { kind: 'MessageEvent', id: 'e90', source: 'agent', llm_message: { role: 'system', content } }
  const { body } = await writeBack([...events, JSON.stringify(later)].join('\n'))
  t.match(JSON.parse(body), { forgotten_event_ids: ['e1', 'file_editor', 'e3', 'e5'], summary_offset: 1 })
})

t.test('OpenHands (SDK): a second condensation forgets the summary of the first one too', async (t) => {
  const { body } = await writeBack(fixture('openhands-v1.jsonl'), 'keepRecentTokens=1')
  t.match(JSON.parse(body), {
    forgotten_event_ids: ['e1', 'e2', 'e3', 'e4', 'e5', 'e6-summary', 'e8'],
    summary_offset: 1,
  })
})

t.test('OpenHands 0.x: a condensation is the next event', async (t) => {
  const { body, mode } = await writeBack(session('openhands-v0'))
  t.equal(mode, 'replace')
  const posted = JSON.parse(session('openhands-v0')) as Fields[]
  const events = JSON.parse(body) as Fields[]
  const added = events.at(-1) ?? {}
  t.match(added['timestamp'], TIME)
  const args = {
    ...{ forgotten_event_ids: [1, 2, 3, 4], forgotten_events_start_id: null, forgotten_events_end_id: null },
    ...{ summary: 'Short.', summary_offset: 1 },
  }
  const facts = { id: 11, timestamp: added['timestamp'], source: 'agent', message: 'Short.' }
  t.strictSame(events, [...posted, { ...facts, action: 'condensation', args }])
  const state = { timestamp: 't', source: 'environment', observation: 'agent_state_changed', content: '', extras: {} }
  const later = await writeBack(JSON.stringify([...posted, state]))
  t.equal((JSON.parse(later.body) as Fields[]).at(-1)?.['id'], 11, 'also after an event without an id')
})

t.test('ATIF: a compaction step follows the steps, and copies of the kept ones follow it', async (t) => {
  const { body, mode } = await writeBack(session('atif'), 'keepRecentTokens=45')
  t.equal(mode, 'replace')
  const posted = JSON.parse(session('atif')) as { steps: Fields[] }
  const written = JSON.parse(body) as { steps: Fields[] }
  const step = written.steps[7] ?? {}
  const compaction = {
    ...{ step_id: 8, timestamp: step['timestamp'], source: 'system', message: 'Context compaction performed' },
    observation: { results: [{ content: 'Short.' }] },
    extra: { context_management: { type: 'compaction', boundary: 'replace' } },
  }
  const copies = posted.steps.slice(4).map((copied, index) => ({
    ...{ ...copied, step_id: 9 + index },
    ...(copied['source'] === 'agent' ? { is_copied_context: true } : {}),
  }))
  t.strictSame(written, { ...posted, steps: [...posted.steps, compaction, ...copies] })
})

t.test('what is added has the number after the largest one, also where that is not the last', async (t) => {
  const { steps, ...around } = JSON.parse(session('atif')) as { steps: Fields[] }
  const count = steps.length
  const turned = steps.map((step, at) => ({ ...step, step_id: at === 0 ? count : at }))
  const atif = await writeBack(JSON.stringify({ ...around, steps: turned }), 'keepRecentTokens=45')
  const written = (JSON.parse(atif.body) as { steps: Fields[] }).steps.slice(count)
  t.strictSame(
    written.map(({ step_id: id }) => id),
    [8, 9, 10, 11],
  )

  const events = JSON.parse(session('openhands-v0')) as Fields[]
  const largestFirst = events.map((event) => (event['id'] === 0 ? { ...event, id: 20 } : event))
  const openhands = await writeBack(JSON.stringify(largestFirst))
  t.equal((JSON.parse(openhands.body) as Fields[]).at(-1)?.['id'], 21)
})

t.test('events after the branch would stay in the context, so there is no native form for it', async (t) => {
  for (const [name, leafId] of [
    ['openhands-v1', 'e9'],
    ['openhands-v0', '7'],
  ] as const) {
    const { body } = await writeBack(session(name), `keepRecentTokens=1&leafId=${leafId}`)
    t.match(JSON.parse(body), { type: 'urn:precis:problem:no-native-form' }, name)
  }
})
