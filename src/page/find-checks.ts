import type { Checks } from '../schemas/checks.ts'
import type { CompactionReply } from '../schemas/compaction-reply.ts'
import { count, counted } from '../text/numbers.ts'
import { CONSTRAINTS_HEADING, NO_CONTENT } from '../text/summary-headings.ts'

/** The result of a check: passed, a fault that needs a reader's attention, added by code, or not compared at all. */
export type State = 'fine' | 'fault' | 'repaired' | 'unchecked'

interface Finding {
  text: string
  state: State
}

/** Returns how many checks passed, and the results of the others, in words. */
export function describeChecks(findings: readonly Finding[]): string {
  const sizeOfState = (wanted: State): number => findings.filter(({ state }) => state === wanted).length
  const [faults, repaired, unchecked] = [sizeOfState('fault'), sizeOfState('repaired'), sizeOfState('unchecked')]
  return [
    ...(faults === 0 ? [] : [`${faults} ${faults === 1 ? 'needs' : 'need'} your attention`]),
    `${sizeOfState('fine') + repaired} of ${counted(findings.length, 'check')} passed${repaired === 0 ? '' : `, ${repaired} after code added what was missing`}`,
    ...(unchecked === 0 ? [] : [`${unchecked} had nothing to compare`]),
  ].join('; ')
}

/** Returns whether a check of a reply needs a reader's attention. */
export const hasFaults = (reply: CompactionReply): boolean => findChecks(reply).some(({ state }) => state === 'fault')

/**
 * Returns what the checks found, and the pieces of the summary that no entry has.
 * @param summaryTokens the size of the whole summary, with what code added
 */
export function findChecks(reply: CompactionReply, summaryTokens?: number): Finding[] {
  const { report, provenance } = reply
  const { checks } = report
  if (checks === undefined) return []
  const known = new Set(checks.grounding?.unknown)
  const facts = provenance?.facts.filter(({ text }) => !known.has(text)) ?? []
  const unconfirmed = facts.filter(({ count }) => count === 0).map(({ text }) => text)
  const searched = facts.filter(({ count }) => count !== null)
  const left = facts.length - searched.length
  const rest = left === 0 ? '' : `; ${count(left)} could not be searched for everywhere`
  const places = `${counted(searched.length, 'path, command or quote has', 'paths, commands and quotes have')} a place in an entry${rest}`
  return [
    ...findingsOf(checks, { model: report.model, summary: reply.summary, summaryTokens }),
    ...(facts.length === 0 ? [] : [listed(unconfirmed, places, 'In no entry word for word')]),
  ]
}

/** Who wrote a summary, and its size with what code added. */
interface Written {
  model: string
  summary: string
  summaryTokens?: number | undefined
}

function findingsOf(checks: Checks, written: Written): Finding[] {
  const { sections, grounding, size, constraints, evidence, latestRequest } = checks
  const { summary } = written
  return [
    ...(sections === undefined
      ? []
      : [listed(sections.missing.map(headingName), 'No section is missing', 'Missing sections')]),
    ...(grounding === undefined
      ? []
      : [
          grounding.checked === 0
            ? { text: 'No paths, errors or numbers', state: 'unchecked' as const }
            : listed(
                grounding.unknown,
                `${counted(grounding.checked, 'path, error or number was looked up: it is', 'paths, errors and numbers were looked up: all are')} in the session`,
                'Not in the session',
              ),
        ]),
    ...(size === undefined ? [] : [sizeOf(size, written)]),
    ...(latestRequest === undefined ? [] : [{ text: REQUESTS[latestRequest], state: STATES[latestRequest] }]),
    ...(constraints === undefined
      ? []
      : [
          hasDemands(summary)
            ? { text: constraintsOf(constraints.restored), state: addedIf(constraints.restored) }
            : { text: 'No lasting demands of the user were found', state: 'unchecked' as const },
        ]),
    ...(evidence === undefined ? [] : [{ text: evidenceOf(evidence.tokens), state: addedIf(evidence.tokens) }]),
  ]
}

/** Returns the words of a heading, without its marks. */
const headingName = (heading: string): string => heading.replace(/^#+ /, '')

const listed = (faults: readonly string[], fine: string, wrong: string): Finding =>
  faults.length === 0 ? { text: fine, state: 'fine' } : { text: `${wrong}: ${faults.join(', ')}`, state: 'fault' }

const addedIf = (size: number): State => (size > 0 ? 'repaired' : 'fine')

const constraintsOf = (restored: number): string =>
  restored === 0
    ? 'The lasting demands of the user are there'
    : `${counted(restored, 'lasting demand')} of the user ${restored === 1 ? 'was' : 'were'} missing: code added ${restored === 1 ? 'it' : 'them'}`

function hasDemands(summary: string): boolean {
  const [, section = NO_CONTENT] = summary.split(`${CONSTRAINTS_HEADING}\n`)
  return !section.trimStart().startsWith(NO_CONTENT)
}

const evidenceOf = (tokens: number): string =>
  tokens === 0
    ? 'No failed commands and no commits'
    : `Code added the failed commands, the commits and the order of the work: ${counted(tokens, 'token')}`

const NO_MODEL = new Set(['embedded', 'caller', 'hook'])

function sizeOf({ tokens, limitTokens }: NonNullable<Checks['size']>, { model, summaryTokens = 0 }: Written): Finding {
  const written = `${NO_MODEL.has(model) ? 'The text has' : 'The model wrote'} ${count(tokens)} of at most ${counted(limitTokens, 'token')}`
  // The model's text may have been cut too.
  const whole = summaryTokens > tokens ? `; with what code added, the summary has ${count(summaryTokens)}` : ''
  return { text: `${written}${whole}`, state: tokens > limitTokens ? 'fault' : 'fine' }
}

const REQUESTS: Readonly<Record<NonNullable<Checks['latestRequest']>, string>> = {
  kept: 'The newest request is there word for word',
  restored: 'Code added the newest request word for word',
  cut: 'The newest request is longer than its share and was cut',
  missing: 'The newest request is not there word for word',
}

const STATES: Readonly<Record<NonNullable<Checks['latestRequest']>, State>> = {
  kept: 'fine',
  restored: 'repaired',
  cut: 'fault',
  missing: 'fault',
}
