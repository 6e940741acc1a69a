import { fieldsOf } from '../session/entry.ts'
import {
  textOf,
  type AssistantMessage,
  type ContentBlock,
  type Message,
  type ToolCallBlock,
  type UserAnswer,
} from '../session/message.ts'
import { findBlocks, removeBlocks } from '../text/find-in-text.ts'
import { beginning, shorten } from '../text/shorten.ts'
import { stripTag } from '../text/tagged-text.ts'
import { isBareGoOn, isGoOn } from './go-on.ts'

/**
 * Returns the user's own words in a message; undefined for messages of others and without such words (an image, a reminder
 * that the agent wrote).
 */
export function readUserText(message: Message): string | undefined {
  if (message.role !== 'user') return undefined
  const text = AGENT_TAGS.reduce(stripTag, withoutIdeContext(textOf(message.content))).trim()
  return /[\p{L}\p{N}]/u.test(text) ? text : undefined
}

/** Tags of text that agents add to a user's message: reminders, the environment, and the output of hooks and commands. */
const AGENT_TAGS = [
  // Claude Code, and agents that follow it
  ...['system-reminder', 'user-prompt-submit-hook', 'session-start-hook', 'task-notification'],
  ...['ide_selection', 'ide_opened_file', 'ide_diagnostics', 'new-diagnostics'],
  ...['cross-session-message', 'teammate-message', 'agent-message', 'agent-notification'],
  ...['local-command-caveat', 'local-command-stdout', 'local-command-stderr', 'bash-stdout', 'bash-stderr'],
  // Codex
  ...['environment_context', 'user_instructions', 'user_shell_command', 'subagent_notification'],
  // Cline, Roo and Kilo; Cline and Gemini CLI; Gemini CLI; Goose (block/goose, `crates/goose/src/agents/moim.rs`); OpenHands
  ...['environment_details', 'hook_context', 'background_output', 'info-msg', 'EXTRA_INFO'],
]

/**
 * Returns what a client has added to a conversation, such as a skill; without what Codex (0.120 and 0.169) writes into each
 * context, and again after a compaction (the instructions of the project, and the environment), and without tags of agents.
 */
export const readClientText = (content: readonly ContentBlock[]): string =>
  AGENT_TAGS.reduce(stripTag, textOf(content.filter((block) => !CODEX_CONTEXT.test(textOf([block])))))

const CODEX_CONTEXT =
  /^(?:# AGENTS\.md instructions|<(?:environment_context|user_instructions|permissions instructions|skills_instructions|recommended_plugins)>)/

/** The first headings of what Codex' extension for an IDE writes before a request, and the last one (November 2026). */
const IDE_CONTEXTS = ['# Context from my IDE setup:', '# Files mentioned by the user:']
const IDE_REQUESTS = ['\n## My request for Codex:', '\n## My request:']

/** Returns a request without the context of an IDE: it quotes text of files, which may have the last heading too. */
function withoutIdeContext(text: string): string {
  if (!IDE_CONTEXTS.some((heading) => text.trimStart().startsWith(heading))) return text
  const ends = IDE_REQUESTS.map((heading) => text.lastIndexOf(heading) + heading.length)
  const found = ends.filter((end, index) => end >= (IDE_REQUESTS[index]?.length ?? 0))
  return found.length === 0 ? '' : text.slice(Math.max(...found))
}

/**
 * Returns what the user said in the result of a tool: the answers to a tool that asks the user, or the words with which the
 * user refused a call. Only what the agent has marked counts: the output of any tool may have such words too.
 * @param call the call that the result answers, if it is known: it has the question that some agents do not repeat
 */
export function readUserAnswers(message: Message, call?: ToolCallBlock): UserAnswer[] {
  if (message.role !== 'toolResult' || message.userAnswers === undefined) return []
  const asked = questionsOf(call?.arguments)
  return message.userAnswers
    .map(({ question, answer }) => ({ question: question.trim() || asked, answer: answer.trim() }))
    .filter(({ answer }) => /[\p{L}\p{N}]/u.test(answer))
}

/** Up to this length, a question of the agent stays word for word. */
export const MAX_QUESTION_CHARACTERS = 500

/** The end of a text that ends with a question. */
export const QUESTION_AT_END = /[?？]["')\]*_]*$/

/** Returns the last paragraph of an agent's text if the text ends with a question: the question with its context. */
export function readQuestionAtEnd(text: string): string | undefined {
  const trimmed = text.trim()
  const paragraph = trimmed.slice(Math.max(0, trimmed.lastIndexOf('\n\n')))
  return QUESTION_AT_END.test(trimmed) ? beginning(paragraph, MAX_QUESTION_CHARACTERS) : undefined
}

/** Returns a question on one line, or the last sentence of a long one: that is what was asked. */
export function questionInShort(question: string, maxCharacters: number): string {
  if (question.length <= maxCharacters) return question
  const start = Math.max(...['. ', '! ', ': ', '? '].map((mark) => question.lastIndexOf(mark, question.length - 3)))
  return shorten(question.slice(start < 0 ? 0 : start + 2), maxCharacters)
}

/** Returns the questions in the arguments of a call, each on a line. */
function questionsOf(values: unknown): string {
  const { question, questions } = fieldsOf(values)
  const list: unknown[] = Array.isArray(questions) ? questions : []
  return [question, ...list.map((one) => fieldsOf(one)['question'] ?? one)]
    .filter((one) => typeof one === 'string')
    .join('\n')
}

const THINKING = '<think>'

/** Returns what an agent says in a message, without the thoughts that some servers leave in its text, between tags. */
export function spokenText({ content }: AssistantMessage): string {
  const text = textOf(content)
  return text.includes(THINKING) ? removeBlocks(text, findBlocks(text, /<think>/, '</think>')) : text
}

/** Longer messages say something. */
const MAX_CHARACTERS = 60

const GREETINGS =
  'yo|hi|hey|hello|hallo|thanks|thank you|thx|ty|danke|merci|gracias|obrigad[oa]|спасибо|谢谢|ありがとう'
const WORDS = `${GREETINGS}|wow|cool|nice|great|perfect|awesome|lol|haha|hm+|ok(?:ay)?|k|yes|yeah|yep|yup|y|no|nope|n|sure|good|fine|right|true|ja|nein|oui|non|sí|si|да|нет|ок|好的?|嗯|是的?|对|はい|いいえ|네|아니요`

/** Only such words, up to four. */
const onlyOf = (words: string): RegExp =>
  new RegExp(String.raw`^(?:${words})(?:[\s,.!…]+(?:${words})){0,3}[\s,.!…]*$`, 'i')

/** Greetings, thanks, and words that only agree or disagree. */
const TALK = onlyOf(WORDS)
const GREETING = onlyOf(GREETINGS)

/** A command of a client without words of the user. */
const COMMAND = /^\/[\w:.-]+$/

/** A command that a user gives to a shell himself. */
const SHELL =
  /^(?:!.*|(?:ls|ll|pwd|clear|exit|quit|date|whoami|git (?:status|log|diff))(?: -{1,2}[\w-]+)*|(?:ls|ll|cd|cat) (?=[\w-]*[./~])[\w.~/-]+)$/

/** Whether a message of a user is a greeting, thanks or a command of a shell: it asks for no work. */
export const isNoWork = (text: string): boolean =>
  text.length <= MAX_CHARACTERS && (GREETING.test(text) || SHELL.test(text))

/** Whether a message of a user asks for nothing and says nothing by itself. After a question, it may be the answer. */
export function isSmallTalk(text: string): boolean {
  const words = text.trim()
  return (
    words.length <= MAX_CHARACTERS && (TALK.test(words) || COMMAND.test(words) || isNoWork(words) || isBareGoOn(words))
  )
}

/** Whether a message of a user asks for nothing new: what it says besides is only why he was away. */
export const asksForNothing = (text: string): boolean => isSmallTalk(text) || isGoOn(text)
