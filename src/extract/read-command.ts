import type { ToolCallBlock, ToolResultMessage } from '../session/message.ts'

const SHELL_TOOLS =
  /^(?:bash|shell|sh|exec|execute|terminal|run|run_command|execute_command|exec_command|local_shell)$/i
const COMMAND_ARGUMENTS = ['command', 'cmd', 'script'] as const

/** The command of a call of a shell tool. */
export function readCommand({ name, arguments: values }: ToolCallBlock): string | undefined {
  if (!SHELL_TOOLS.test(name) || typeof values !== 'object' || values === null) return undefined
  const [command] = COMMAND_ARGUMENTS.map((key) => (values as Record<string, unknown>)[key]).filter(
    (one) => one !== undefined,
  )
  return Array.isArray(command) ? command.join(' ') : typeof command === 'string' ? command : undefined
}

/** How clients write an exit status into a command's output; it stands at its end. */
const EXIT_NOTE = /\bexit(?:ed)?(?: with)?(?: (?:code|status))?:? (\d{1,3})\b(?!.*\bexit(?:ed)? )/is
const NOTE_CHARACTERS = 300

/**
 * Tells how a tool failed, in the words `exit code N` or `error`.
 * @param output the output of a command; empty for other tools, whose text tells no exit status
 * @returns undefined for a success
 */
export function readFailure({ isError, exitCode }: ToolResultMessage, output: string): string | undefined {
  const noted = EXIT_NOTE.exec(output.slice(-NOTE_CHARACTERS))?.[1]
  const code = exitCode ?? (noted === undefined ? undefined : Number(noted))
  if (code !== undefined && code !== 0) return `exit code ${code}`
  return isError ? 'error' : undefined
}
