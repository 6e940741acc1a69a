import { textOf, toolCallsOf, type AssistantMessage, type Message } from '../session/message.ts'
import { readClaims, type AnswerClaims } from './done-claims.ts'
import { asksForNothing, readUserAnswers, readUserText, spokenText } from './user-text.ts'
import type { WorkItem } from './work-item.ts'
import { readUnwanted, type UnwantedWork } from './verdict-words.ts'

/** How a turn ended: with an answer, by the user, by an error, or not at all. */
type TurnEnd = 'answered' | 'interrupted' | 'failed' | 'unfinished'

/** A request of the user, and how the agent's turn for it ended. */
export interface WorkTurn {
  request: string
  /** The message with the request: an index. */
  at: number
  end: TurnEnd
  /** Whether the agent was at work where the messages end. */
  goesOn: boolean
  /** The agent's final answer; left out unless the turn ended with one. */
  answer?: AnswerClaims & { text: string; at: number }
  /** Unwanted work that the user names: in the request, and then in results of tools during the turn. */
  unwanted: readonly [own: UnwantedWork & { at: number }, ...later: (UnwantedWork & { at: number })[]]
}

/** A turn while its messages are read. */
interface OpenTurn extends Pick<WorkTurn, 'request' | 'at' | 'end'> {
  answer?: { text: string; at: number }
  /** The words of the user in results of tools. */
  said: { text: string; at: number }[]
  /**
   * Whether a client has told the agent after its answer that something has ended, such as a command in the background, and how
   * far the agent is with that. It is not about the request.
   */
  woken?: 'running' | 'ended'
}

/** The notes that clients write where the user has interrupted a turn: Claude Code, Codex. */
const INTERRUPTIONS = ['[Request interrupted by user', '<turn_aborted>']

/**
 * Returns the turns of messages, in order. Messages may begin in the middle of a turn: its request is empty.
 * @param goesOn whether the last turn goes on after them
 */
export function readWorkTurns(messages: readonly Message[], goesOn: boolean): WorkTurn[] {
  const turns: OpenTurn[] = []
  for (const [at, message] of messages.entries()) {
    const request = isInterruption(message) ? undefined : readUserText(message)
    if (request !== undefined) turns.push(newTurn(request, at))
    else {
      if (turns.length === 0 && message.role === 'assistant') turns.push(newTurn('', at))
      const turn = turns.at(-1)
      if (turn !== undefined) readOn(turn, message, at)
    }
  }
  const last = turns.at(-1)
  if (goesOn && last !== undefined) setEnd(last, 'unfinished')
  return turns.map(closeTurn)
}

function closeTurn({ request, at, end, answer, said, woken }: OpenTurn): WorkTurn {
  const read = (one: { text: string; at: number }) => ({ ...readUnwanted(one.text), at: one.at })
  return {
    ...{ request, at, end, goesOn: end === 'unfinished' || woken === 'running' },
    unwanted: [read({ text: request, at }), ...said.map(read)],
    ...(answer !== undefined && { answer: { ...answer, ...readClaims(answer.text) } }),
  }
}

const newTurn = (request: string, at: number): OpenTurn => ({ request, at, end: 'unfinished', said: [] })

function readOn(turn: OpenTurn, message: Message, at: number): void {
  if (message.role === 'assistant') readAnswer(turn, message, at)
  else if (message.role === 'toolResult') {
    for (const { answer } of readUserAnswers(message)) turn.said.push({ text: answer, at })
    setEnd(turn, 'unfinished')
  } else if (isInterruption(message)) {
    if (turn.end !== 'answered') setEnd(turn, 'interrupted')
  } else if (turn.end === 'answered' && isNotification(message)) turn.woken = 'ended'
}

const isNotification = (message: Message): boolean =>
  (message.role === 'custom' || message.role === 'other' || message.role === 'user') &&
  NOTIFICATION.test(textOf(message.content.slice(0, 1)).slice(0, 200))

/** The tags of messages by which clients tell an agent that something has ended. */
const NOTIFICATION =
  /<(?:task-notification|subagent_notification|agent-notification|background_output|teammate-message)>/

const isInterruption = (message: Message): boolean =>
  (message.role === 'custom' || message.role === 'other' || message.role === 'user') &&
  INTERRUPTIONS.some((start) => textOf(message.content.slice(0, 1)).startsWith(start))

function readAnswer(turn: OpenTurn, message: AssistantMessage, at: number): void {
  const { stopReason = '' } = message
  const text = spokenText(message)
  if (/abort|cancel|interrupt/i.test(stopReason)) setEnd(turn, 'interrupted')
  else if (/error|fail|refus/i.test(stopReason)) setEnd(turn, 'failed')
  else if (toolCallsOf(message).length > 0 || /length|max|^toolUse$/i.test(stopReason)) setEnd(turn, 'unfinished')
  else if (text.trim() !== '') {
    const before = turn.woken === undefined || turn.answer === undefined ? '' : `${turn.answer.text}\n\n`
    turn.end = 'answered'
    turn.answer = { text: before + text, at }
    if (turn.woken !== undefined) turn.woken = 'ended'
  }
}

/** Sets how a turn ends. An answer before a notification stays. */
function setEnd(turn: OpenTurn, end: TurnEnd): void {
  if (turn.woken !== undefined && end === 'unfinished') {
    turn.woken = 'running'
    return
  }
  turn.end = end
  delete turn.answer
  delete turn.woken
}

/** What the messages that stay say of the work in the messages before them. */
interface KeptWork {
  /** Whether they begin in the middle of a turn, and answer its request. */
  isAnswered: boolean
  /** Whether the user asks for something else in them. */
  hasRequest: boolean
}

/** Reads the messages that stay, oldest first: a summary of those before them must not send the agent back to what they have done. */
export function readKeptWork(kept: readonly Message[]): KeptWork {
  const turns = readWorkTurns(kept, false)
  const [first] = turns
  return {
    isAnswered: first?.request === '' && first.end === 'answered',
    hasRequest: turns.some(({ request }) => request !== '' && !asksForNothing(request)),
  }
}

/**
 * Clients such as Codex keep messages of the user beside the summary, without the answers: of those at the beginning, only the last one
 * may be unanswered.
 */
export function passKept(requests: readonly WorkItem[], turns: readonly { at: number }[]): void {
  const end = turns.findIndex(({ at }, index) => at !== index)
  const kept = (end < 0 ? turns.length : end) - 1
  for (const item of requests)
    if (item.at < kept && item.state === 'open')
      Object.assign(item, { state: 'unknown', note: 'said before an earlier compaction', isOlder: true })
}
