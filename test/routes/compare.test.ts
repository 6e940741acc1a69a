import { readdirSync, readFileSync } from 'node:fs'
import { Value } from '@sinclair/typebox/value'
import t, { type Test } from 'tap'
import type { Summarizer } from '../../src/model/summarizer.ts'
import { ComparisonReplySchema, type ComparisonReply } from '../../src/schemas/comparison.ts'
import { assistant, buildRawEntries, call, compaction, named, result, user } from '../support/build-entries.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { startApp, type StartOptions } from '../support/start-app.ts'

const EMBEDDED: Summarizer = { name: 'embedded', windowTokens: () => 128_000 }

/** The agent has compacted twice: the second time, it kept `k` and what came after it. */
const TWICE = buildRawEntries([
  named('a', user('Write src/a.ts. Never touch lib/old.ts.')),
  named('c1', compaction({ summary: 'The user wants src/a.ts.' })),
  named('b', user('Now make the pages of 250 rows, and run the tests.')),
  named('d', assistant('I run them.', [call('x', 'bash', { command: 'npm test' })], { model: 'some-model' })),
  named('e', result('x', 'Error: the table has no index on created_at', { isError: true })),
  named('k', user('And what about src/kept.ts?')),
  named('l', assistant('It stays.')),
  named('c2', compaction({ summary: 'The user wants pages. src/invented.ts is done.', firstKeptEntryId: 'k' })),
  named('m', user('A message after it.')),
])

const post = async (t: Test, payload: object, options: StartOptions = {}, query = '') => {
  const { app } = await startApp(t, options)
  return app.inject({ method: 'POST', url: `/compaction/compare${query}`, payload })
}

t.test('the newest summary of the agent is compared with one of the same entries', async (t) => {
  const summarizer = fakeSummarizer('## Goal\nPages of 250 rows.\n\n## Progress\n`npm test` was run.')
  const response = await post(t, { entries: TWICE }, { summarizer })
  t.equal(response.statusCode, 200)
  const reply = response.json<ComparisonReply>()
  t.ok(Value.Check(ComparisonReplySchema, reply))
  t.strictSame(reply.compaction, {
    ...{ number: 2, of: 2, entryId: 'c2', entries: 3, tokens: 37 },
    ...{ firstEntryId: 'b', lastEntryId: 'e', previousEntryId: 'c1' },
  })
  t.match(reply.agent, {
    ...{ writer: 'pi', model: 'some-model', summary: 'The user wants pages. src/invented.ts is done.' },
    unknown: ['src/invented.ts'],
  })
  t.match(reply.precis, { summary: /^## Goal\nPages of 250 rows\./, unknown: [], report: { model: 'fake', calls: 1 } })
  t.strictSame(reply.facts, [
    {
      ...{ kind: 'request', text: 'Now make the pages of 250 rows, and run the tests.', entryIds: ['b'] },
      ...{ inAgent: false, inPrecis: true },
    },
    { kind: 'command', text: 'npm test', entryIds: ['d'], inAgent: false, inPrecis: true },
    {
      ...{ kind: 'error', text: 'Error: the table has no index on created_at', entryIds: ['e'] },
      ...{ inAgent: false, inPrecis: true },
    },
    {
      kind: 'number',
      text: 'Now make the pages of 250 rows, and run the',
      entryIds: ['b'],
      inAgent: false,
      inPrecis: true,
    },
  ])
  t.strictSame(reply.counts, [
    { kind: 'request', total: 1, inAgent: 0, inPrecis: 1 },
    { kind: 'command', total: 1, inAgent: 0, inPrecis: 1 },
    { kind: 'error', total: 1, inAgent: 0, inPrecis: 1 },
    { kind: 'number', total: 1, inAgent: 0, inPrecis: 1 },
  ])
  const [task] = summarizer.tasks
  t.match(task?.prompt, /<previous-summary>\nThe user wants src\/a\.ts\.\n/, 'both had the summary before')
  t.notMatch(task?.prompt, /src\/kept\.ts|A message after it|src\/invented\.ts/)
})

t.test('a number names an older compaction', async (t) => {
  const response = await post(t, { entries: TWICE, compaction: 1 }, { summarizer: EMBEDDED })
  t.match(response.json(), {
    compaction: { number: 1, of: 2, entryId: 'c1', entries: 1, firstEntryId: 'a', lastEntryId: 'a' },
    agent: { summary: 'The user wants src/a.ts.' },
  })
  const unknown = await post(t, { entries: TWICE, compaction: 3 })
  t.match(unknown.json(), {
    ...{ type: 'urn:precis:problem:invalid-request' },
    errors: [{ pointer: '/compaction', detail: 'must be at most 2: the session has no more compactions' }],
  })
})

t.test('if the agent has kept nothing, its whole last turn is summarized, and not as a divided one', async (t) => {
  const summarizer = fakeSummarizer()
  const entries = TWICE.map((entry) => (entry['id'] === 'c2' ? { ...entry, firstKeptEntryId: undefined } : entry))
  const reply = (await post(t, { entries }, { summarizer })).json<ComparisonReply>()
  t.match(reply.compaction, { entries: 5, lastEntryId: 'l' })
  t.equal(summarizer.tasks.length, 1)
})

t.test('what a service of ours has written is not the summary of the agent', async (t) => {
  const own = compaction({
    summary: '## Goal\nPages.\n\n## User Messages\n(Word for word, newest first.)\n\n> Go on.',
  })
  const entries = [...TWICE, ...buildRawEntries([named('m', user()), named('o', own)]).slice(1)]
  t.match((await post(t, { entries })).json(), { compaction: { number: 2, of: 3 }, agent: { writer: 'pi' } })
  t.match((await post(t, { entries, compaction: 3 })).json(), { agent: { writer: 'precis' } })
  const only = buildRawEntries([user('Write src/a.ts.'), own])
  t.match((await post(t, { entries: only })).json(), {
    ...{ status: 422, type: 'urn:precis:problem:nothing-to-compare' },
    detail:
      'All compactions of this session were written by Précis. Name one with `compaction` to compare it all the same.',
  })
})

t.test('why nothing can be compared is said', async (t) => {
  const reasonFor = async (entries: object[]): Promise<string> =>
    (await post(t, { entries })).json<{ detail: string }>().detail
  t.match(await reasonFor(TWICE.slice(0, 1)), /^The agent has not compacted this session yet/)
  t.match(
    await reasonFor(TWICE.slice(1, 3).map((entry, at) => (at === 0 ? { ...entry, parentId: null } : entry))),
    /^The session no longer has the entries that this compaction replaced/,
  )
  const encrypted = TWICE.map((entry) =>
    entry['id'] === 'c2' ? { ...entry, preserveData: { openaiRemoteCompaction: {} } } : entry,
  )
  t.equal(
    await reasonFor(encrypted),
    'The summary of this compaction cannot be read: it is encrypted, as those of Codex with a model of OpenAI are, and only the provider can decrypt it. Number 1 can be compared: `compaction=1`.',
  )
})

t.test('secrets are replaced in both summaries and in the facts', async (t) => {
  const secret = 'ghp_R8s0mK2xVb7QwZt4LnYc1JfHdE6uPa3ToGiX'
  const entries = buildRawEntries([
    user(`Never use the token ${secret}.`),
    assistant('I do not.'),
    compaction({ summary: `The token is ${secret}.` }),
  ])
  const { body } = await post(t, { entries }, { summarizer: EMBEDDED }, '?include=provenance')
  t.match(body, '[redacted:')
  t.notMatch(body, secret)
})

t.test('the places of the facts of both summaries come with them if they are asked for', async (t) => {
  const reply = (
    await post(t, { entries: TWICE }, { summarizer: EMBEDDED }, '?include=provenance')
  ).json<ComparisonReply>()
  t.strictSame(reply.agent.provenance?.facts, [{ text: 'src/invented.ts', kind: 'path', entryIds: [], count: 0 }])
  t.match(
    reply.precis.provenance?.facts.find(({ text }) => text === 'npm test'),
    { kind: 'command', entryIds: ['d'], count: 1 },
  )
})

const FORMATS = new URL('../fixtures/formats/', import.meta.url)

t.test('the sessions of all agents that keep what they have compacted can be compared', async (t) => {
  const { app } = await startApp(t, { summarizer: EMBEDDED })
  const writers = new Set<string>()
  for (const file of readdirSync(FORMATS)) {
    const response = await app.inject({
      ...{ method: 'POST', url: '/compaction/compare', headers: { 'content-type': 'application/x-ndjson' } },
      payload: readFileSync(new URL(file, FORMATS)),
    })
    const { agent, type } = response.json<Partial<ComparisonReply> & { type?: string }>()
    if (agent === undefined) t.ok(file === 'chat.json' || type === 'urn:precis:problem:nothing-to-compare', file)
    else if (agent.summary === '## Goal\nFix add in calc.py.') writers.add(agent.writer)
  }
  t.same([...writers].sort(), [
    ...['atif', 'claude-code', 'cline', 'cline-legacy', 'codex', 'gemini', 'gencode', 'goose', 'opencode'],
    ...['openhands-v0', 'openhands-v1', 'pi', 'qwen'],
  ])
})
