import { openModelServer, type ModelServer, type RecordedRequest } from '../../test/support/model-server.ts'
import { headingsOf, promptOf } from './forgetful-model.ts'

/** The speed of a simulated model. */
export interface Speed {
  firstByteMs: number
  inTokensPerSecond: number
  outTokensPerSecond: number
  /** The real duration of a simulated second, in seconds. */
  scale: number
  /** The share of the output limit that an answer fills. */
  fill: number
}

export interface TimedCall {
  prompt: string
  inTokens: number
  outTokens: number
}

export interface TimedModel extends ModelServer {
  /** The calls so far, in the order of their arrival. */
  calls: TimedCall[]
  speed: Speed
}

const CHARACTERS_PER_TOKEN = 4
const sentence = (n: number): string =>
  `Step ${n}: the agent looked at part ${n * 7} of the work and wrote down ${n * 13} facts. `

/** Opens a model server that answers with the delay of a real one, with the requested sections. */
export async function openTimedModel(speed: Speed): Promise<TimedModel> {
  const calls: TimedCall[] = []
  const server = await openModelServer((request) => {
    const call = readCall(request, speed)
    calls.push(call)
    const { prompt, inTokens, outTokens } = call
    const seconds = speed.firstByteMs / 1000 + inTokens / speed.inTokensPerSecond + outTokens / speed.outTokensPerSecond
    return {
      text: writeAnswer(prompt, outTokens * CHARACTERS_PER_TOKEN),
      delayMs: seconds * 1000 * speed.scale,
      usage: { prompt_tokens: inTokens, completion_tokens: outTokens, total_tokens: inTokens + outTokens },
    }
  })
  return { ...server, calls, speed }
}

function readCall(request: RecordedRequest, { fill }: Speed): TimedCall {
  const messages = request.body.messages as { content: string }[]
  const characters = messages.reduce((sum, { content }) => sum + content.length, 0)
  const limit = Number(request.body.max_completion_tokens ?? request.body.max_tokens)
  return {
    prompt: promptOf(request),
    inTokens: Math.ceil(characters / CHARACTERS_PER_TOKEN),
    outTokens: Math.floor(limit * fill),
  }
}

/** Writes one sentence into every section, and as many as it takes into the first one. Answers that repeat themselves fail. */
function writeAnswer(prompt: string, characters: number): string {
  const [first = '## Goal', ...others] = headingsOf(prompt)
  const rest = others.map((heading, index) => `\n\n${heading}\n${sentence(index).trim()}`).join('')
  const left = Math.max(sentence(0).length, characters - first.length - rest.length)
  const filler = Array.from({ length: Math.ceil(left / sentence(0).length) }, (_, index) => sentence(index)).join('')
  return `${first}\n${filler.slice(0, left).trim()}${rest}`
}
