import type { Folders } from '../peers.ts'
import type { Work } from './planners/planner.ts'
import { interleave, ratio, type Times } from './interleave.ts'
import { openPlanners, PLANNERS, type PlannerName, type Planners } from './open-planners.ts'
import { printTable } from './print-table.ts'
import { reportUsage } from './report-usage.ts'
import type { SessionEntry } from './session-entry.ts'
import { sessionBody, tinyEntriesBody } from './sessions.ts'

const ROUNDS = 15
const WORKS = ['cut', 'plan'] as const satisfies Work[]
const TITLES: Record<Work, string> = {
  cut: 'The cut point alone: findCutPoint of the peers / the cut of Précis',
  plan: 'The whole plan: prepareCompaction of the peers / planCompaction of Précis',
}
const PEER_NAMES = PLANNERS.slice(1)

interface Case {
  name: string
  entries: readonly SessionEntry[]
}

/** The times of one session, by `planner work`; planners that do not run are missing. */
type CaseTimes = Record<string, Times>

/**
 * Measures the planners on the same sessions, and prints a table for each work, with the ratios of peers to the
 * service.
 */
export async function comparePlanners(folders: Folders): Promise<void> {
  const planners = await openPlanners(folders)
  const measured: [name: string, times: CaseTimes][] = []
  try {
    for (const one of makeCases()) measured.push([one.name, await measure(planners, one)])
  } finally {
    for (const planner of planners.values()) if (typeof planner === 'object') await planner.stop()
  }
  console.log(
    `\nPlanning, ${ROUNDS} rounds: each planner in a process of its own, oh-my-pi's on Bun, the others on Node`,
  )
  for (const work of WORKS) printWork(work, planners, measured)
}

function makeCases(): Case[] {
  const read = (body: string): SessionEntry[] => (JSON.parse(body) as { entries: SessionEntry[] }).entries
  const large = read(sessionBody(1_000_000))
  return [
    { name: '200,000 tokens', entries: read(sessionBody(200_000)) },
    { name: '1,000,000 tokens', entries: large },
    { name: '1,000,000 tokens, usage reported', entries: reportUsage(large) },
    { name: '10,000 tiny entries', entries: read(tinyEntriesBody(10_000)) },
    { name: '40,000 tiny entries', entries: read(tinyEntriesBody(40_000)) },
  ]
}

async function measure(planners: Planners, { entries }: Case): Promise<CaseTimes> {
  const subjects: Record<string, () => Promise<number>> = {}
  for (const [name, planner] of planners) {
    if (typeof planner === 'string') continue
    await planner.read(entries)
    for (const work of WORKS) subjects[keyOf(name, work)] = () => planner.time(work)
  }
  return interleave(subjects, ROUNDS)
}

const keyOf = (name: PlannerName, work: Work): string => `${name} ${work}`

function printWork(work: Work, planners: Planners, measured: readonly [string, CaseTimes][]): void {
  const rows = measured.map(([name, times]) => {
    const timesOf = (planner: PlannerName): Times | undefined => times[keyOf(planner, work)]
    const own = timesOf('Précis')
    const ratios = PEER_NAMES.map((peer) => {
      const theirs = timesOf(peer)
      const planner = planners.get(peer)
      if (typeof planner === 'string') return planner
      return own === undefined || theirs === undefined ? '' : ratio(theirs, own)
    })
    return [name, ...ratios, ...PLANNERS.map((planner) => milliseconds(timesOf(planner)))]
  })
  console.log(`\n${TITLES[work]}\n`)
  printTable(['session', ...PEER_NAMES.map((peer) => `${peer} / Précis`), ...PLANNERS], rows)
}

const milliseconds = (times: Times | undefined): string =>
  times === undefined ? '' : `${times.medianMs.toFixed(3)} ms`
