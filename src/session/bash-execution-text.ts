import type { BashExecutionMessage } from './message.ts'

/**
 * A command that the user ran by hand, as text for a model: the command, its output, and how it ended where that was
 * not a plain success.
 */
export function bashExecutionText({ command, output, exitCode, cancelled }: BashExecutionMessage): string {
  const lines = [`Ran \`${command}\``, output === '' ? '(no output)' : `\`\`\`\n${output}\n\`\`\``]
  if (cancelled) lines.push('(cancelled)')
  else if (exitCode !== undefined && exitCode !== 0) lines.push(`Exit code ${exitCode}`)
  return lines.join('\n')
}
