import type { UncommittedFiles } from '../../extract/commit-files.ts'
import { inlineCode, oneLine } from '../../text/shorten.ts'
import { checksOf, readCheck } from '../../extract/checks.ts'
import { shortenPath } from './describe-details.ts'
import type { SessionFacts } from './facts.ts'

const LINE = /^- Not in a commit yet, as far as the calls show: (.+)$/
const OTHERS = / and (?:\d{1,4} more|others)$/
const MAX_NAMED = 3
const MAX_READ = 20

const OTHER_LINE = /^- (?:Changed last|Last check), .{1,40}: `/

/** Whether a statement says what was changed and checked last: each summary has its own. */
export const isStateOfChanges = (statement: string): boolean => LINE.test(statement) || OTHER_LINE.test(statement)

/** Writes the files in one line, those that were changed last; undefined if there are none. */
export function writeUncommitted({ paths, hasOthers, last }: UncommittedFiles): string | undefined {
  if (paths.length === 0) return last && `- Changed last, before commit ${last.hash}: ${namesOf(last.paths)}`
  const more = paths.length - MAX_NAMED
  const others = hasOthers ? ' and others' : more > 0 ? ` and ${more} more` : ''
  return `- Not in a commit yet, as far as the calls show: ${namesOf(paths)}${others}`
}

const namesOf = (paths: readonly string[]): string =>
  paths
    .slice(-MAX_NAMED)
    .map((path) => inlineCode(oneLine(shortenPath(path))))
    .join(', ')

/** Writes the result of the newest check; undefined if no file was changed, or if no check has ended. */
export function writeLastCheck({ commands, edits }: Pick<SessionFacts, 'commands' | 'edits'>): string | undefined {
  const {
    command,
    outcome,
    laterEdits = 0,
  } = commands.findLast((one) => checksOf(readCheck(one.command)).length > 0) ?? {}
  if (command === undefined || outcome?.kind === 'unknown' || edits === 0) return undefined
  const when =
    laterEdits === 0 ? 'after the last edit' : laterEdits === 1 ? 'before the last edit' : `${laterEdits} edits ago`
  return `- Last check, ${when}: ${inlineCode(command)} ${outcome?.kind === 'failed' ? 'failed' : 'passed'}`
}

/** Reads what an earlier summary says of them. */
export function readUncommitted(statements: readonly string[] = []): UncommittedFiles {
  const lines = statements.flatMap((statement) => LINE.exec(statement)?.[1] ?? [])
  const paths = lines.flatMap((line) => Array.from(line.matchAll(/`(?:…\/)?([^`]{1,4096})`/g), ([, path = '']) => path))
  return { paths: paths.slice(-MAX_READ), hasOthers: lines.some((line) => OTHERS.test(line)) }
}
