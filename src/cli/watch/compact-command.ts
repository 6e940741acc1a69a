import { quote } from '../../text/controls.ts'
import type { Cli } from '../cli.ts'
import { optionTextsOf, type Values } from '../read-arguments.ts'

/** The options of a watch that its compactions need too, so that they use what it has prepared. */
const SHARED = ['model', 'with', 'keep', 'budget', 'focus', 'window'] as const

/** Returns the command that writes the compaction of a session. */
export function writeCompactCommand(name: string, values: Values, { command }: Pick<Cli, 'command'>): string {
  const options = SHARED.flatMap((option) =>
    optionTextsOf(values, option).map((value) => `--${option} ${wordOf(value)}`),
  )
  return [command, 'compact', wordOf(name), '--write', ...options].join(' ')
}

const wordOf = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : quote(text))
