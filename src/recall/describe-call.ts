import { readFileOperations } from '../files/paths.ts'
import { readFolder } from '../extract/commands.ts'
import { filesOf, isCommitting, commandFilesOf, outcomeOf, type ToolRun } from '../extract/runs.ts'
import type { RecallKind } from '../schemas/recall-kinds.ts'
import { fieldsOf } from '../session/entry.ts'
import type { ToolCallBlock } from '../session/message.ts'
import { beginning, oneLine, shorten } from '../text/shorten.ts'
import { argumentsOf } from './edit-changes.ts'

/** The length of a line about a call or a question. */
export const LEAD_CHARACTERS = 160

/** More of a call does not get into such a line. */
const READ_CHARACTERS = 1000

/** Returns the file that a call changes, or the first of them; undefined for other calls. */
export const fileOf = ({ call }: ToolRun): string | undefined => call && readFileOperations(call).modifiedFiles[0]

/** Returns what a call is in one line: of an edit its tool and its file. @param text of the call */
export function nameCall({ call, command }: ToolRun, text: string, file: string | undefined): string {
  const isEdit = call !== undefined && command === undefined && file !== undefined
  return shorten(oneLine(isEdit ? `${call.name} ${file}` : beginning(text, READ_CHARACTERS)), LEAD_CHARACTERS)
}

/** Whether a call has not done what it was to do: it has failed, or the user has stopped it. */
export function hasFailed(run: ToolRun): boolean {
  const { kind, isAborted } = outcomeOf(run)
  return kind === 'failed' || isAborted === true
}

/** Returns what a call is besides its output, the most telling first. */
export function kindsOf(run: ToolRun): [RecallKind, ...RecallKind[]] {
  const { call, command } = run
  if (call === undefined && command === undefined) return ['output']
  if (hasFailed(run)) return ['failure', 'call']
  if (command === undefined) return filesOf(run).modifiedFiles.length > 0 ? ['edit', 'call'] : ['call']
  if (isCommitting(run)) return ['commit', 'call']
  return commandFilesOf(run).modified.length > 0 ? ['edit', 'call'] : ['call']
}

/** Returns a call as a reader wants to see it: the command with what the agent says of it, or the name of the tool and its arguments. */
export function writeCall({ call, command }: ToolRun): string {
  if (command !== undefined) return [`$ ${command}`, ...readPurpose(call)].join('\n# ')
  if (call === undefined) return ''
  return `${call.name}${writeArguments(call)}`
}

/** Arguments in which agents say what a command is for: Claude Code, Gemini CLI and opencode; OpenHands; Codex. */
const PURPOSES = ['description', 'summary', 'justification'] as const

const readPurpose = (call: ToolRun['call']): string[] =>
  PURPOSES.map((name) => oneLine(asWord(fieldsOf(call?.arguments)[name]))).filter((text) => text !== '')

/**
 * Returns what a call has in common with the same call at another time: a command and its folder, or the tool and its arguments;
 * undefined for a long one, which is rarely repeated. @param written the text of the call
 */
export function sameCallOf({ call, command }: ToolRun, written: string): string | undefined {
  if (written === '' || written.length > MAX_SAME_CHARACTERS) return undefined
  if (command === undefined) return written
  return `${command}\n${(call && readFolder(call)) ?? ''}`
}

const MAX_SAME_CHARACTERS = 2000

const asWord = (value: unknown): string => (typeof value === 'string' ? value : '')

function writeArguments(call: ToolCallBlock): string {
  if (typeof call.arguments === 'string') return `\n${call.arguments}`
  return argumentsOf(call)
    .filter(([name, value]) => !(value === false && SWITCHES.has(name)))
    .map(([name, value]) => `\n${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('')
}

/** Arguments that agents write with each call: off is what they are without it. */
const SWITCHES = new Set(['replace_all', 'replaceAll', 'run_in_background', 'is_background', 'multiline', '-i'])
