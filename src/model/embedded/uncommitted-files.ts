import type { UncommittedFiles } from '../../extract/commit-files.ts'
import { inlineCode, oneLine } from '../../text/shorten.ts'
import { shortenPath } from './describe-details.ts'

const LINE = /^- Not in a commit yet, as far as the calls show: (.+)$/
const OTHERS = / and (?:\d{1,4} more|others)$/
const MAX_NAMED = 3
const MAX_READ = 20

/** Whether a statement names the files that are in no commit. */
export const namesUncommitted = (statement: string): boolean => LINE.test(statement)

/** Writes the files in one line, those that were changed last; undefined if there are none. */
export function writeUncommitted({ paths, hasOthers }: UncommittedFiles): string | undefined {
  if (paths.length === 0) return undefined
  const named = paths.slice(-MAX_NAMED).map((path) => inlineCode(oneLine(shortenPath(path))))
  const more = paths.length - named.length
  const others = hasOthers ? ' and others' : more > 0 ? ` and ${more} more` : ''
  return `- Not in a commit yet, as far as the calls show: ${named.join(', ')}${others}`
}

/** Reads what an earlier summary says of them. */
export function readUncommitted(statements: readonly string[] = []): UncommittedFiles {
  const lines = statements.flatMap((statement) => LINE.exec(statement)?.[1] ?? [])
  const paths = lines.flatMap((line) => Array.from(line.matchAll(/`(?:…\/)?([^`]{1,4096})`/g), ([, path = '']) => path))
  return { paths: paths.slice(-MAX_READ), hasOthers: lines.some((line) => OTHERS.test(line)) }
}
