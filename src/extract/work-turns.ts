import { textOf, toolCallsOf, type AssistantMessage, type Message } from '../session/message.ts'
import { readUserAnswers } from './user-answers.ts'
import { readUserText } from './user-text.ts'

/** How a turn ended: with an answer, by the user, by an error, or not at all. */
type TurnEnd = 'answered' | 'interrupted' | 'failed' | 'unfinished'

/** A request of the user, and how the agent's turn for it ended. */
export interface WorkTurn {
  request: string
  /** The message with the request: an index. */
  at: number
  end: TurnEnd
  /** The agent's final answer; left out unless the turn ended with one. */
  answer?: { text: string; at: number }
  /** The words of the user in results of tools during the turn. */
  said: { text: string; at: number }[]
}

/** The notes that clients write where the user has interrupted a turn: Claude Code, Codex. */
const INTERRUPTIONS = ['[Request interrupted by user', '<turn_aborted>']

/** Returns the turns of messages, in order. Messages may begin in the middle of a turn: its request is empty. */
export function readWorkTurns(messages: readonly Message[]): WorkTurn[] {
  const turns: WorkTurn[] = []
  for (const [at, message] of messages.entries()) {
    const request = isInterruption(message) ? undefined : readUserText(message)
    if (request !== undefined) turns.push(newTurn(request, at))
    else {
      if (turns.length === 0 && message.role === 'assistant') turns.push(newTurn('', at))
      const turn = turns.at(-1)
      if (turn !== undefined) readOn(turn, message, at)
    }
  }
  return turns
}

const newTurn = (request: string, at: number): WorkTurn => ({ request, at, end: 'unfinished', said: [] })

function readOn(turn: WorkTurn, message: Message, at: number): void {
  if (message.role === 'assistant') readAnswer(turn, message, at)
  else if (message.role === 'toolResult') {
    for (const { answer } of readUserAnswers(message)) turn.said.push({ text: answer, at })
    setEnd(turn, 'unfinished')
  } else if (isInterruption(message) && turn.end !== 'answered') setEnd(turn, 'interrupted')
}

const isInterruption = (message: Message): boolean =>
  (message.role === 'custom' || message.role === 'other' || message.role === 'user') &&
  INTERRUPTIONS.some((start) => textOf(message.content.slice(0, 1)).startsWith(start))

function readAnswer(turn: WorkTurn, message: AssistantMessage, at: number): void {
  const { stopReason = '' } = message
  const text = textOf(message.content)
  if (/abort|cancel|interrupt/i.test(stopReason)) setEnd(turn, 'interrupted')
  else if (/error|fail|refus/i.test(stopReason)) setEnd(turn, 'failed')
  else if (toolCallsOf(message).length > 0 || /length|max/i.test(stopReason)) setEnd(turn, 'unfinished')
  else if (text.trim() !== '') {
    turn.end = 'answered'
    turn.answer = { text, at }
  }
}

function setEnd(turn: WorkTurn, end: TurnEnd): void {
  turn.end = end
  delete turn.answer
}

/** Takes the end of a turn back: it goes on. */
export const reopen = (turn: WorkTurn): void => {
  setEnd(turn, 'unfinished')
}
