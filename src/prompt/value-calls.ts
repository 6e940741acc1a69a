import { filesOf, outcomeOf, outputOf, type PairedMessages, type ToolRun } from '../extract/runs.ts'
import { isWholeRead, normalizePath } from '../files/paths.ts'
import { isPatchTool, isPlanTool, isReadTool, isWriteTool, mayChangeFiles } from '../files/tools.ts'
import { firstText } from '../session/entry.ts'
import { toolCallsOf, type Message, type ToolCallBlock } from '../session/message.ts'
import { testPointed } from './pointed-documents.ts'
import type { PieceValue } from './transcript-piece.ts'

/** A tool call, or a command that the user ran, and what became of it. */
export interface ValuedCall {
  arguments: PieceValue
  output: PieceValue
  /** True if a newer output has the same text. */
  isDuplicate: boolean
}

/** The values of calls, by the object of the call, of its result, or of the user's command. */
export type CallValues = ReadonlyMap<ToolCallBlock | Message, ValuedCall>

/**
 * Finds out what the calls of a conversation are worth to somebody who continues it: which outputs and versions of files
 * were replaced by newer ones, which are plans, specifications, errors or files, and which have the same text as a newer
 * one.
 */
export function valueCalls({ messages, runs }: PairedMessages): CallValues {
  const isPointedTo = testPointed(messages)
  const newer = new NewerRuns()
  const values = new Map<ToolCallBlock | Message, ValuedCall>()
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]
    const calls = message?.role === 'bashExecution' ? [message] : message === undefined ? [] : toolCallsOf(message)
    for (const call of calls.toReversed()) {
      const run = runs.get(call) ?? {}
      const valued = newer.value(run, () => 'arguments' in call && isPointedTo(call, index))
      if (run.call !== undefined) values.set(run.call, valued)
      if (run.result !== undefined) values.set(run.result, valued)
    }
  }
  return values
}

/** Shorter outputs cost no more than the note that would replace them. */
const MIN_REPLACED_CHARACTERS = 200

/** Of longer outputs the middle may have been left out when they were read, so that they only look equal. */
const MAX_COMPARED_CHARACTERS = 100_000

/** The effects of the newer calls; asked from the newest call to the oldest. */
class NewerRuns {
  readonly #requests = new Set<string>()
  readonly #wholeReads = new Set<string>()
  readonly #writes = new Set<string>()
  readonly #planTools = new Set<string>()
  readonly #outputs = new Set<string>()
  #hasResults = false

  /** @param isPointedTo whether the user had named what the call reads */
  value(run: ToolRun, isPointedTo: () => boolean): ValuedCall {
    // The client stopped a call that newer ones follow, or its result was lost: then all results are.
    const isStopped = run.result === undefined && this.#hasResults
    this.#hasResults ||= run.result !== undefined
    const deed = deedOf(run)
    const hasFailed = outcomeOf(run).kind === 'failed'
    const isSuperseded = isStopped || this.#hasNewer(deed)
    const isDuplicate = this.#hasOutput(outputOf(run))
    if (!hasFailed && !isStopped) this.#add(deed, run)
    // The arguments are a version of a file or of a list. Those of a command are what was run.
    const isVersion = deed.kind === 'change' || deed.planTool !== undefined
    return {
      arguments: isSuperseded && isVersion ? 'old-version' : argumentValue(deed, run),
      output: isSuperseded ? 'superseded' : hasFailed ? 'error' : outputValue(deed, run, isPointedTo),
      isDuplicate,
    }
  }

  #hasOutput(output: string): boolean {
    if (output.length < MIN_REPLACED_CHARACTERS || output.length > MAX_COMPARED_CHARACTERS) return false
    const { size } = this.#outputs
    return this.#outputs.add(output).size === size
  }

  #hasNewer({ kind, path, request, planTool }: Deed): boolean {
    if (planTool !== undefined && this.#planTools.has(planTool)) return true
    if (kind === 'change') return path !== undefined && this.#writes.has(path)
    if (this.#requests.has(request)) return true
    return kind === 'read' && path !== undefined && (this.#writes.has(path) || this.#wholeReads.has(path))
  }

  #add({ kind, path, request, planTool }: Deed, { call }: ToolRun): void {
    if (planTool !== undefined) this.#planTools.add(planTool)
    if (kind !== 'change') this.#requests.add(request)
    if (call === undefined || path === undefined) return
    if (kind === 'change' && isWholeWrite(call)) this.#writes.add(path)
    if (kind === 'read' && isWholeRead(call)) this.#wholeReads.add(path)
  }
}

/** The effect of a call, as far as its name and its arguments say. */
interface Deed {
  kind: 'read' | 'change' | 'other'
  /** The file that is read or changed, if it is one. */
  path: string | undefined
  /** Equal for calls that ask for the same thing; empty for a change. */
  request: string
  /** The name of a tool that keeps a plan. */
  planTool: string | undefined
}

function deedOf(run: ToolRun): Deed {
  const { call, command = '' } = run
  if (call === undefined) return { kind: 'other', path: undefined, request: `user ${command}`, planTool: undefined }
  const { name, arguments: values } = call
  const isRead = isReadTool(name, values)
  const isChange = isWriteTool(name, values) || isPatchTool(name) || (mayChangeFiles(name) && !isRead)
  const { readFiles, modifiedFiles } = filesOf(run)
  const [path, ...others] = [...readFiles, ...modifiedFiles]
  return {
    kind: isChange ? 'change' : isRead ? 'read' : 'other',
    path: path === undefined || others.length > 0 ? undefined : normalizePath(path),
    request: isChange ? '' : requestOf(call),
    planTool: isPlanTool(name) ? name : undefined,
  }
}

const CONTENT_ARGUMENTS = ['content', 'contents', 'text', 'file_text']

/** Whether a call writes a whole file: tools that replace a part of one have no such argument. */
const isWholeWrite = ({ name, arguments: values }: ToolCallBlock): boolean =>
  isWriteTool(name, values) && firstText(values, CONTENT_ARGUMENTS) !== undefined

function requestOf({ id, name, arguments: values }: ToolCallBlock): string {
  try {
    return `${name} ${JSON.stringify(values)}`
  } catch {
    // Arguments that are nested too deeply for `JSON.stringify` are taken as equal to no others.
    return id
  }
}

/** Files with the instructions of a project. */
const INSTRUCTIONS = /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|\.cursorrules|copilot-instructions)(?:\.\w+)?$/

/** Documents that are plans or specifications by their names, at the end of a path or of a command. */
const PLAN = /(?:^|\/)[\w.-]*(?:plan|todo|tasks?|roadmap|spec|design|requirement)[\w.-]*\.(?:md|mdx|txt|rst|adoc|org)$/i

/** Names of files have at most so many characters (POSIX, `NAME_MAX`). The pattern takes quadratic time for a longer text. */
const MAX_NAME_CHARACTERS = 255

const PRINTS_FILES = /^\s*(?:cd [^&;|\n]{1,200}&&\s*)?(?:cat|bat|sed -n|head|tail|less|more|nl)\b/

const isPlan = ({ path, planTool }: Deed, { call, command = '' }: ToolRun): boolean =>
  planTool !== undefined || (call !== undefined && PLAN.test((path ?? command).slice(-MAX_NAME_CHARACTERS)))

function argumentValue(deed: Deed, run: ToolRun): PieceValue {
  if (isPlan(deed, run)) return 'plan'
  if (deed.kind === 'change') return 'file'
  return run.command === undefined ? 'argument' : 'command'
}

function outputValue(deed: Deed, run: ToolRun, isPointedTo: () => boolean): PieceValue {
  const { call, command = '' } = run
  if (deed.kind === 'change') return 'receipt'
  if (call === undefined) return 'output'
  if (INSTRUCTIONS.test(deed.path ?? command)) return 'instructions'
  if (isPointedTo()) return 'specification'
  if (isPlan(deed, run)) return 'plan'
  return deed.kind === 'read' || PRINTS_FILES.test(command) ? 'reading' : 'output'
}
