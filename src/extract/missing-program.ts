import { isQuery } from './exit-status.ts'
import { searchedLines } from './searched-output.ts'
import type { SimpleCommand } from './shell.ts'
import { resultOfTests } from './test-runners.ts'

/** The messages of shells and of Python about a program, or a module, that is not installed. A path names a script of the work. */
const MISSING =
  /(?:^|: )([\w.+-]{1,60}): (?:command )?not found$|command not found: ([\w.+-]{1,60})$|^\S{0,200}python[\d.]*: No module named ([\w.-]{1,60})$/

/** The module that Python runs as a program. */
const MODULE = /^python[\d.]* (?:-\w )*-m (\S+)/

/** Whether a command that has failed has come to a program that is not installed, and to nothing but looks after it. */
export function isProgramMissing(parts: readonly SimpleCommand[], output: string): boolean {
  const names = new Set(searchedLines(output).flatMap(missingIn))
  const at = parts.findIndex((part) => names.has(nameOf(part)))
  if (at < 0) return false
  const isLast = parts[at]?.operator === '&&' || parts.slice(at + 1).every(isQuery)
  return isLast && resultOfTests(output) !== 'failed'
}

function missingIn(line: string): string[] {
  const [, program, ofZsh, module] = MISSING.exec(line.trim()) ?? []
  return [program ?? ofZsh ?? module ?? []].flat()
}

const nameOf = ({ text, words: [name = ''] }: SimpleCommand): string => MODULE.exec(text)?.[1] ?? name
