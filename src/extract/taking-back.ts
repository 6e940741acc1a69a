import { readGit } from './commands.ts'
import type { SimpleCommand } from './shell.ts'

/**
 * The work that a command of git takes back: uncommitted work (`discard`, or `stash`, which `unstash` brings back), the last
 * commits with their files (`discard` too) or without them (`uncommit`), or one commit (`revert`).
 */
export interface TakingBack {
  kind: 'discard' | 'stash' | 'unstash' | 'uncommit' | 'revert'
  /** How many of the last commits; of a revert, how many commits follow it. */
  count: number
  /** The commit that is named: the last one that stays, or the one that is reverted. */
  hash?: string
  /** Of lost work, the commit that is the last one afterwards, as the output has it. */
  head?: string
}

/** The output of `git reset --hard`. */
const HEAD_IS_AT = /^HEAD is now at ([0-9a-f]{7,40})/m

/** Returns what the simple commands of a command take back, in order. */
export function readTakingBack(commands: readonly SimpleCommand[], output = ''): TakingBack[] {
  const head = HEAD_IS_AT.exec(output)?.[1]
  return commands
    .flatMap(read)
    .map((step) => (step.kind === 'discard' && head !== undefined ? { ...step, head } : step))
}

/** Goes to an older commit. */
const TO_COMMIT = /^git (?:checkout|switch)(?: --detach)? (?:(?:HEAD|@)[~^]\S*|[0-9a-f]{7,40})$/

/** Whether the last program of a command has run with changes stashed, or on an older commit. */
export function runsElsewhere(commands: readonly SimpleCommand[]): boolean {
  const end = commands.findLastIndex(({ program }) => program !== 'git' && program !== 'cd')
  const before = commands.slice(0, Math.max(0, end))
  const stash = readTakingBack(before).findLast(({ kind }) => kind === 'stash' || kind === 'unstash')
  return stash?.kind === 'stash' || before.some(({ text }) => TO_COMMIT.test(text))
}

/** Returns the commits that a step leaves, which are given oldest first. How many a branch of a server is behind is not known: all are taken for newer. */
export function stayingAfter<Commit extends { hash: string }>(commits: readonly Commit[], step: TakingBack): Commit[] {
  const { kind, hash, count, head = '' } = step
  const last = commits.findIndex((one) => isHash(one.hash, head))
  if (head !== '' && last >= 0) return commits.slice(0, last + 1)
  const named = hash === undefined ? -1 : commits.findIndex((one) => isHash(one.hash, hash))
  if (kind === 'unstash') return [...commits]
  if (kind !== 'revert') return commits.slice(0, hash === undefined ? Math.max(0, commits.length - count) : named + 1)
  const reverted = hash === undefined ? commits.length - 1 - count : named
  return commits.filter((_, index) => index !== reverted)
}

/** Whether two hashes name the same commit: git abbreviates them. */
export const isHash = (one: string, other: string): boolean =>
  one !== '' && (one.startsWith(other) || other.startsWith(one))

/** Returns the files that commands of git set back to their last commit: `.` stands for all. */
export const restoredBy = (commands: readonly SimpleCommand[]): string[] =>
  commands.flatMap((command) => {
    const { verb, given } = readGit(command) ?? { verb: '', given: [] }
    if (verb === 'checkout' || verb === 'restore')
      return given.includes('--staged') || given.includes('-b') ? [] : given.filter((word) => !word.startsWith('-'))
    return read(command).some(({ kind }) => kind === 'discard' || kind === 'stash') ? ['.'] : []
  })

function read(command: SimpleCommand): TakingBack[] {
  const { verb, given: words } = readGit(command) ?? { verb: '', given: [] }
  const names = words.filter((word) => !word.startsWith('-'))
  const [name = ''] = names
  switch (verb) {
    case 'reset': {
      const isHard = words.includes('--hard')
      const place = placeOf(name)
      // `git reset FILE` takes nothing back.
      if (place === undefined || (!isHard && place.count === 0 && place.hash === undefined)) return []
      return [{ kind: isHard ? 'discard' : 'uncommit', ...place }]
    }
    case 'revert':
      return words.some((word) => /^--(?:abort|continue|skip|quit)$/.test(word))
        ? []
        : names.flatMap((one) => {
            const place = placeOf(one)
            return place === undefined ? [] : { kind: 'revert' as const, ...place }
          })
    case 'stash':
      if (name === 'pop' || name === 'apply') return [{ kind: 'unstash', count: 0 }]
      return name === '' || name === 'push' || name === 'save' ? [{ kind: 'stash', count: 0 }] : []
    case 'checkout':
    case 'restore':
      return names.some((one) => /^(?:\.|:\/)$/.test(one)) ? [{ kind: 'discard', count: 0 }] : []
    default:
      return []
  }
}

/** Reads `HEAD`, `HEAD~2`, `HEAD^^`, `@~1`, a hash, or nothing, which is `HEAD`. */
function placeOf(name: string): Omit<TakingBack, 'kind'> | undefined {
  if (/^[0-9a-f]{7,40}$/.test(name)) return { count: 0, hash: name }
  const [found, carets = '', number] = /^(?:HEAD|@)(\^*)(?:~(\d{0,4}))?$/.exec(name === '' ? 'HEAD' : name) ?? []
  if (found === undefined) return /^(?:origin\/|upstream\/|ORIG_HEAD)/.test(name) ? { count: Infinity } : undefined
  return { count: carets.length + (number === undefined ? 0 : Number(number || 1)) }
}
