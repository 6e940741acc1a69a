import { fieldsOf } from '../../session/entry.ts'
import { textOf, type ContentBlock, type ToolResultMessage, type UserAnswer } from '../../session/message.ts'
import { said } from '../shared/messages.ts'
import { saidAlone } from '../shared/user-answers.ts'
import { asText } from '../shared/values.ts'
import type { Line } from './lines.ts'

/** Marks what the user said in results of Claude Code. */
export class ClaudeAnswers {
  /** The names of the tools, by the id of each call. */
  readonly #toolNames = new Map<string, string>()

  addCalls(blocks: readonly ContentBlock[]): void {
    for (const block of blocks) if (block.type === 'toolCall') this.#toolNames.set(block.id, block.name)
  }

  /** Returns the results of a line. The facts beside a result are those of the only one. */
  mark(results: readonly ToolResultMessage[], line: Line): ToolResultMessage[] {
    return results.map((result) => {
      if (results.length > 1) return result
      const { toolCallId, isError, content } = result
      const toolName = this.#toolNames.get(toolCallId) ?? ''
      return { ...result, ...said(readAnswers({ line, toolName, isError, text: textOf(content) })) }
    })
  }
}

/** The result of a call, as a line of Claude Code has it. */
interface ResultOnLine {
  line: Line
  /** The name of the tool; empty if its call is not known. */
  toolName: string
  /** The text that the model got. */
  text: string
  isError: boolean
}

const QUESTION_TOOL = 'AskUserQuestion'

/**
 * Returns what the user said in a result, as Claude Code marks it beside the result, where no tool writes: in `toolUseResult`
 * and, since 2.1.205, `toolDenialKind`.
 */
function readAnswers(result: ResultOnLine): UserAnswer[] {
  const { line, toolName, isError } = result
  if (isError) return readRefusal(result)
  const { answers, annotations } = fieldsOf(line['toolUseResult'])
  if (toolName !== QUESTION_TOOL) return []
  return Object.entries(fieldsOf(answers)).map(([question, answer]) => {
    const { notes } = fieldsOf(fieldsOf(annotations)[question])
    return { question, answer: [answer, notes].map(asText).filter(Boolean).join('; ') }
  })
}

/** The texts before the user's words in a refusal. */
const REFUSAL = "The user doesn't want to proceed with this tool use. The tool use was rejected"
const WORDS = [
  'To tell you how to proceed, the user said:',
  'The user provided the following reason for the rejection:',
]

/** The client's own tools that ask the user. Other names may be those of a server: the SDK can leave out their prefix. */
const OWN_TOOLS = new Set([
  ...['Bash', 'PowerShell', 'Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'Read', 'Glob', 'Grep', 'LS', 'KillShell'],
  ...['WebFetch', 'WebSearch', 'Task', 'Agent', 'Skill', 'SlashCommand', QUESTION_TOOL],
  ...['EnterPlanMode', 'ExitPlanMode', 'exit_plan_mode', 'TodoWrite', 'NotebookRead'],
])

/**
 * Older versions have no mark besides the error itself, which occurs a second time in `toolUseResult`. The errors of their own
 * tools never begin with such a sentence, but a server of the Model Context Protocol chooses the texts of its errors.
 */
function readRefusal({ line, toolName, text }: ResultOnLine): UserAnswer[] {
  const { toolDenialKind: kind, toolUseResult, userFeedback } = line
  const isMarked = kind === 'user-rejected'
  const isOlder = kind === undefined && OWN_TOOLS.has(toolName)
  if (!isMarked && !(isOlder && toolUseResult === `Error: ${text}`)) return []
  if (isMarked && asText(userFeedback).trim() !== '') return saidAlone(userFeedback)
  if (!text.startsWith(REFUSAL)) return []
  const starts = WORDS.map((words) => ({ words, at: text.indexOf(words) })).filter(({ at }) => at >= 0)
  const [first] = starts.sort((a, b) => a.at - b.at)
  return first === undefined ? [] : saidAlone(text.slice(first.at + first.words.length))
}
