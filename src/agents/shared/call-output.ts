import { fieldsOf, isObject, jsonOrText, parseFields } from '../../session/entry.ts'
import { asText, type Fields } from './values.ts'

/** Returns the name and the arguments of a call. Arguments that are not JSON stay text. */
export function readCall(item: Fields): { name: string; values: unknown } {
  const type = asText(item['type'])
  switch (type) {
    case 'function_call':
    case 'mcp_call':
      return { name: nameOf(item), values: jsonOrText(asText(item['arguments']) || '{}') }
    case 'custom_tool_call':
      return { name: asText(item['name']) || 'unknown', values: { input: asText(item['input']) } }
    case 'apply_patch_call':
      return { name: 'apply_patch', values: item['operation'] ?? {} }
    case 'shell_call':
      return { name: 'shell', values: { command: fieldsOf(item['action'])['commands'] ?? [] } }
    case 'local_shell_call':
      return { name: 'local_shell', values: item['action'] ?? {} }
    default:
      return {
        name: type.slice(0, -'_call'.length),
        values: item['action'] ?? item['queries'] ?? (item['code'] === undefined ? {} : { code: item['code'] }),
      }
  }
}

/** Returns the name of a function. Codex 0.169 writes the server of a tool beside it, as other agents write it before it. */
function nameOf({ name, namespace }: Fields): string {
  const [own, server] = [asText(name) || 'unknown', asText(namespace)]
  return server.startsWith('mcp__') && !own.startsWith(server) ? `${server.replace(/__$/, '')}__${own}` : own
}

interface CallOutput {
  text: string
  /** The parts of an output that is not one text. */
  parts?: readonly unknown[]
  /** Left out where the item does not say it. */
  isError?: boolean
  exitCode?: number
}

/** Returns the output of a call of the Responses API. How a command ended is in one of several places. */
export function readCallOutput(item: Fields): CallOutput {
  const { output, error, status } = item
  if (typeof error === 'string' && error !== '') return { text: error, isError: true }
  const hasFailed = status === 'failed' || status === 'incomplete'
  if (Array.isArray(output)) {
    if (item['type'] === 'shell_call_output') return readShellOutput(output)
    return { text: '', parts: output as unknown[], ...(hasFailed ? { isError: true } : {}) }
  }
  // Codex of 2025: an object, or its JSON.
  const { content, success, metadata, output: inner } = isObject(output) ? output : parseFields(asText(output))
  const found = asText(inner) || asText(content)
  const text = found === '' && metadata === undefined ? asText(output) : found
  const { exit_code: inMetadata } = fieldsOf(metadata)
  const exitCode = typeof inMetadata === 'number' ? inMetadata : readExitLine(text)
  const isError = hasFailed || success === false || (exitCode !== undefined && exitCode !== 0) || isRefusal(text)
  const isMarked = isError || typeof success === 'boolean' || exitCode !== undefined
  return { text, ...(isMarked ? { isError } : {}), ...(exitCode === undefined ? {} : { exitCode }) }
}

function readShellOutput(outputs: readonly unknown[]): CallOutput {
  const runs = outputs.map(fieldsOf)
  const texts = runs.flatMap(({ stdout, stderr }) => [asText(stdout), asText(stderr)]).filter((text) => text !== '')
  const outcome = fieldsOf(runs.at(-1)?.['outcome'])
  const exitCode = typeof outcome['exit_code'] === 'number' ? outcome['exit_code'] : undefined
  const isError = outcome['type'] === 'timeout' || (exitCode ?? 0) !== 0
  return { text: texts.join('\n'), isError, ...(exitCode === undefined ? {} : { exitCode }) }
}

/** The first lines of an output of `exec_command` (Codex 0.120 and 0.169). The output itself may have any text. */
const EXIT_LINE = /^Process exited with code (-?\d{1,10})$/
const EXIT_LINE_CHARACTERS = 400

function readExitLine(output: string): number | undefined {
  for (const line of output.slice(0, EXIT_LINE_CHARACTERS).split('\n')) {
    const code = EXIT_LINE.exec(line)?.[1]
    if (code !== undefined) return Number(code)
    if (line === 'Output:') return undefined
  }
  return undefined
}

/** The result of Codex for a call of a tool that it does not have. */
const isRefusal = (text: string): boolean => /^unsupported (?:custom tool )?call: /.test(text.slice(0, 40))
