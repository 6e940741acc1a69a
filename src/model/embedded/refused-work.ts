import type { CommitMessage } from '../../extract/commit-message.ts'
import type { WorkCommit } from '../../extract/work-item.ts'
import { shorten } from '../../text/shorten.ts'
import type { ParsedSummary } from '../../text/summary-parts.ts'
import { DETAIL } from './describe-details.ts'
import type { SessionFacts } from './facts.ts'
import { SINCE, withSince } from './stale-words.ts'

const LABEL = 'Not committed yet, in the words of the refused commit: '
const BETWEEN = '; '
const MAX_CHARACTERS = 1200

/** A shorter part of a message may be in any other one. */
const MIN_COMPARED_CHARACTERS = 12

/** Returns what a refused commit says of its work; undefined if its message is only a subject. */
export const writeRefusedWork = ({ body }: CommitMessage): string | undefined =>
  body.length === 0 ? undefined : LABEL + shorten(body.join(BETWEEN), MAX_CHARACTERS)

/** Whether a line of an earlier summary has what a refused commit says of its work. */
export const isRefusedWork = (line: string): boolean => line.startsWith(DETAIL + LABEL)

/**
 * Returns the statements of an earlier summary without the work of a refused commit that a commit has since, by its message, or that a
 * newer refused commit names. After other commits, it may be in one of them.
 */
export function settleRefusedWork(
  statements: ParsedSummary['statements'],
  { work: { commits }, stand: { refused } }: Pick<SessionFacts, 'work' | 'stand'>,
): ParsedSummary['statements'] {
  const isRefusedAgain = refused?.message !== undefined && writeRefusedWork(refused.message) !== undefined
  const settle = (line: string): string[] => {
    if (!isRefusedWork(line)) return [line]
    if (isRefusedAgain || commits.some((commit) => hasWork(commit, line))) return []
    const hash = commits.at(-1)?.hash
    return [hash === undefined ? line : withSince(line.replace(SINCE, ''), `commit ${hash}`)]
  }
  const settleAll = (all: readonly string[]): string[] => all.map((text) => text.split('\n').flatMap(settle).join('\n'))
  return { ...statements, done: settleAll(statements.done), inProgress: settleAll(statements.inProgress) }
}

const hasWork = ({ body = [] }: WorkCommit, line: string): boolean =>
  body.some((text) => text.length >= MIN_COMPARED_CHARACTERS && line.includes(text))
