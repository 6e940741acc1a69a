import { findFacts } from './facts.ts'
import { addShares, sharePaths, shareTexts, type Share } from './judge-facts.ts'
import { printTable } from './print-table.ts'
import type { Stage } from './replay-session.ts'

export interface QualityRow {
  name: string
  summarizer: string
  /** The user's demands over the whole session. */
  constraints: readonly string[]
  /** One stage per compaction. */
  stages: readonly Stage[]
}

const TITLES = {
  files: 'files',
  commands: 'commands',
  errors: 'last errors',
  lastError: 'last error',
  constraints: 'constraints',
  newestRequest: 'newest request',
} as const

type Kind = keyof typeof TITLES
const KINDS = Object.keys(TITLES) as Kind[]

const SHOWN_LOSSES = 5
const SHOWN_CHARACTERS = 110

/**
 * Prints the shares of the facts that are still known as a table, then examples of lost facts and the service's
 * refusals.
 */
export function printQuality(rows: readonly QualityRow[]): void {
  const judged = rows.map((row) => ({ ...row, shares: judge(row) }))
  printTable(
    ['session', 'summarizer', 'compacted', ...KINDS.map((kind) => TITLES[kind]), 'summary tokens', 's each'],
    judged.map(({ name, summarizer, stages, shares }) => [
      name,
      summarizer,
      `${stages.filter(({ problem }) => problem === undefined).length}/${stages.length}`,
      ...KINDS.map((kind) => describe(shares[kind])),
      String(Math.ceil((stages.at(-1)?.summaryCharacters ?? 0) / 4)),
      (stages.reduce((sum, { durationMs }) => sum + durationMs, 0) / stages.length / 1000).toFixed(2),
    ]),
  )
  for (const row of judged) printLosses(row)
}

function judge({ stages, constraints }: QualityRow): Record<Kind, Share> {
  const last = stages.at(-1)
  const context = last?.context ?? ''
  const facts = findFacts(last?.entries ?? [])
  const afterEach = (kind: 'lastError' | 'newestRequest'): Share =>
    addShares(
      stages.map((stage) => {
        const fact = findFacts(stage.entries)[kind]
        return shareTexts(stage.context ?? '', fact === undefined ? [] : [fact])
      }),
    )
  return {
    files: sharePaths(context, facts.files),
    commands: shareTexts(context, facts.commands),
    errors: shareTexts(context, facts.errors),
    lastError: afterEach('lastError'),
    constraints: shareTexts(context, constraints),
    newestRequest: afterEach('newestRequest'),
  }
}

const describe = ({ found, total }: Share): string =>
  total === 0 ? 'none' : `${found}/${total} ${Math.floor((100 * found) / total)} %`

function printLosses({ name, summarizer, stages, shares }: QualityRow & { shares: Record<Kind, Share> }): void {
  const problems = [...new Set(stages.flatMap(({ problem }) => problem ?? []))]
  const lines = [
    ...problems.map((problem) => `not compacted: ${problem}`),
    ...KINDS.flatMap((kind) =>
      shares[kind].lost.slice(0, SHOWN_LOSSES).map((fact) => `${TITLES[kind]}: ${fact.slice(0, SHOWN_CHARACTERS)}`),
    ),
  ]
  if (lines.length === 0) return
  console.log(`\nLost, ${name}, ${summarizer}:`)
  for (const line of lines) console.log(`  ${line}`)
}
