import { findCommits, findErrors, makesCommits } from '../extract/commands.ts'
import {
  commandFilesOf,
  endedRuns,
  filesOf,
  outcomeOf,
  outputOf,
  type EndedRun,
  type PairedMessages,
} from '../extract/runs.ts'
import { normalizePath, PATH_ARGUMENTS } from '../files/paths.ts'
import { isPatchTool, isWriteTool, WRITE_TOOLS } from '../files/tools.ts'
import { firstText } from '../session/entry.ts'
import { lastOfEach } from '../text/last-of-each.ts'
import { oneLine } from '../text/shorten.ts'

/** A failed command, or a failed call of another tool. */
export interface FailureFact {
  /** The command on one line, or the tool's name and its path. */
  what: string
  /** `exit code 1`, or `error` where no exit status is known. */
  status: string
  /** The last line of the output that gives the reason; empty where no line does. */
  error: string
  /** True where the same command or call succeeded later. */
  hasPassed: boolean
}

/** The events of a session that code can prove, oldest first: a summary may be wrong about them, this is not. */
export interface Evidence {
  failures: FailureFact[]
  /** Commits as `3f2a1bc message`. */
  commits: string[]
  deleted: string[]
  renamed: { from: string; to: string }[]
}

/**
 * Collects the events that messages prove, oldest first: failures and their reasons, commits, and files that commands
 * deleted or renamed. A file that exists again later is not deleted, and a failed call of a file tool counts only until one
 * for the same file succeeds.
 * @param earlier the evidence of earlier compactions, which the messages continue
 */
export function collectEvidence(paired: PairedMessages, earlier: Evidence = noEvidence()): Evidence {
  const failures = new Map(earlier.failures.map((failure) => [failure.what, failure]))
  const deleted = new DeletedFiles(earlier.deleted)
  const evidence = { ...earlier, commits: [...earlier.commits], renamed: [...earlier.renamed] }
  for (const run of endedRuns(paired)) {
    const subject = subjectOf(run)
    if (subject === undefined) continue
    noteOutcome(run, subject, failures)
    if (outcomeOf(run).kind === 'failed') continue
    if (run.command !== undefined) noteChanges(run, { evidence, deleted })
    if (subject.path !== undefined) deleted.restore(subject.path)
  }
  return mergeEvidence({ ...evidence, failures: [...failures.values()], deleted: deleted.list() }, noEvidence())
}

/** What a failure is known by. */
interface Subject {
  what: string
  /** The file of a call of a file tool, and whether the call writes it. */
  path?: string
  isWrite?: boolean
}

/** @returns undefined for a result without its call */
function subjectOf(run: EndedRun): Subject | undefined {
  const { call, command } = run
  if (command !== undefined) return { what: oneLine(command) }
  if (call === undefined) return undefined
  const { name, arguments: values } = call
  const path = firstText(values, PATH_ARGUMENTS) ?? filesOf(run).modifiedFiles[0]
  const what = [name, path].filter(Boolean).join(' ')
  return path === undefined ? { what } : { what, path, isWrite: isWriteTool(name, values) || isPatchTool(name) }
}

/** Records each failure once, in the order of its last occurrence, and marks failed commands that passed later. */
function noteOutcome(run: EndedRun, { what, path, isWrite }: Subject, failures: Map<string, FailureFact>): void {
  const { kind, status = 'error' } = outcomeOf(run)
  const earlier = failures.get(what)
  // A failure counts until the same command is known to succeed.
  if (kind === 'unknown' && path === undefined) return
  failures.delete(what)
  if (kind === 'failed')
    failures.set(what, { what, status, error: findErrors(outputOf(run), 1)[0] ?? '', hasPassed: false })
  else if (path === undefined && earlier !== undefined) failures.set(what, { ...earlier, hasPassed: true })
  // Whichever tool wrote the file at last: the change was made.
  else if (isWrite === true) for (const name of WRITE_TOOLS) failures.delete(`${name} ${path}`)
}

interface Changes {
  evidence: Evidence
  deleted: DeletedFiles
}

function noteChanges(run: EndedRun, { evidence, deleted }: Changes): void {
  const files = commandFilesOf(run)
  // There may be hundreds of thousands, which are too many for the arguments of one call.
  if (makesCommits(run.command ?? '')) for (const commit of findCommits(outputOf(run))) evidence.commits.push(commit)
  for (const path of files.deleted) deleted.add(path)
  for (const path of [...files.created, ...files.modified, ...files.renamed.map(({ to }) => to)]) deleted.restore(path)
  evidence.renamed.push(...files.renamed)
}

/** Paths have fewer folders than this; of a longer one, the last ones are compared. */
const MAX_COMPARED_FOLDERS = 12

/** The deleted files of a session, oldest first, without those that exist again. */
class DeletedFiles {
  readonly #paths = new Map<string, string>()
  /** The absolute paths that end with a relative one. */
  readonly #byEnd = new Map<string, Set<string>>()

  constructor(paths: readonly string[]) {
    for (const path of paths) this.add(path)
  }

  add(path: string): void {
    const key = plainPath(path)
    this.#paths.delete(key)
    this.#paths.set(key, path)
    if (key.startsWith('/'))
      for (const end of endsOf(key)) this.#byEnd.set(end, (this.#byEnd.get(end) ?? new Set()).add(key))
  }

  /** Removes a path that exists again, and its folders. An absolute path is the same as its end. */
  restore(path: string): void {
    if (this.#paths.size === 0) return
    if (path === '.') this.#paths.clear()
    const parts = plainPath(path).split('/')
    for (let length = parts.length; length > 0 && length > parts.length - MAX_COMPARED_FOLDERS; length--) {
      const folder = parts.slice(0, length).join('/')
      this.#paths.delete(folder)
      if (folder.startsWith('/')) for (const end of endsOf(folder)) this.#paths.delete(end)
      else for (const absolute of this.#byEnd.get(folder) ?? []) this.#paths.delete(absolute)
      this.#byEnd.delete(folder)
    }
  }

  list(): string[] {
    return [...this.#paths.values()]
  }
}

const plainPath = (path: string): string =>
  (normalizePath(path) ?? '').replace(/^(?:\.\/)+/, '').replace(/\/{1,9}$/, '')

const endsOf = (path: string): string[] =>
  path
    .split('/')
    .slice(-MAX_COMPARED_FOLDERS)
    .map((_part, index, parts) => parts.slice(index).join('/'))

/** Merges the evidence of earlier compactions with new evidence: each fact once, at the place of its newest mention. */
export function mergeEvidence(older: Evidence, newer: Evidence): Evidence {
  return {
    failures: lastOfEach([...older.failures, ...newer.failures], ({ what }) => what),
    commits: lastOfEach([...older.commits, ...newer.commits], (commit) => commit.split(' ', 1)[0] ?? ''),
    deleted: lastOfEach([...older.deleted, ...newer.deleted], (path) => path),
    renamed: lastOfEach([...older.renamed, ...newer.renamed], ({ from, to }) => JSON.stringify([from, to])),
  }
}

export const noEvidence = (): Evidence => ({ failures: [], commits: [], deleted: [], renamed: [] })
