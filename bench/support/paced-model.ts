import { openModelServer, type ModelServer, type RecordedRequest } from '../../test/support/model-server.ts'
import { headingsOf, promptOf } from './forgetful-model.ts'
import { markOf } from './replayed-session.ts'

/** A whole span takes 30 s, and a tenth of it 8 s. */
const WHOLE_MS = 30_000
const TENTH_MS = 8000
const PER_SPAN_MS = (WHOLE_MS - TENTH_MS) / 0.9

export interface PacedModel extends ModelServer {
  /** The tokens of the prompt of a whole span. */
  setSpan: (tokens: number) => void
  /** The real duration of a simulated second, in seconds. */
  setScale: (scale: number) => void
  /** The tokens that were read, by the marks of the sessions. */
  tokensRead: Map<string, number>
}

const CHARACTERS_PER_TOKEN = 4

/** Opens a model server that takes as long as its prompt is, and whose summaries have the mark of their session. */
export async function openPacedModel(): Promise<PacedModel> {
  let spanTokens = 1
  let scale = 1
  const tokensRead = new Map<string, number>()
  const server = await openModelServer((request) => {
    const prompt = promptOf(request)
    const mark = markOf(prompt) ?? 'none'
    const tokens = tokensOf(request)
    tokensRead.set(mark, (tokensRead.get(mark) ?? 0) + tokens)
    const ms = WHOLE_MS - PER_SPAN_MS + (PER_SPAN_MS * tokens) / spanTokens
    return {
      text: writeSummary(prompt, mark),
      delayMs: ms * scale,
      usage: { prompt_tokens: tokens, completion_tokens: 300 },
    }
  })
  const setSpan = (tokens: number): void => {
    spanTokens = tokens
  }
  const setScale = (to: number): void => {
    scale = to
  }
  return { ...server, setSpan, setScale, tokensRead }
}

function tokensOf({ body }: RecordedRequest): number {
  const messages = body.messages as { content: string }[]
  return Math.ceil(messages.reduce((sum, { content }) => sum + content.length, 0) / CHARACTERS_PER_TOKEN)
}

/** As long as summaries of models: some 1,500 tokens. */
const FACTS = Array.from({ length: 200 }, (_, number) => `- Fact ${number} of the work.`).join('\n')

function writeSummary(prompt: string, mark: string): string {
  const [first = '## Goal', ...others] = headingsOf(prompt)
  return [
    `${first}\n${mark} goes on as its user has asked.\n${FACTS}`,
    ...others.map((heading) => `${heading}\n- (none)`),
  ].join('\n\n')
}
