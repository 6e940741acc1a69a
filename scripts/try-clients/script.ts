import { hasTools, type Answer, type ModelRequest } from '../resume/fake-model.ts'
import type { TriedAgent } from './agents.ts'
import { findTool } from '../mcp/script.ts'

/** What the model has seen in one session. */
export interface Seen {
  /** The requests of the agent for a summary. */
  compactions: ModelRequest[]
  /** The requests for the prompts after the compaction. */
  after: ModelRequest[]
  calls: number
  waits: number
  /** The answers of `recall`, as they stand in the newest request. */
  answers: string[]
  /** The other sessions that are named in its requests, but for lists of sessions to choose from. */
  strangers: Set<SessionWord>
  /** The number of the last prompt that the model has answered at length. */
  answered: number
  /** Whether it has gone on to its end. */
  isDone: boolean
}

/** The words of the sessions: each is in all prompts of its own one. */
export const SESSION_WORDS = ['walrus', 'heron', 'otter'] as const
export type SessionWord = (typeof SESSION_WORDS)[number]
const PORTS = { walrus: 7431, heron: 8552, otter: 9663 } as const

/** Returns a sentence in the middle of a session's first answer: what `recall` has to find. */
export const detailOf = (word: SessionWord): string => `The spare gateway of ${word} listens on port ${PORTS[word]}.`

/** What a user says in each session. The third prompt comes after the compaction. */
const REQUESTS = [
  'describe the gateways, and never change the folder migrations/.',
  'describe the modules.',
  'which port has the spare gateway?',
  'thank you. Is anything left?',
]

/** Returns the prompt with a number, from 1 on. */
export const promptOf = (word: SessionWord, number: number): string =>
  `Request ${number} for ${word}: ${REQUESTS[number - 1] ?? ''}`

/** An answer of the tool server, in whatever the agent writes around it. */
const ANSWER = /Session [^]{1,200}? of [^]{1,30}?\. Lines that begin with|Call again with \\*"session/
const ASKS_BACK = /Call again with \\*"session/

/** The requests of the agents for a summary. */
const COMPACTION =
  /CONTEXT CHECKPOINT|detailed summary of|state_snapshot|anchored summary|conversation so far|context summarization/i

const MOST_WAITS = 5
const CHARACTERS_PER_TOKEN = 4

/** The scripted model: it answers the prompts 1 and 2 of a session at length, and calls `recall` for the third. */
export class TrialScript {
  readonly seen = new Map<SessionWord, Seen>()
  readonly #agent: Pick<TriedAgent, 'fullTokens' | 'pause'>

  constructor(agent: Pick<TriedAgent, 'fullTokens' | 'pause'>) {
    this.#agent = agent
  }

  answer(request: ModelRequest): Answer {
    const word = SESSION_WORDS.find((one) => newestPrompt(request, one) > 0)
    if (process.env['TRY_DEBUG'] !== undefined) debug(request, word)
    if (word === undefined) return TITLE
    return { tokens: Math.ceil(request.texts.join('').length / CHARACTERS_PER_TOKEN), ...this.#answerIn(word, request) }
  }

  #answerIn(word: SessionWord, request: ModelRequest): Answer {
    const seen = this.#seenOf(word)
    const own = request.texts.filter((text) => !ASKS_BACK.test(text)).join('\n')
    for (const other of SESSION_WORDS) if (other !== word && own.includes(other)) seen.strangers.add(other)
    if (isCompaction(request)) {
      seen.compactions.push(request)
      return { text: ownSummary(request) }
    }
    if (!hasTools(request)) return TITLE
    const { fullTokens, pause } = this.#agent
    const number = newestPrompt(request, word)
    const isSecondPart = number > 2 || (pause !== undefined && seen.answered > 0)
    if (isSecondPart) seen.after.push(request)
    if (isSecondPart && number !== 4) {
      const answer = lookUp(request, seen, word)
      seen.isDone = pause !== undefined && answer.call === undefined
      return answer
    }
    seen.isDone = number === 4
    // After a compaction, an agent may ask its model to go on by itself.
    if (number === 4 || seen.answered === number) return { text: 'Nothing is left.' }
    seen.answered = number
    const call = pause && { id: `pause_${word}`, ...pause }
    const tokens = number === 2 ? fullTokens : undefined
    return { text: longText(word, number), ...(call && { call }), ...(tokens !== undefined && { tokens }) }
  }

  #seenOf(word: SessionWord): Seen {
    const seen = this.seen.get(word) ?? newSession()
    this.seen.set(word, seen)
    return seen
  }
}

/** Returns a call of `recall`, which chooses the session if it is asked back; after it, the last answer. */
function lookUp(request: ModelRequest, seen: Seen, word: SessionWord): Answer {
  seen.answers = request.texts.filter((text) => ANSWER.test(text))
  const { tool, namespace } = findTool(request)
  if (tool === undefined) return wait(seen)
  const answer = seen.answers.at(-1)
  const session = answer !== undefined && ASKS_BACK.test(answer) ? idIn(answer, word) : undefined
  if (seen.calls > 1 || (seen.calls > 0 && session === undefined)) return { text: 'The port was found.' }
  seen.calls += 1
  const args = { query: 'port of the spare gateway', ...(session !== undefined && { session }) }
  const id = `call_${word}_${seen.calls}`
  return { text: '', call: { id, name: tool, args, ...(namespace !== undefined && { namespace }) } }
}

const newSession = (): Seen => ({
  ...{ compactions: [], after: [], answers: [] },
  ...{ calls: 0, waits: 0, answered: 0, isDone: false },
  strangers: new Set(),
})

/** What the model writes as the agent's own summary. */
export const OWN_SUMMARY = 'The summary of the agent itself.'

const TITLE = { text: 'A title' }

/** Some agents do not wait for their servers: the tool is in a later request. */
function wait(seen: Seen): Answer {
  if (seen.waits === MOST_WAITS) return { text: 'There is no such tool.' }
  seen.waits += 1
  return { text: '', call: { id: `wait_${seen.waits}`, name: 'bash', args: { command: 'sleep 1' } } }
}

/** Returns the number of the newest prompt of a session; 0 if there is none. Answers of `recall` quote prompts. */
function newestPrompt({ texts }: ModelRequest, word: SessionWord): number {
  const own = texts.filter((text) => !ANSWER.test(text)).join('\n')
  return Math.max(0, ...[...own.matchAll(new RegExp(`Request (\\d) for ${word}:`, 'g'))].map(([, one]) => Number(one)))
}

/** Whether a client asks for a summary: the request for it is in the last message. */
function isCompaction({ body }: ModelRequest): boolean {
  const messages = [body['messages'] ?? body['input'] ?? body['contents']].flat()
  const last = JSON.stringify(messages.slice(-1))
  // An answer of `recall` may quote a summary.
  return COMPACTION.test(last) && !ANSWER.test(last)
}

/** Returns the summary that an agent gets from its model, in the form for which it asks. */
function ownSummary(request: ModelRequest): string {
  const text = `${OWN_SUMMARY} ${takenOver(request)}`
  return request.texts.some((one) => one.includes('<state_snapshot>'))
    ? `<scratchpad>Two requests.</scratchpad>\n<state_snapshot>${text}</state_snapshot>`
    : `<summary>${text}</summary>`
}

/** Returns the summary by Précis in a request, if the request asks to take it over: a model that does so is tried here. */
const takenOver = ({ texts }: ModelRequest): string =>
  texts.flatMap((text) => /which was written with checks of its facts\.[^]*/.exec(text) ?? []).at(-1) ?? ''

/** Returns an answer of some ten thousand tokens, with the detail in the middle of the first one. */
function longText(word: SessionWord, number: number): string {
  const sentences = Array.from({ length: 700 }, (_, index) => {
    const part = index + 1
    return `Module ${number}.${part} of ${word} reads table ${part * 7}, checks column ${part + 3}, and writes a row.`
  })
  if (number === 1) sentences.splice(350, 0, detailOf(word))
  return sentences.join('\n')
}

/** Returns the id of the session of a word in a list of sessions. */
function idIn(answer: string, word: string): string | undefined {
  // Cline sends the answer as JSON.
  const lines = answer.replaceAll('\\n', '\n').split('\n- ').slice(1)
  return /^[\w-]+/.exec(lines.find((one) => one.includes(word)) ?? '')?.[0]
}

function debug(request: ModelRequest, word: string | undefined): void {
  const { path, texts } = request
  const kind = isCompaction(request) ? 'asks for a summary' : hasTools(request) ? '' : 'has no tools'
  console.log(word, path.slice(0, 20), kind, texts.join('').length)
}
