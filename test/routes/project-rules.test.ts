import t, { type Test } from 'tap'
import type { CompactionReply } from '../../src/schemas/compaction-reply.ts'
import { fakeSummarizer } from '../support/fake-summarizer.ts'
import { startApp } from '../support/start-app.ts'

const TOKEN = `ghp_${'a1B2'.repeat(9)}`

const line = (uuid: string, parentUuid: string | null, others: object) => ({
  ...{ uuid, parentUuid, sessionId: 's1', isSidechain: false, version: '2.1.330' },
  timestamp: '2026-03-24T08:00:00.000Z',
  ...others,
})

const user = (content: string) => ({ type: 'user', message: { role: 'user', content } })

const attached = (content: string, type = 'Project') => ({
  type: 'attachment',
  attachment: { type: 'instructions', files: [{ path: '/p/CLAUDE.md', type, content }] },
})

/** A session of Claude Code in which CLAUDE.md is shown. */
const sessionOf = (...shown: object[]): string => {
  const answer = { role: 'assistant', id: 'm', content: [{ type: 'text', text: 'Fixed.' }] }
  const lines = [
    user('Fix the adder.'),
    ...shown,
    { type: 'assistant', message: answer },
    user(`Go on. ${'word '.repeat(400)}`),
  ]
  return lines.map((one, at) => JSON.stringify(line(`u${at}`, at === 0 ? null : `u${at - 1}`, one))).join('\n')
}

const EMBEDDED = { name: 'embedded' as const, windowTokens: () => 128_000 }

async function compact(
  t: Test,
  session: string,
  summarizer: NonNullable<Parameters<typeof startApp>[1]>['summarizer'] = EMBEDDED,
) {
  const { app } = await startApp(t, { summarizer })
  const url = '/compaction?keepRecentTokens=100'
  const headers = { 'content-type': 'application/x-ndjson' }
  const reply = await app.inject({ method: 'POST', url, payload: session, headers })
  t.equal(reply.statusCode, 200, reply.body.slice(0, 300))
  return reply.json<CompactionReply>().summary
}

t.test('an extract has the rules of CLAUDE.md as they were shown last, without secrets', async (t) => {
  const summary = await compact(t, sessionOf(attached('- Use tabs.'), attached(`- Use spaces.\n- Push with ${TOKEN}`)))
  t.match(summary, '## Constraints & Preferences\n- Use spaces. (rule of CLAUDE.md)\n- Push with ')
  t.notMatch(summary, 'Use tabs')
  t.notMatch(summary, TOKEN)
})

t.test('an extract has the rules of GEMINI.md that Gemini CLI shows, and no line of another text', async (t) => {
  const path = '/p/GEMINI.md'
  const context = [
    '<session_context>\nThis is the Gemini CLI.\n- Never read this.\n<project_context>',
    `--- Context from: ${path} ---\n# Rules\n- Money is an integer.\n--- End of Context from: ${path} ---`,
    '--- Context from: /p/CUT.md ---\n- Has no end.\n</project_context>',
  ].join('\n')
  const record = (id: string, type: string, text: string) => ({ id, type, content: [{ text }] })
  const lines = [
    { sessionId: 's', projectHash: 'h', startTime: '2026-04-14T08:00:00.000Z', kind: 'main' },
    { $set: { messages: [record('a', 'user', context)] } },
    record('b', 'user', 'Fix the adder.'),
    record('c', 'gemini', 'Fixed.'),
    record('d', 'user', `Go on. ${'word '.repeat(400)}`),
  ]
  const summary = await compact(t, lines.map((one) => JSON.stringify(one)).join('\n'))
  t.match(summary, '## Constraints & Preferences\n- Money is an integer. (rule of GEMINI.md)\n\n')
})

t.test('files that are not of the project are not its rules', async (t) => {
  t.notMatch(await compact(t, sessionOf(attached('- Use tabs.', 'AutoMem'))), 'Use tabs')
})

t.test('a model gets the rules of CLAUDE.md with the states of the work', async (t) => {
  const summarizer = fakeSummarizer()
  await compact(t, sessionOf(attached('# Rules\nAlways answer in English.')), summarizer)
  t.match(
    summarizer.tasks[0]?.prompt,
    '- to be followed: Always answer in English. (rule of CLAUDE.md)\n</work-states>',
  )
})
