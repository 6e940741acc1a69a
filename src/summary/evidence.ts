import { checkName } from '../extract/check-names.ts'
import { readCheck } from '../extract/checks.ts'
import { isAmending } from '../extract/commands.ts'
import {
  commandFilesOf,
  commitsOf,
  endedRuns,
  hasCommitted,
  hasEnded,
  outcomeOf,
  simpleCommandsOf,
  type EndedRun,
  type PairedMessages,
} from '../extract/runs.ts'
import { readTakingBack, stayingAfter } from '../extract/taking-back.ts'
import { lastOfEach } from '../text/last-of-each.ts'
import { LIST_MARK } from '../text/list-marks.ts'
import { oneLine, shorten } from '../text/shorten.ts'
import { isSameError } from './same-error.ts'
import { DeletedFiles } from './deleted-files.ts'
import { FailureLog, pathOf, type FailureFact } from './failures.ts'

/** The events of a session that code can prove, oldest first: a summary may be wrong about them, this is not. */
export interface Evidence {
  failures: FailureFact[]
  /** Commits as `3f2a1bc message`. */
  commits: string[]
  olderCommits: number
  deleted: string[]
  renamed: { from: string; to: string }[]
}

/**
 * Collects the events that messages prove, oldest first: failures and their reasons, commits, and files that commands
 * deleted or renamed. A failure counts until the same check is known to pass (`extract/checks.ts`), and a failed call of a
 * file tool until the file is changed. A look at something that is not there is no failure, and neither is a call that the
 * user has refused.
 * @param earlier the evidence of earlier compactions, which the messages continue
 */
export function collectEvidence(paired: PairedMessages, earlier: Evidence = noEvidence()): Evidence {
  const failures = new FailureLog(earlier.failures, endedRuns(paired))
  const deleted = new DeletedFiles(earlier.deleted)
  const evidence = { ...earlier, commits: [...earlier.commits], renamed: [...earlier.renamed] }
  for (const message of paired.messages) {
    failures.hear(message)
    const run = message.role === 'assistant' ? undefined : paired.runs.get(message)
    if (run === undefined || !hasEnded(run)) continue
    failures.note(run)
    evidence.commits = withoutTakenBack(evidence.commits, run)
    // There may be hundreds of thousands, which are too many for the arguments of one call. What failed beside a commit has not undone it.
    for (const commit of commitsOf(run)) evidence.commits.push(commit)
    if (outcomeOf(run).kind === 'failed') continue
    if (run.command !== undefined) noteChanges(run, { evidence, deleted })
    const path = pathOf(run)
    if (path !== undefined) deleted.restore(path)
  }
  return mergeEvidence({ ...evidence, failures: failures.list(), deleted: deleted.list() }, noEvidence())
}

/** Returns commits without those that a command takes back. Which of them a branch of a server has is not known. */
function withoutTakenBack(commits: string[], run: EndedRun): string[] {
  if (run.command?.includes('git') !== true || commits.length === 0) return commits
  const simple = simpleCommandsOf(run)
  const steps = outcomeOf(run).kind === 'failed' ? [] : readTakingBack(simple).filter(({ count }) => count !== Infinity)
  if (simple.some(isAmending) && hasCommitted(run)) steps.push({ kind: 'uncommit', count: 1 })
  if (steps.length === 0) return commits
  const known = commits.map((text) => ({ text, hash: text.split(' ', 1)[0] ?? '' }))
  return steps.reduce((left, step) => stayingAfter(left, step), known).map(({ text }) => text)
}

interface Changes {
  evidence: Evidence
  deleted: DeletedFiles
}

function noteChanges(run: EndedRun, { evidence, deleted }: Changes): void {
  const files = commandFilesOf(run)
  for (const path of files.deleted) deleted.add(path)
  for (const path of [...files.created, ...files.modified, ...files.renamed.map(({ to }) => to)]) deleted.restore(path)
  evidence.renamed.push(...files.renamed)
}

/** Merges the evidence of earlier compactions with new evidence: each fact once, at the place of its newest mention. */
export function mergeEvidence(older: Evidence, newer: Evidence): Evidence {
  return {
    failures: lastOfEach([...older.failures, ...newer.failures], ({ what }) => checkName(readCheck(what))),
    commits: lastOfEach([...older.commits, ...newer.commits], (commit) => commit.split(' ', 1)[0] ?? ''),
    olderCommits: older.olderCommits + newer.olderCommits,
    deleted: lastOfEach([...older.deleted, ...newer.deleted], (path) => path),
    renamed: lastOfEach([...older.renamed, ...newer.renamed], ({ from, to }) => JSON.stringify([from, to])),
  }
}

export const noEvidence = (): Evidence => ({ failures: [], commits: [], olderCommits: 0, deleted: [], renamed: [] })

/**
 * Returns the facts that the text of a summary states so clearly that code can read them: `commit 3f2a1bc`, ``Deleted
 * `a.ts` ``, `` `npm test` fails: `Error: no` ``. They are left out of the section of evidence. The next compaction reads
 * them from the text, so that they are not lost if its model leaves them out.
 */
export function findStatedEvidence(text: string): Evidence {
  const evidence = noEvidence()
  for (const line of text.split('\n')) {
    if (line.length > MAX_LINE_CHARACTERS || line.includes('(unverified)')) continue
    if (MENTIONS_COMMIT.test(line))
      for (const [hash] of line.matchAll(HASH)) evidence.commits.push(`${hash} ${messageOf(line, hash)}`)
    for (const [, files = ''] of line.matchAll(DELETED))
      for (const [, file = ''] of files.matchAll(CODE)) evidence.deleted.push(file)
    const [, what, status = '', error] = FAILED.exec(line) ?? []
    if (what !== undefined && error !== undefined)
      evidence.failures.push({ what, status: readStatus(status), error, hasPassed: PASSED.test(line) })
  }
  return evidence
}

/** Of older commits, the log of the repository has all that there is to know. */
const MAX_COMMITS = 10

/**
 * Returns the evidence that a text does not state: of commits, the newest ones, and the number of the others. That a check has passed
 * counts only against a text that says it fails.
 */
export function withoutStated({ failures, deleted, ...evidence }: Evidence, text: string): Evidence {
  const stated = findStatedEvidence(text)
  const hashes = new Set(stated.commits.map(shortHash))
  const gone = new Set(stated.deleted)
  const failed = new Map(stated.failures.map((failure) => [checkName(readCheck(failure.what)), failure]))
  const isUnstated = (commit: string): boolean => !hashes.has(shortHash(commit))
  return {
    ...evidence,
    failures: failures.filter(({ what, error, hasPassed }) => {
      const same = failed.get(checkName(readCheck(what)))
      if (hasPassed) return same?.hasPassed === false
      return same === undefined || same.hasPassed || !isSameError(error, same.error)
    }),
    commits: evidence.commits.slice(-MAX_COMMITS).filter(isUnstated),
    olderCommits: evidence.olderCommits + evidence.commits.slice(0, -MAX_COMMITS).filter(isUnstated).length,
    deleted: deleted.filter((path) => !gone.has(path)),
  }
}

/** Longer lines are data. */
const MAX_LINE_CHARACTERS = 2000

/** Returns what a line says of a commit: the sentence that names it, and not the request that it was made for. */
function messageOf(line: string, hash: string): string {
  const text = oneLine(line.replace(LIST_MARK, ''))
  const sentence = text.split(/(?<=[.!?])\s|\s=>\s/).find((one) => one.includes(hash)) ?? text
  const bare = sentence.replace(IN_COMMIT, '').trim()
  return shorten(bare === '' ? sentence : bare, MAX_MESSAGE_CHARACTERS)
}

/** The mark and the state of a line for a commit. */
const IN_COMMIT = /^\[x\] | \((?:said to be done, )?in commit [0-9a-f]{7,40}\)$/g

/** The maximum length of a line that says what was committed, in characters. */
const MAX_MESSAGE_CHARACTERS = 160

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

const readStatus = (status: string): string =>
  /\d$/.test(status) ? `exit code ${status.replace(/^\D+/, '')}` : 'error'
