import { checkName, readCheck } from '../extract/checks.ts'
import { oneLine, shorten } from '../text/shorten.ts'
import { noEvidence, type Evidence } from './evidence.ts'

/**
 * Returns the facts that the text of a summary states so clearly that code can read them: `commit 3f2a1bc`, ``Deleted
 * `a.ts` ``, `` `npm test` fails: `Error: no` ``. They are left out of the section of evidence. The next compaction reads
 * them from the text, so that they are not lost if its model leaves them out.
 */
export function findStatedEvidence(text: string): Evidence {
  const evidence = noEvidence()
  for (const line of text.split('\n')) {
    if (line.length > MAX_LINE_CHARACTERS || line.includes('(unverified)')) continue
    const message = shorten(oneLine(line.replace(LIST_MARK, '')), MAX_MESSAGE_CHARACTERS)
    if (MENTIONS_COMMIT.test(line))
      for (const [hash] of line.matchAll(HASH)) evidence.commits.push(`${hash} ${message}`)
    for (const [, files = ''] of line.matchAll(DELETED))
      for (const [, file = ''] of files.matchAll(CODE)) evidence.deleted.push(file)
    const [, what, status = '', error] = FAILED.exec(line) ?? []
    if (what !== undefined && error !== undefined)
      evidence.failures.push({ what, status: readStatus(status), error, hasPassed: PASSED.test(line) })
  }
  return evidence
}

/** Returns the evidence that a text does not state. That a check has passed counts only against a text that says it fails. */
export function withoutStated({ failures, deleted, ...evidence }: Evidence, text: string): Evidence {
  const stated = findStatedEvidence(text)
  const hashes = new Set(stated.commits.map((commit) => shortHash(commit)))
  const gone = new Set(stated.deleted)
  const failed = new Map(stated.failures.map((failure) => [checkName(readCheck(failure.what)), failure]))
  return {
    ...evidence,
    failures: failures.filter(({ what, error, hasPassed }) => {
      const same = failed.get(checkName(readCheck(what)))
      if (hasPassed) return same?.hasPassed === false
      return same === undefined || same.hasPassed || !isSameError(error, same.error)
    }),
    commits: evidence.commits.filter((commit) => !hashes.has(shortHash(commit))),
    deleted: deleted.filter((path) => !gone.has(path)),
  }
}

/** Longer lines are data. */
const MAX_LINE_CHARACTERS = 2000

/** The maximum length of a line that says what was committed, in characters. */
const MAX_MESSAGE_CHARACTERS = 160

const LIST_MARK = /^\s{0,20}(?:[-*+]|\d{1,3}[.)])?\s{0,5}(?:\[[ xX]\])?\s{0,5}/

const MENTIONS_COMMIT = /\bcommit|提交/i

/** A hash of git, with a digit and a letter. */
const HASH = /(?<![\w/.#-])(?=[0-9a-f]{0,39}\d)(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,40}(?![\w/-])/g

/** Git abbreviates hashes to seven characters or more. */
const shortHash = (commit: string): string => commit.slice(0, 7)

const CODE = /`([^`]+)`/g

/** A list of files after the word; `removed a.ts from the index` deletes nothing. */
const DELETED =
  /\b(?:deleted|removed)(?: the)?(?: old| obsolete| unused)?(?: files?)?:? ((?:`[^`]{1,400}`(?:, and |, | and )?){1,50})(?=$|[.;)(]| \()/gi

const FAILED =
  /`([^`]{2,400})`[^`]{0,40}\b(fail(?:s|ed|ing)?|exit(?:s|ed)?(?: with)?(?: code| status)? \d{1,3})\b[^`]{0,40}`([^`]{4,400})`/i
const PASSED = /\b(?:pass(?:es|ed)?|fixed|resolved|solved|succeed(?:s|ed)|green|works now)\b/i

const readStatus = (status: string): string => {
  const code = /\d{1,3}$/.exec(status)?.[0]
  return code === undefined ? 'error' : `exit code ${code}`
}

/** The number of characters by which an error is recognized: a summary may shorten it. */
const COMPARED_CHARACTERS = 40

const isSameError = (proven: string, stated: string): boolean =>
  proven === '' || oneLine(stated).includes(oneLine(proven).slice(0, COMPARED_CHARACTERS).trimEnd())
