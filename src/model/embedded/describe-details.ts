import type { WorkItem } from '../../extract/work-item.ts'
import type { DocumentFact, FileFact, TurnFact } from './facts.ts'
import type { Rating, Statement } from './ranked-lines.ts'

/** The forms of statements about one thing: an earlier one is recognized by them, and replaced by a newer one. */
export const SOURCES = {
  file: /^- File `(.+?)`(, as written)?:/,
  document: /^- The agent read `(.+?)`:/,
} as const

export const DETAIL = '  - '

/** Longer absolute paths are shown by their ends: statements about files, and the file lists, have them whole. */
const MAX_PATH_CHARACTERS = 48

export const shortenPath = (path: string): string =>
  path.length > MAX_PATH_CHARACTERS && path.startsWith('/') ? `…/${path.split('/').slice(-3).join('/')}` : path

export const describePassages = ({ passages }: TurnFact): Pick<Statement, 'details'> => ({
  details: passages.map(({ text, score }) => ({ text: DETAIL + text, rating: { kind: 'passage' as const, score } })),
})

/** What an edit or the content of a file begins with. */
const CHANGE = /^(?:edit|content): /

/** A test's name, or a variable of a script, says less about a file than what else the file declares. */
const MINOR = /^(?:(?:t\.)?(?:test|it|describe)\b|[A-Z][A-Z_\d]{1,40}=)/

/** How many more lines the file that was changed last may have than the first one. */
const NEWEST_FILE_LINES = 12

/** Returns a statement about the content of a file; files that were changed later stay longer. */
export function describeFile(
  { path, isWritten, declared, edits }: FileFact,
  index: number,
  all: readonly FileFact[],
): Statement {
  const base = (NEWEST_FILE_LINES * (index + 1)) / all.length
  const rate = (place: number, kind: 'file' | 'edit' = 'file'): Rating => ({ kind, score: base - place })
  return {
    head: `- File \`${path}\`${isWritten ? ', as written' : ''}:`,
    rating: rate(0),
    details: [
      ...declared.map((text, place) => ({ text: DETAIL + text, rating: rate(place + (MINOR.test(text) ? 15 : 0.1)) })),
      ...edits.map((text, place) => ({ text: DETAIL + text, rating: rate((edits.length - place) * 3, 'edit') })),
    ],
  }
}

/** Reads a statement that `describeFile` has written. */
export function readFile(statement: string): FileFact | undefined {
  const [head = '', ...lines] = statement.split('\n')
  const [, path, written] = SOURCES.file.exec(head) ?? []
  if (path === undefined) return undefined
  const texts = lines.map((line) => line.replace(/^\s*- /, ''))
  const declared = new Set(texts)
  return {
    path,
    isWritten: written !== undefined,
    declared: texts.filter((text) => !CHANGE.test(text)),
    // A declaration that an edit has added stands once, with those of the file.
    edits: texts.filter((text) => CHANGE.test(text) && !declared.has(text.replace(CHANGE, ''))),
  }
}

/** What a document that the user named is worth, in points of its parts, and one about an issue that is closed. */
const NAMED_SCORE = 2
const CLOSED_SCORE = -4
const NEWEST_SCORE = 3

/** Other parts demand nothing. */
const MIN_PART_SCORE = 1

/** Returns statements about documents; the newest stay longest, and those about what is done least long. */
export function describeDocuments(documents: readonly DocumentFact[], items: readonly WorkItem[]): Statement[] {
  const closed = new Set(items.flatMap(({ id, state }) => (id !== undefined && state === 'done' ? id : [])))
  return documents.map((document, index) => {
    const isClosed = document.source.split(/\s+/).some((word) => ISSUE.test(word) && closed.has(word))
    const age = (NEWEST_SCORE * (index + 1)) / documents.length
    return describeDocument(document, age + (isClosed ? CLOSED_SCORE : 0))
  })
}

/** The id of an issue in a command: a number alone may be anything. */
const ISSUE = /^[A-Za-z]\w*-[\w.-]+$/

function describeDocument({ source, isNamed, parts }: DocumentFact, score: number): Statement {
  const base = (isNamed ? NAMED_SCORE : 0) + score
  const details = parts
    .filter(({ score }) => score >= MIN_PART_SCORE)
    .map(({ text, score }, place) => ({
      text: DETAIL + text,
      rating: { kind: 'document' as const, score: base + score - place / 8 },
    }))
  const best = Math.max(...details.map(({ rating }) => rating.score), 0)
  return { head: `- The agent read \`${source}\`:`, rating: { kind: 'document', score: best + 0.1 }, details }
}
