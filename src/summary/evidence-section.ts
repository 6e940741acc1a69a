import { firstCharacters, inlineCode, oneLine, shorten } from '../text/shorten.ts'
import { HEADINGS } from '../text/summary-headings.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import type { Evidence } from './evidence.ts'
import type { FailureFact } from './failures.ts'

/** Reads the lines of a section of evidence up to the first one that code did not write, and returns the remaining lines. */
export function readEvidenceLines(lines: readonly string[], evidence: Evidence): string[] {
  const ends = lines.findIndex((line) => line.trim() !== '' && !readLine(line.trimEnd(), evidence))
  return lines.filter((line, index) => line.trim() === '' || (ends >= 0 && index >= ends))
}

/** Code between single backticks, or between double backticks where it contains one. */
const CODE = '(?:`` (.+?) ``|`([^`]+)`)'

const FAILED = new RegExp(
  String.raw`^- failed(, later passed)?: ${CODE} \(((?:[^)\x60]|\x60[^\x60]{1,200}\x60){1,500})\)(?:: (.+))?$`,
)
const COMMIT = /^- commit ([0-9a-f]{7,40} .+)$/
const OLDER_COMMITS = /^- (\d{1,9}) older commits?$/
const DELETED = new RegExp(`^- deleted: ${CODE}$`)
const RENAMED = new RegExp(`^- renamed: ${CODE} -> ${CODE}$`)

function readLine(line: string, evidence: Evidence): boolean {
  const { failures, commits, deleted, renamed } = evidence
  const failed = FAILED.exec(line)
  const [, commit] = COMMIT.exec(line) ?? []
  const [, older] = OLDER_COMMITS.exec(line) ?? []
  const removed = DELETED.exec(line)
  const moved = RENAMED.exec(line)
  if (failed !== null) {
    const [, passed, quoted, plain, status = '', error = ''] = failed
    failures.push({ what: quoted ?? plain ?? '', status, error, hasPassed: passed !== undefined })
  } else if (commit !== undefined) commits.push(commit)
  else if (older !== undefined) evidence.olderCommits += Number(older)
  else if (removed !== null) deleted.push(removed[1] ?? removed[2] ?? '')
  else if (moved !== null) renamed.push({ from: moved[1] ?? moved[2] ?? '', to: moved[3] ?? moved[4] ?? '' })
  else return false
  return true
}

/** The maximum number of lines, including the heading. */
const MAX_EVIDENCE_LINES = 40

/**
 * Writes evidence as a section with one line per fact, oldest first. Where room is short, the lines become shorter;
 * then facts are left out: first failures that passed later, then files and commits, the oldest first, but never the
 * newest failure.
 * @returns an empty string where there is no evidence, or where no line fits
 */
export function writeEvidence(
  evidence: Evidence,
  { maxTokens, maxLines = MAX_EVIDENCE_LINES }: { maxTokens: number; maxLines?: number },
): string {
  let chosen: EvidenceLine[] = []
  const newest = newestOf(evidence)
  for (const lengths of TRIES) {
    const lines = linesOf(newest, lengths)
    chosen = choose(lines, { maxTokens, maxLines: maxLines - 1 })
    const isNewestThere = evidence.failures.length === 0 || chosen.includes(lines.at(-1) as EvidenceLine)
    // Shorter lines make no room for more of them once there are as many as allowed.
    const isFull = chosen.length === Math.min(lines.length, maxLines - 1)
    if (isFull || (lengths.older === SHORTEST && isNewestThere)) break
  }
  return chosen.length === 0 ? '' : write(chosen)
}

/** The number of facts of each kind that are tried: many times those that there is room for. */
const MAX_TRIED_FACTS = 200

/** Returns the newest facts: a session may have hundreds of thousands of them. */
function newestOf({ failures, deleted, renamed, ...commits }: Evidence): Evidence {
  const tried = new Set(
    [true, false].flatMap((hasPassed) =>
      failures.filter((failure) => failure.hasPassed === hasPassed).slice(-MAX_TRIED_FACTS),
    ),
  )
  return {
    ...commits,
    failures: failures.filter((failure) => tried.has(failure)),
    deleted: deleted.slice(-MAX_TRIED_FACTS),
    renamed: renamed.slice(-MAX_TRIED_FACTS),
  }
}

/** The lengths of commands and error lines: shorter ones leave room for more facts. */
const LENGTHS = [
  { what: 120, error: 160 },
  { what: 90, error: 120 },
  { what: 70, error: 100 },
  { what: 64, error: 60 },
  { what: 64, error: 30 },
  { what: 64, error: 0 },
] as const

type Lengths = (typeof LENGTHS)[number]
const [LONGEST] = LENGTHS
const SHORTEST = LENGTHS[LENGTHS.length - 1] as Lengths

/** The work continues at the newest failure: its line becomes shorter only where it would be left out otherwise. */
const TRIES = [
  ...LENGTHS.map((older) => ({ older, newest: LONGEST })),
  ...LENGTHS.map((newest) => ({ older: SHORTEST, newest })),
]

/** A fact as a line; facts of a lower rank are left out first. */
interface EvidenceLine {
  text: string
  rank: number
}

function linesOf(
  { failures, commits, olderCommits, deleted, renamed }: Evidence,
  { older, newest }: { older: Lengths; newest: Lengths },
): EvidenceLine[] {
  const path = (text: string): string => code(shorten(oneLine(text), older.what))
  const newestWith = new Map(failures.map(({ error }, index) => [error, index]))
  // Of several commands with the same error, the newest says it.
  const once = (failure: FailureFact, index: number): FailureFact =>
    newestWith.get(failure.error) === index ? failure : { ...failure, error: '' }
  const others = `- ${olderCommits} older commit${olderCommits === 1 ? '' : 's'}`
  return [
    ...(olderCommits === 0 ? [] : [{ text: others, rank: 1 }]),
    ...commits.map((commit) => ({ text: `- commit ${escapeOwnTags(shorten(oneLine(commit), older.what))}`, rank: 1 })),
    ...deleted.map((file) => ({ text: `- deleted: ${path(file)}`, rank: 1 })),
    ...renamed.map(({ from, to }) => ({ text: `- renamed: ${path(from)} -> ${path(to)}`, rank: 1 })),
    ...failures.map(once).map((failure, index) => ({
      text: failureLine(failure, index === failures.length - 1 ? newest : older),
      rank: failure.hasPassed ? 0 : 2,
    })),
  ]
}

function failureLine({ what, status, error, hasPassed }: FailureFact, lengths: Lengths): string {
  const head = `- failed${hasPassed ? ', later passed' : ''}: ${code(cutCommand(oneLine(what), lengths.what))} (${status})`
  return error === '' || lengths.error === 0
    ? head
    : `${head}: ${escapeOwnTags(shorten(oneLine(error), lengths.error))}`
}

/** Cuts a command at the limit: its beginning identifies it, and the last word boundary may be far before the limit. */
const cutCommand = (command: string, characters: number): string =>
  command.length <= characters ? command : `${firstCharacters(command, characters)}…`

/** Escapes text that looks like one of our tags: it would be removed together with them. */
export const escapeOwnTags = (text: string): string =>
  text.replace(/<(?=\/?(?:read-files|modified-files|short-summary)\b)/gi, '&lt;')

const code = (text: string): string => inlineCode(escapeOwnTags(text))

function choose(lines: readonly EvidenceLine[], limits: { maxTokens: number; maxLines: number }): EvidenceLine[] {
  const byWorth = lines
    .map((line, index) => ({ line, index }))
    .sort((a, b) => b.line.rank - a.line.rank || b.index - a.index)
  // In the order of the section, so that each try estimates the kept lines only.
  let kept: typeof byWorth = []
  for (const one of byWorth) {
    if (kept.length >= limits.maxLines) break
    const grown = [...kept, one].sort((a, b) => a.index - b.index)
    if (estimateTextTokens(write(grown.map(({ line }) => line))) <= limits.maxTokens) kept = grown
  }
  return kept.map(({ line }) => line)
}

const write = (lines: readonly EvidenceLine[]): string =>
  [HEADINGS.evidence, ...lines.map(({ text }) => text)].join('\n')
