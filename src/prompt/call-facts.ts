import { filesOf, outcomeOf, outputOf, type PairedMessages, type ToolRun } from '../extract/runs.ts'
import { isWholeRead, normalizePath } from '../files/collect-files.ts'
import { isPatchTool, isPlanTool, isReadTool, isWriteTool, mayChangeFiles } from '../files/tools.ts'
import { textOf, toolCallsOf, type ToolCallBlock } from '../session/message.ts'

/** A run, and whether the user had named what it reads. */
interface ShownRun {
  run: ToolRun
  isPointedTo: boolean
}

/** Returns the runs that begin in messages, in their order. */
export function listRuns({ messages, runs }: PairedMessages): ShownRun[] {
  const named = new Set<string>()
  return messages.flatMap((message) => {
    if (message.role === 'user') addNames(named, textOf(message.content))
    const calls = message.role === 'bashExecution' ? [message] : toolCallsOf(message)
    return calls.map((call) => ({
      run: runs.get(call) ?? {},
      isPointedTo: 'arguments' in call && isPointedTo(call, named),
    }))
  })
}

/** Words with the characters of paths, addresses and numbers of issues. */
const NAMES = /[\p{L}\p{N}_./:#@~-]{2,200}/gu

/** How much of one text is searched for names. */
const SEARCHED_CHARACTERS = 20_000

const namesIn = (text: string): string[] =>
  Array.from(text.slice(0, SEARCHED_CHARACTERS).matchAll(NAMES), ([name]) =>
    name.replace(/^[.:@~#]+|(?<![.:])[.:]+$/g, ''),
  )

const baseName = (name: string): string => name.slice(name.lastIndexOf('/') + 1)

function addNames(names: Set<string>, text: string): void {
  for (const name of namesIn(text)) names.add(name).add(baseName(name))
}

const DOCUMENT = /\.(?:md|mdx|txt|rst|adoc|org|pdf|html?)$|^https?:/i

/** The identifier of an issue, a ticket or a task: `14`, `ABC-123`, `bd-7f3`. */
const ISSUE_ID = /^(?=.*\d)[\w-]{1,40}$/
const NAMES_ISSUES = /\b(?:issues?|tickets?|tasks?|bugs?|pr|stor(?:y|ies)|bead?s?|bd)\b/i

/** Commands that show an issue: the work is about it, also where the user only named the tracker or the epic above it. */
const SHOWS_ISSUE = /\b(?:issues?|tickets?|beads?|bd|jira|linear)\s+(?:show|view|get)\b/i

/** Whether a call reads an issue, or a document that the user has named. */
function isPointedTo(call: ToolCallBlock, named: ReadonlySet<string>): boolean {
  const text = argumentText(call).slice(0, 2000)
  if (SHOWS_ISSUE.test(text)) return true
  const readsIssues = NAMES_ISSUES.test(`${call.name.replaceAll('_', ' ')} ${text}`)
  return namesIn(text).some(
    (name) =>
      (DOCUMENT.test(name) || (readsIssues && ISSUE_ID.test(name))) && (named.has(name) || named.has(baseName(name))),
  )
}

function argumentText({ arguments: values }: ToolCallBlock): string {
  if (typeof values === 'string') return values
  if (typeof values !== 'object' || values === null) return ''
  return Object.values(values)
    .filter((value) => typeof value === 'string')
    .join('\n')
}

/** Files with the instructions of a project. */
const INSTRUCTIONS = /(?:^|\/)(?:AGENTS|CLAUDE|GEMINI|\.cursorrules|copilot-instructions)(?:\.\w+)?$/

/** Documents that are plans or specifications by their names. */
const PLAN = /(?:^|\/)[\w.-]*(?:plan|todo|tasks?|roadmap|spec|design|requirement)[\w.-]*\.(?:md|mdx|txt|rst|adoc|org)$/i

/** Commands that print files. */
const PRINTS_FILES = /^\s*(?:cd [^&;|\n]{1,200}&&\s*)?(?:cat|bat|sed -n|head|tail|less|more|nl)\b/

/** What a call did. */
export interface RunFacts {
  kind: 'read' | 'change' | 'other'
  /** The file that is read or changed, if it is one. */
  path: string | undefined
  /** What was asked: equal for calls that ask for the same thing. */
  request: string
  /** The name of a tool that keeps a plan. */
  planTool: string | undefined
  /** Whether a file was written as a whole. */
  isWrite: boolean
  /** Whether a file was read as a whole. */
  isWhole: boolean
  isDocument: boolean
  /** Whether the instructions of a project were read. */
  isInstructions: boolean
  isPlan: boolean
  isReading: boolean
  isCommand: boolean
  hasFailed: boolean
  output: string
}

/** Returns what a call did, as far as its arguments and its result say. */
export function factsOf({ run, isPointedTo }: ShownRun): RunFacts {
  const { call, command } = run
  if (call === undefined) return commandFacts(run)
  const { name, arguments: values } = call
  const { readFiles, modifiedFiles } = filesOf(run)
  const paths = [...readFiles, ...modifiedFiles]
  const path = paths.length === 1 ? normalizePath(paths[0] ?? '') : undefined
  const isRead = isReadTool(name, values)
  const isWrite = isWriteTool(name, values)
  const isChange = isWrite || isPatchTool(name) || (mayChangeFiles(name) && !isRead)
  const shownName = path ?? command ?? ''
  return {
    kind: isChange ? 'change' : isRead ? 'read' : 'other',
    path,
    request: requestOf(call),
    planTool: isPlanTool(name) ? name : undefined,
    isWrite: isWrite && hasContent(call),
    isWhole: isWholeRead(call),
    isDocument: !isChange && isPointedTo,
    isInstructions: !isChange && INSTRUCTIONS.test(shownName),
    isPlan: isPlanTool(name) || PLAN.test(shownName),
    isReading: isRead || (command !== undefined && PRINTS_FILES.test(command)),
    isCommand: command !== undefined,
    hasFailed: outcomeOf(run).kind === 'failed',
    output: outputOf(run),
  }
}

const commandFacts = (run: ToolRun): RunFacts => ({
  kind: 'other',
  path: undefined,
  request: `user ${run.command ?? ''}`,
  planTool: undefined,
  isWrite: false,
  isWhole: false,
  isDocument: false,
  isInstructions: false,
  isPlan: false,
  isReading: false,
  isCommand: true,
  hasFailed: outcomeOf(run).kind === 'failed',
  output: outputOf(run),
})

const CONTENT_ARGUMENTS = ['content', 'contents', 'text', 'file_text']

const valuesOf = ({ arguments: values }: ToolCallBlock): Readonly<Record<string, unknown>> =>
  typeof values === 'object' && values !== null && !Array.isArray(values) ? (values as Record<string, unknown>) : {}

/** Whether a call writes a whole file: tools that replace a part of one have no such argument. */
const hasContent = (call: ToolCallBlock): boolean =>
  CONTENT_ARGUMENTS.some((name) => typeof valuesOf(call)[name] === 'string')

function requestOf({ id, name, arguments: values }: ToolCallBlock): string {
  try {
    return `${name} ${JSON.stringify(values)}`
  } catch {
    // Arguments that are nested too deeply for `JSON.stringify` are taken as equal to no others.
    return id
  }
}
