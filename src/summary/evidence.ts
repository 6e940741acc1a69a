import { checkName, readCheck } from '../extract/checks.ts'
import { commandFilesOf, commitsOf, endedRuns, outcomeOf, type EndedRun, type PairedMessages } from '../extract/runs.ts'
import { endsOfPath, MAX_COMPARED_FOLDERS, normalizePath, plainPath } from '../files/paths.ts'
import { lastOfEach } from '../text/last-of-each.ts'
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
  const runs = endedRuns(paired)
  const failures = new FailureLog(earlier.failures, runs)
  const deleted = new DeletedFiles(earlier.deleted)
  const evidence = { ...earlier, commits: [...earlier.commits], renamed: [...earlier.renamed] }
  for (const run of runs) {
    failures.note(run)
    // There may be hundreds of thousands, which are too many for the arguments of one call. What failed beside a commit has not undone it.
    for (const commit of commitsOf(run)) evidence.commits.push(commit)
    if (outcomeOf(run).kind === 'failed') continue
    if (run.command !== undefined) noteChanges(run, { evidence, deleted })
    const path = pathOf(run)
    if (path !== undefined) deleted.restore(path)
  }
  return mergeEvidence({ ...evidence, failures: failures.list(), deleted: deleted.list() }, noEvidence())
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

/** The deleted files of a session, oldest first, without those that exist again. */
class DeletedFiles {
  readonly #paths = new Map<string, string>()
  /** The absolute paths that end with a relative one. */
  readonly #byEnd = new Map<string, Set<string>>()

  constructor(paths: readonly string[]) {
    for (const path of paths) this.add(path)
  }

  add(path: string): void {
    const key = keyOf(path)
    this.#paths.delete(key)
    this.#paths.set(key, path)
    if (key.startsWith('/'))
      for (const end of endsOfPath(key)) this.#byEnd.set(end, (this.#byEnd.get(end) ?? new Set()).add(key))
  }

  /** Removes a path that exists again, and its folders. An absolute path is the same as its end. */
  restore(path: string): void {
    if (this.#paths.size === 0) return
    if (path === '.') this.#paths.clear()
    const parts = keyOf(path).split('/')
    for (let length = parts.length; length > 0 && length > parts.length - MAX_COMPARED_FOLDERS; length--) {
      const folder = parts.slice(0, length).join('/')
      this.#paths.delete(folder)
      if (folder.startsWith('/')) for (const end of endsOfPath(folder)) this.#paths.delete(end)
      else for (const absolute of this.#byEnd.get(folder) ?? []) this.#paths.delete(absolute)
      this.#byEnd.delete(folder)
    }
  }

  list(): string[] {
    return [...this.#paths.values()]
  }
}

const keyOf = (path: string): string => plainPath(normalizePath(path) ?? '')

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
