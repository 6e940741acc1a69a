import { chooseCut } from '../src/plan/choose-cut.ts'
import { findRegion } from '../src/plan/region.ts'
import { planCompaction } from '../src/plan/plan-compaction.ts'
import { sumTokens } from '../src/plan/context-size.ts'
import { loadTemplates } from '../src/prompt/templates.ts'
import { readSettings } from '../src/settings.ts'
import { preparePlan } from '../src/use-cases/shared/prepare-plan.ts'
import { readingOf, readRequest } from '../src/ingest/read-request.ts'
import { PLAN_FORMS } from '../src/schemas/plan.ts'
import { selectBranch } from '../src/session/link-session.ts'
import { describeMachine } from './support/describe-machine.ts'
import { interleave, ratio, type Times } from './support/interleave.ts'
import { printTable } from './support/print-table.ts'
import { sessionBody, tinyEntriesBody } from './support/sessions.ts'

/**
 * Measures planning compared with `JSON.parse` of the same body: choosing the cut point alone, reading the
 * body and planning, and plan and prompts together, without the search for secrets.
 */
const ROUNDS = 15
const WARMING_ROUNDS = 15
const KEEP_RECENT_TOKENS = 20_000
const READING = readingOf(PLAN_FORMS, false)
const templates = loadTemplates(new URL('../prompts/', import.meta.url))
const services = { ...readSettings({}), templates, windowLimitTokens: 128_000, redact: false }

interface Measured {
  parse: Times
  cut: Times
  plan: Times
  all: Times
}

async function measure(body: string): Promise<Measured> {
  const bytes = Buffer.from(body)
  const readBranch = () => {
    const { fields, session } = readRequest({ body: bytes, isLines: false, query: {} }, READING, services)
    return { request: fields, branch: selectBranch(session, fields.leafId) }
  }
  const { branch } = readBranch()
  return interleave(
    {
      parse: () => {
        JSON.parse(body)
      },
      cut: () => {
        const region = findRegion(branch)
        chooseCut(region, sumTokens(region), KEEP_RECENT_TOKENS)
      },
      plan: () => {
        planCompaction(readBranch().branch, {})
      },
      all: () => {
        const read = readBranch()
        const plan = planCompaction(read.branch, {})
        preparePlan({ plan, ...read }, services).writeTasks()
      },
    },
    ROUNDS,
    WARMING_ROUNDS,
  )
}

const SESSIONS: [name: string, body: string][] = [
  ['200,000 tokens', sessionBody(200_000)],
  ['1,000,000 tokens', sessionBody(1_000_000)],
  ['5,000,000 tokens', sessionBody(5_000_000)],
]
const TINY: [name: string, body: string][] = [10_000, 40_000, 160_000].map((count) => [
  `${count.toLocaleString('en')} tiny entries`,
  tinyEntriesBody(count),
])

console.log(`${describeMachine()}; ${ROUNDS} rounds\n`)
const measured = new Map<string, Measured>()
for (const [name, body] of [...SESSIONS, ...TINY]) measured.set(name, await measure(body))
const ms = ({ medianMs }: Times): string => `${medianMs.toFixed(1)} ms`
printTable(
  ['body', 'cut / parse', 'plan / parse', 'plan + prompts / parse', 'parse', 'plan', 'plan + prompts'],
  [
    ...[...measured].map(([name, { parse, cut, plan, all }]) => [
      name,
      ratio(cut, parse),
      ratio(plan, parse),
      ratio(all, parse),
      ms(parse),
      ms(plan),
      ms(all),
    ]),
  ],
)
const tiny = TINY.map(([name]) => measured.get(name)?.all).filter((times) => times !== undefined)
if (tiny[1] !== undefined && tiny[2] !== undefined)
  console.log(`\n160,000 tiny entries / 40,000, plan and prompts: ${ratio(tiny[2], tiny[1])}`)
