import { findErrors, readExitStatus } from '../extract/commands.ts'
import { mayChangeFiles } from '../files/tools.ts'
import { textOf, toolCallsOf, type Message } from '../session/message.ts'
import { countCharacters } from '../text/shorten.ts'
import { chooseOutput } from './choose-output.ts'

interface Output {
  text: string
  hasFailed: boolean
  /** What a model reads of it; computed on first use. */
  shown?: string
}

/**
 * Replaces the older outputs of calls and commands that were repeated: only the newest output stays, and each older one
 * becomes a note of its size, with the error lines that the newest one does not show.
 * @returns messages in the same order; those that are not replaced are the same objects
 */
export function dedupeToolOutputs(messages: readonly Message[]): readonly Message[] {
  const requests = collectRequests(messages)
  const newest = new Map<string, Output>()
  const deduped: Message[] = []
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index] as Message
    deduped.push(dedupeMessage(message, requests, newest))
  }
  return deduped.reverse()
}

/**
 * Collects what each call requests, by call id: the tool and its arguments. Calls that may change files are left out:
 * to edit a file twice is not to ask the same thing twice.
 */
function collectRequests(messages: readonly Message[]): Map<string, string> {
  const requests = new Map<string, string>()
  for (const message of messages) {
    for (const { id, name, arguments: values } of toolCallsOf(message))
      if (!mayChangeFiles(name)) requests.set(id, requestOf(id, name, values))
  }
  return requests
}

function requestOf(id: string, tool: string, values: unknown): string {
  try {
    return `${tool} ${JSON.stringify(values)}`
  } catch {
    // Arguments that are nested too deeply for `JSON.stringify` are taken as equal to no others.
    return id
  }
}

function dedupeMessage(message: Message, requests: ReadonlyMap<string, string>, newest: Map<string, Output>): Message {
  if (message.role === 'bashExecution') {
    const { command, output, exitCode = 0 } = message
    const text = replaceOlder({ text: output, hasFailed: exitCode !== 0 }, `bash ${command}`, newest)
    return text === undefined ? message : { ...message, output: text }
  }
  const request = message.role === 'toolResult' ? requests.get(message.toolCallId) : undefined
  if (message.role !== 'toolResult' || request === undefined) return message
  if (message.content.some(({ type }) => type !== 'text')) return message
  const output = textOf(message.content)
  const hasFailed = readExitStatus(message, output) !== undefined
  const text = replaceOlder({ text: output, hasFailed }, request, newest)
  return text === undefined ? message : { ...message, content: [{ type: 'text', text }] }
}

/** Shorter outputs cost no more than the note that would replace them. */
const MIN_REPLACED_CHARACTERS = 200

/** @returns the text that replaces an older output; undefined for the newest output and for short ones, which stay */
function replaceOlder(output: Output, request: string, newest: Map<string, Output>): string | undefined {
  const later = newest.get(request)
  if (later === undefined) {
    newest.set(request, output)
    return undefined
  }
  if (output.text.length < MIN_REPLACED_CHARACTERS) return undefined
  const characters = countCharacters(output.text)
  if (characters === countCharacters(later.text) && shownOf(output) === shownOf(later)) {
    // Of an output that is not shown whole, the middle may differ.
    const comparison = shownOf(output) === output.text ? 'the same output as' : 'an output like'
    return `(${comparison} the newest of this call, below: ${characters} characters)`
  }
  const note = `(an older output of the same call: ${characters} characters left out, the newest stands below)`
  return [note, ...findOwnErrors(output, later)].join('\n')
}

function shownOf(output: Output): string {
  return (output.shown ??= chooseOutput(output.text, { hasFailed: output.hasFailed, alreadyShown: new Set() }))
}

/** How many error lines of an older failure stay. */
const MAX_ERROR_LINES = 12

/** The error lines of a failed output that a later one does not show. */
function findOwnErrors(output: Output, later: Output): string[] {
  if (!output.hasFailed) return []
  const shown = shownOf(later)
  return findErrors(output.text, MAX_ERROR_LINES).filter((line) => !shown.includes(line))
}
