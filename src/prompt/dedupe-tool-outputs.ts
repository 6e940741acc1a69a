import { findErrors, readExitStatus } from '../extract/commands.ts'
import type { Cooperative } from '../runtime/cooperative.ts'
import { textOf, toolCallsOf, type Message } from '../session/message.ts'
import { chooseOutput } from './choose-output.ts'
import { countCharacters } from '../text/truncate-middle.ts'

/** Less than this is not worth a note. */
const MIN_FOLDED_CHARACTERS = 200

/** What an older failure said is kept, as far as it is not said again. */
const MAX_ERROR_LINES = 12

interface Output {
  text: string
  hasFailed: boolean
  /** What a model reads of it, once that has been asked for. */
  shown?: string
}

/** Of what is not shown whole the middle may differ. */
const isWhole = (output: Output): boolean => shownOf(output) === output.text

/**
 * Folds what was asked again: of the same call's outputs, and of the same command's, only the newest is told; an older
 * one becomes a note of its size, with the error lines that are not shown of the newest.
 * @returns messages in the same order; those without a repeat are the same objects
 */
export function* dedupeToolOutputs(messages: readonly Message[]): Cooperative<readonly Message[]> {
  const names = yield* nameCalls(messages)
  const newest = new Map<string, Output>()
  const folded: Message[] = []
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index] as Message
    folded.push(fold(message, names, newest))
    yield
  }
  return folded.reverse()
}

/** What was asked, by call id: tool and arguments. Work that changes something is never the same again. */
function* nameCalls(messages: readonly Message[]): Cooperative<Map<string, string>> {
  const names = new Map<string, string>()
  for (const message of messages) {
    for (const { id, name, arguments: values } of toolCallsOf(message))
      if (!/^(?:edit|write|multiedit|create|str_replace|apply_patch)/i.test(name))
        names.set(id, nameOf(id, name, values))
    yield
  }
  return names
}

function nameOf(id: string, tool: string, values: unknown): string {
  try {
    return `${tool} ${JSON.stringify(values)}`
  } catch {
    // Nested too deeply to be written: like no other.
    return id
  }
}

function fold(message: Message, names: ReadonlyMap<string, string>, newest: Map<string, Output>): Message {
  if (message.role === 'bashExecution') {
    const { command, output, exitCode = 0 } = message
    const text = foldOutput({ text: output, hasFailed: exitCode !== 0 }, `bash ${command}`, newest)
    return text === undefined ? message : { ...message, output: text }
  }
  const name = message.role === 'toolResult' ? names.get(message.toolCallId) : undefined
  if (message.role !== 'toolResult' || name === undefined) return message
  if (message.content.some(({ type }) => type !== 'text')) return message
  const output = textOf(message.content)
  const text = foldOutput({ text: output, hasFailed: readExitStatus(message, output) !== undefined }, name, newest)
  return text === undefined ? message : { ...message, content: [{ type: 'text', text }] }
}

/** @returns undefined where it stays as it is */
function foldOutput(output: Output, name: string, newest: Map<string, Output>): string | undefined {
  const later = newest.get(name)
  if (later === undefined) {
    newest.set(name, output)
    return undefined
  }
  if (output.text.length < MIN_FOLDED_CHARACTERS) return undefined
  const characters = countCharacters(output.text)
  if (characters === countCharacters(later.text) && shownOf(output) === shownOf(later))
    return `(${isWhole(output) ? 'the same output as' : 'an output like'} the newest of this call, below: ${characters} characters)`
  const note = `(an older output of the same call: ${characters} characters left out, the newest stands below)`
  return [note, ...findOwnErrors(output, later)].join('\n')
}

function shownOf(output: Output): string {
  return (output.shown ??= chooseOutput(output.text, { hasFailed: output.hasFailed, alreadyShown: new Set() }))
}

function findOwnErrors(output: Output, later: Output): string[] {
  if (!output.hasFailed) return []
  const shown = shownOf(later)
  return findErrors(output.text, MAX_ERROR_LINES).filter((line) => !shown.includes(line))
}
