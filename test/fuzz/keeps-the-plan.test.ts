import fc from 'fast-check'
import { existsSync, readFileSync } from 'node:fs'
import t from 'tap'
import { chinese } from '../../bench/support/chinese.ts'
import { english } from '../../bench/support/english.ts'
import { generateSession } from '../../bench/support/generate-session.ts'
import { Problem } from '../../src/errors.ts'
import { readingOf, readRequest, type ReadRequest } from '../../src/ingest/read-request.ts'
import { preparePlan } from '../../src/use-cases/shared/prepare-plan.ts'
import { planSession } from '../../src/use-cases/plan/work.ts'
import { planCompaction } from '../../src/plan/plan-compaction.ts'
import { PLAN_FORMS, type PlanReply, type PlanRequest } from '../../src/schemas/plan.ts'
import { selectBranch } from '../../src/session/link-session.ts'
import { WORK_CONTEXT } from '../support/work-context.ts'

/** What is left out as a body comes may change nothing of what is planned and told. */

const services = WORK_CONTEXT

const READINGS = { trimmed: readingOf(PLAN_FORMS, false), whole: readingOf(PLAN_FORMS, true) }
type Reading = keyof typeof READINGS

const read = (body: object, how: Reading): ReadRequest<PlanRequest> =>
  readRequest({ body: Buffer.from(JSON.stringify(body)), isLines: false, query: {} }, READINGS[how], services)

/** The plan, and all that a summarizer and the summary's essentials are made of. */
async function planOf(received: ReadRequest<PlanRequest>) {
  const { fields: request, session } = received
  const branch = selectBranch(session, request.leafId)
  const plan = planCompaction(branch, request.settings ?? {})
  const { material, writeTasks } = preparePlan({ plan, request, branch }, services)
  const { inputs } = material
  const tasks = writeTasks()
  return {
    reply: planSession(received, services) as PlanReply,
    prompts: [tasks.history?.prompt.toString(), tasks.turnPrefix?.prompt.toString()],
    earlierRequest: inputs.earlierRequest,
    previousSummary: inputs.previousSummary,
  }
}

/** The same, or why the session is refused. */
async function outcomeOf(body: object, how: Reading): Promise<unknown> {
  try {
    return await planOf(read(body, how))
  } catch (error) {
    if (error instanceof Problem) return [error.type, error.faults]
    throw error
  }
}

const filler = (lines: number): string =>
  Array.from({ length: lines }, (_, number) => `${number}: a row of the ledger, number ${number * 7}`).join('\n')
const output = fc.oneof(
  fc.nat(300).map(filler),
  fc.nat(60).map((lines) => `${filler(lines)}\nTypeError: it failed\n${filler(lines)}`),
  fc.integer({ min: 4000, max: 6000 }).map(filler),
  fc.constantFrom('', 'ok', 'x'.repeat(9000)),
)
const callId = fc.constantFrom('c1', 'c2', 'c3')
const message = fc.oneof(
  output.map((content) => ({ role: 'user', content })),
  fc.tuple(callId, output, fc.constantFrom('read', 'write', 'bash', 'edit')).map(([id, content, name]) => ({
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: content, thinkingSignature: 'c2lnbmF0dXJl' },
      { type: 'toolCall', id, name, arguments: { path: `src/${id}.ts`, content, command: 'npm test' } },
    ],
    usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, cost: { total: 1 } },
  })),
  fc.tuple(callId, output, fc.boolean(), fc.boolean()).map(([toolCallId, text, isError, hasImage]) => ({
    role: 'toolResult',
    toolCallId,
    toolName: 'bash',
    content: [
      { type: 'text', text },
      ...(hasImage ? [{ type: 'image', data: 'aGFsbG8=', mimeType: 'image/png' }] : []),
    ],
    isError,
    details: { exitCode: isError ? 1 : 0, diff: text },
  })),
  output.map((text) => ({ role: 'bashExecution', command: 'make', output: text, exitCode: text.length % 2 })),
)
const draft = fc.oneof(
  { weight: 12, arbitrary: message.map((one) => ({ type: 'message', message: one })) },
  {
    weight: 1,
    arbitrary: fc.nat(40).map((kept) => ({
      type: 'compaction',
      summary: '## Goal\nGo on.\n\n<read-files>\nold.ts\n</read-files>',
      firstKeptEntryId: `e${kept}`,
      details: { readFiles: ['a.ts'], modifiedFiles: ['b.ts'] },
    })),
  },
  { weight: 1, arbitrary: fc.constantFrom({ type: 'reset_boundary' }, { type: 'label', label: 'x', big: filler(50) }) },
  {
    weight: 1,
    arbitrary: output.map((text) => ({
      type: 'custom_message',
      content: [
        { type: 'thinking', thinking: text },
        { type: 'image', data: 'aGFsbG8=', mimeType: 'image/png' },
        { type: 'text', text },
      ],
      customType: 'x',
    })),
  },
)

/** A tree: now and then an entry goes back to an earlier one. */
const tree = fc
  .array(fc.tuple(draft, fc.nat(20), fc.nat(40)), { minLength: 1, maxLength: 40, size: 'max' })
  .map((drafts) =>
    drafts.map(([entry, chance, back], index) => ({
      id: `e${index}`,
      parentId: index === 0 ? null : `e${chance === 0 ? Math.min(back, index - 1) : index - 1}`,
      timestamp: '2026-11-21T00:00:00.000Z',
      ...entry,
    })),
  )
const fileLine = fc.constantFrom<object>(
  { type: 'session', version: 3, id: 's', parentId: null },
  { type: 'title', title: 'x', id: 't' },
)
/** Lines of a session file that are no entries may stand anywhere. */
const session = fc
  .tuple(tree, fc.array(fc.tuple(fc.nat(40), fileLine), { maxLength: 2 }))
  .map(([entries, lines]) => lines.reduce<object[]>((all, [at, line]) => all.toSpliced(at, 0, line), entries))
const leaf = fc.option(fc.nat(39), { nil: undefined, freq: 4 })

t.test('of any session the same is planned and told, whatever was left out', async (t) => {
  let runs = 0
  await fc.assert(
    fc.asyncProperty(session, leaf, fc.integer({ min: 1, max: 4000 }), async (entries, at, keepRecentTokens) => {
      const leafId = at === undefined || at >= entries.length ? {} : { leafId: `e${at}` }
      const body = { entries, settings: { keepRecentTokens, transcriptTokens: 1000 }, ...leafId }
      t.same(await outcomeOf(body, 'trimmed'), await outcomeOf(body, 'whole'))
      runs += 1
    }),
    { numRuns: 150, endOnFailure: true },
  )
  t.equal(runs, 150)
})

for (const language of [english, chinese])
  t.test('of a generated session too', async (t) => {
    const { entries } = generateSession(language, { characters: 400_000, seed: 7 })
    const [kept, whole] = [read({ entries }, 'trimmed'), read({ entries }, 'whole')]
    t.same(await planOf(kept), await planOf(whole))
  })

const REAL = new URL('../../../shared/sessions/pi-v1-large.jsonl', import.meta.url)

t.test(
  'of a real session too',
  { skip: existsSync(REAL) ? false : 'no real sessions beside this checkout' },
  async (t) => {
    const lines = readFileSync(REAL, 'utf8').trim().split('\n')
    const body = { entries: lines.map((line) => JSON.parse(line) as object) }
    const [kept, whole] = [await planOf(read(body, 'trimmed')), await planOf(read(body, 'whole'))]
    t.same({ ...kept.reply, promptTokens: 0 }, { ...whole.reply, promptTokens: 0 })
    // What is left of an output may be short enough to show a line of over 200 characters whole.
    t.ok(Math.abs(kept.reply.promptTokens / whole.reply.promptTokens - 1) < 0.005)
  },
)

t.test('no secret is parted by what is left out: none of it reaches a prompt', async (t) => {
  const rows = filler(200)
  const [token, password, base64] = ['ghp_abcdefghijklmnop1234', 'hunter2hunter2x9', 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC']
  const key = `-----BEGIN PRIVATE KEY-----\n${`${base64}\n`.repeat(300)}-----END PRIVATE KEY-----`
  const texts = [
    `${rows}\n${token} at the end`,
    `password = "${password}"\n${rows}`,
    `${rows}\n${key}\nok`,
    `${key}\n${rows}`,
    `${'word '.repeat(990)}${token}${' word'.repeat(2000)}`,
  ]
  const entries = texts.flatMap((text, index) => [
    {
      type: 'message',
      message: {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: text },
          { type: 'toolCall', id: `c${index}`, name: 'write', arguments: { path: 'a.ts', content: text } },
        ],
      },
    },
    { type: 'message', message: { role: 'toolResult', toolCallId: `c${index}`, content: text } },
    { type: 'message', message: { role: 'bashExecution', command: 'cat x', output: text, exitCode: index % 2 } },
  ])
  const last = { type: 'message', message: { role: 'user', content: 'Go on.' } }
  const body = { entries: [...entries, last], settings: { keepRecentTokens: 1 } }
  const { prompts } = await planOf(read(body, 'trimmed'))
  const told = prompts.join('\n')
  t.match(told, '[redacted:github-token]')
  t.match(told, '[redacted:private-key]')
  t.same(
    [token, password, base64].filter((secret) => told.includes(secret)),
    [],
  )
})
