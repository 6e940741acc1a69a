import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { checkCut } from '../../eval/service.ts'
import { findCut, readSessionFile, requestOf, type SessionFile } from '../../eval/session.ts'
import { writeEvalTranscript } from '../../eval/transcript.ts'
import type { PlanReply } from '../../src/schemas/plan.ts'
import { startApp } from '../support/start-app.ts'

const FIXTURES = new URL('../fixtures/formats/', import.meta.url).pathname
/** Sessions of real agents: they are not part of the repository. */
const SAMPLES = new URL('../../../shared/agents/samples/', import.meta.url).pathname

/** Descriptions of sessions, and files that belong to one. */
const NO_SESSION = /\.meta\.json$|\.compaction\.json$|request\.json$|\.md$/

const fixtures = readdirSync(FIXTURES).map((name) => join(FIXTURES, name))

/** Returns one session of each agent. */
function samples(): string[] {
  if (!existsSync(SAMPLES)) return []
  const folders = readdirSync(SAMPLES, { withFileTypes: true }).filter((one) => one.isDirectory())
  return folders.flatMap(({ name }) => {
    const files = readdirSync(join(SAMPLES, name))
    const session = files.find((file) => !NO_SESSION.test(file)) ?? files[0]
    return session === undefined ? [] : [join(SAMPLES, name, session)]
  })
}

/** Returns the ids of the entries at which a session can be cut: each message after the first, but no result of a tool. */
function cutsOf({ branch }: SessionFile): string[] {
  const since = branch.findLastIndex(({ compaction }) => compaction !== undefined)
  const messages = branch.filter(({ message }, at) => message !== undefined && at > since)
  return messages
    .slice(1)
    .filter(({ message }) => message?.role !== 'toolResult')
    .map(({ id }) => id)
}

async function checkPlans(t: Test, paths: readonly string[]): Promise<void> {
  const { app } = await startApp(t)
  for (const path of paths) {
    const file = readSessionFile(path, true)
    for (const id of cutsOf(file)) {
      const cut = findCut(file, id)
      const payload = requestOf(file, cut, { keepRecentTokens: 1 })
      const headers = { 'content-type': 'application/json' }
      const reply = await app.inject({ method: 'POST', url: '/compaction/plan', headers, payload })
      const { entries } = reply.json<PlanReply>()
      const idsIn = (regions: readonly string[]) =>
        entries.filter(({ region, tokens }) => regions.includes(region) && tokens > 0).map((entry) => entry.id)
      const before = new Set(file.branch.slice(0, cut.messageIndex).map((entry) => entry.id))
      const summarized = idsIn(['summarized', 'turn-prefix'])
      t.same(
        {
          kept: idsIn(['kept']),
          others: summarized.filter((one) => !before.has(one)),
          isEmpty: summarized.length === 0,
        },
        { kept: [id], others: [], isEmpty: false },
        `${path} ${id}`,
      )
    }
  }
}

t.test('a session of each format can be cut at each message, and exactly the entries before it are summarized', (t) =>
  checkPlans(t, fixtures),
)

t.test('a session of each agent can be cut at each message', { skip: samples().length === 0 }, (t) =>
  checkPlans(t, samples()),
)

t.test('the author of the probes sees the messages of each format, and the check of a cut accepts it', async (t) => {
  for (const path of fixtures) {
    const file = readSessionFile(path, true)
    const last = cutsOf(file).at(-1)
    if (last === undefined) continue
    const cut = findCut(file, last)
    await t.resolves(checkCut(file, { cut, env: {}, settings: {} }), path)
    const { before, after } = writeEvalTranscript(file.branch, cut)
    t.ok(before.length > 0 && after.includes(`[${cut.id}]`), path)
  }
})

t.test('an entry without an id is found by the id that the service gives it, also in a text', (t) => {
  const file = readSessionFile(join(FIXTURES, 'aider.md'), true)
  const ids = file.branch.map(({ id }) => id)
  t.match(ids[2], /^line:\d+$/)
  t.same(findCut(file, ids[2] ?? ''), { id: ids[2], index: 2, messageIndex: 2 })
  t.end()
})
