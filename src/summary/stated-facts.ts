import type { Fact } from '../schemas/provenance.ts'
import type { FileLists } from '../session/entry.ts'
import { findClaims } from './checks/claims.ts'
import { withoutRecallNote } from './looking-up.ts'
import { readSummary } from './summary.ts'

type StatedFact = Pick<Fact, 'text' | 'kind'>

/**
 * Returns the facts of a summary in the order in which they are found, each once. What it says about looking things up is no fact.
 * @param toolNames the tools that the session calls: the evidence names failed calls by the tool and its path
 */
export function findStatedFacts(summary: string, files: FileLists, toolNames: ReadonlySet<string>): StatedFact[] {
  return findFactsIn(withoutRecallNote(readSummary(summary)).text, files, toolNames)
}

function findFactsIn(
  summary: string,
  { readFiles, modifiedFiles }: FileLists,
  toolNames: ReadonlySet<string>,
): StatedFact[] {
  const kinds = new Map<string, Fact['kind']>()
  const wholes = findShortenedPaths(summary)
  for (const { kind, text } of findClaims(summary)) kinds.set((kind === 'path' && wholes.get(text)) || text, kind)
  for (const path of [...modifiedFiles, ...readFiles]) kinds.set(path, 'path')
  const failedCalls = findFailedCalls(summary, toolNames)
  for (const path of failedCalls.values()) kinds.set(path, 'path')
  for (const { kind, text } of findSpans(summary)) if (!kinds.has(text) && !failedCalls.has(text)) kinds.set(text, kind)
  return Array.from(kinds, ([text, kind]) => ({ text, kind }))
}

/** A path after a gap (`text/name-boundary.ts`): as a claim, it would be the path of a file at the root. */
const SHORTENED_PATH = /(?:…|(?:\.{3}|<[^<>\n]{1,40}>|\[redacted:[a-z-]{1,40}\])(?=[/\\]))([\w@.+/\\-]{1,300})/g

/** Returns the shortened paths of a summary with their gaps, by what comes after the gap. */
function findShortenedPaths(summary: string): Map<string, string> {
  const wholes = new Map<string, string>()
  for (const [whole, rest = ''] of summary.matchAll(SHORTENED_PATH)) {
    const path = rest.replace(/\.{1,9}$/, '')
    wholes.set(path, whole.slice(0, whole.length - rest.length + path.length))
  }
  return wholes
}

/** A failure in the evidence (`evidence-section.ts`): a command, or a tool and its path. */
const FAILURE = /^- failed(?:, later passed)?: `([^`\n]+)` \(/gm

/** Returns the paths of the failed calls, by the tool and the path as the evidence has them. */
function findFailedCalls(summary: string, toolNames: ReadonlySet<string>): Map<string, string> {
  const paths = new Map<string, string>()
  for (const [, what = ''] of summary.matchAll(FAILURE)) {
    const space = what.indexOf(' ')
    if (space > 0 && toolNames.has(what.slice(0, space))) paths.set(what, what.slice(space + 1).trim())
  }
  return paths
}

interface SpanKind {
  kind: Fact['kind']
  pattern: RegExp
  minCharacters: number
  maxCharacters: number
}

/**
 * Other texts that a summary states word for word, besides the claims that the checks look up. Short and long texts match too:
 * without them, what closes one would open the next.
 */
const SPANS: readonly SpanKind[] = [
  { kind: 'code', pattern: /``([^`\n]*(?:`(?!`)[^`\n]*)*)``|`([^`\n]*)`/g, minCharacters: 3, maxCharacters: 300 },
  // After a letter or a digit, a quotation mark opens nothing: it stands for inches, or its line is cut.
  { kind: 'quote', pattern: /(?<!\w)"([^"\n]*)"(?!\w)|“([^“”\n]*)”/g, minCharacters: 12, maxCharacters: 300 },
  // `user-messages.ts` writes the question before an answer: the question is a quotation of its own.
  {
    kind: 'quote',
    pattern: /^[ \t]{0,3}>[ \t]?(?!\(Answer to ")(\S[^\n]*)$/gm,
    minCharacters: 4,
    maxCharacters: Infinity,
  },
]

function* findSpans(summary: string): Generator<StatedFact> {
  for (const { kind, pattern, minCharacters, maxCharacters } of SPANS)
    for (const [, first, second = ''] of summary.matchAll(pattern)) {
      const text = (first ?? second).trim()
      if (text.length >= minCharacters && text.length <= maxCharacters) yield { kind, text }
    }
}
