import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that a client sent to its model. */
export interface ModelRequest {
  path: string
  body: Fields
  /** All texts in the body, in their order. */
  texts: string[]
}

export type Fields = Readonly<Record<string, unknown>>

export interface FakeModel {
  url: string
  requests: ModelRequest[]
  /**
   * Makes the next reply to a request with tools count as many tokens, so that a client compacts after it.
   */
  countNext: (tokens: number) => void
  close: () => void
}

/**
 * Starts a model server on a loopback address, for OpenAI's Responses and chat APIs, Gemini's and Anthropic's.
 * @param answerOf returns the answer to a request; by default, request N is answered with `answer-N` and a few sentences,
 * and where N is even, the client's shell is called first
 */
export async function startFakeModel(answerOf: AnswerOf = answerByNumber): Promise<FakeModel> {
  const requests: ModelRequest[] = []
  let nextTokens = USUAL_TOKENS
  const server = createServer((request, response) => {
    readBody(request)
      .then(async (body) => {
        const path = request.url ?? ''
        const texts = textsOf(body)
        const modelRequest = { path, body, texts }
        if (request.method === 'POST') requests.push(modelRequest)
        const isCounted = hasTools(modelRequest)
        const answer = await answerOf(modelRequest)
        const tokens = answer.tokens ?? (isCounted ? nextTokens : USUAL_TOKENS)
        reply(response, path, { body, answer, tokens })
        if (isCounted) nextTokens = USUAL_TOKENS
      })
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  const url = await listen(server)
  return {
    url,
    requests,
    countNext(tokens) {
      nextTokens = tokens
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Whether a request has tools: requests for a title and the like have none. */
export const hasTools = ({ body }: ModelRequest): boolean => toolsOf(body).length > 0

/** Returns the number of the newest request N that the texts name as `request-N`. */
export const newestRequest = (texts: readonly string[]): number =>
  Math.max(0, ...texts.flatMap((text) => [...text.matchAll(/\brequest-(\d+)/g)].map(([, number]) => Number(number))))

/** What the model says, and the tool that it calls then. */
export interface Answer {
  text: string
  /** Codex has the tools of a server in a namespace. */
  call?: { id: string; name: string; args: Fields; namespace?: string }
  /** The tokens that it counts for the request; absent: some, or those of `countNext`. */
  tokens?: number
}

export type AnswerOf = (request: ModelRequest) => Answer | Promise<Answer>

/** An answer, the request that it is for, and the tokens that it counts for the request. */
interface Exchange {
  body: Fields
  answer: Answer
  tokens: number
}

/** The tokens of most requests, whatever their length. */
const USUAL_TOKENS = 100

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
  })
}

async function readBody(request: IncomingMessage): Promise<Fields> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? {} : (JSON.parse(text) as Fields)
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : []
}

function answerByNumber({ body, texts }: ModelRequest): Answer {
  const number = newestRequest(texts)
  const shell = toolsOf(body).find((name) => name in SHELLS)
  const isCalled = texts.some((text) => commandOf(number).test(text))
  if (shell === undefined || number % 2 === 1 || isCalled) return { text: answerText(number) }
  // The command does not have its output as a part.
  const command = `printf 'output-of-%s\\n' request-${number}; sleep 0.5`
  return { text: '', call: { id: `call_${number}`, name: shell, args: SHELLS[shell]?.(command) ?? {} } }
}

/** Matches the command in a call: clients change the ids of calls, and an output may be missing. */
const commandOf = (number: number): RegExp => new RegExp(`output-of-%s\\S{0,4}' request-${number};`)

/** The arguments of the clients' shells. */
const SHELLS: Readonly<Record<string, (command: string) => Fields>> = {
  exec_command: (cmd) => ({ cmd }),
  shell_command: (command) => ({ command }),
  bash: (command) => ({ command, description: 'Print a line' }),
  Bash: (command) => ({ command, description: 'Print a line' }),
  run_shell_command: (command) => ({ command, description: 'Print a line', is_background: false }),
}

/** Returns the names of the tools, in the form of any of the APIs. */
export function toolsOf({ tools }: Fields): string[] {
  if (!Array.isArray(tools)) return []
  return (tools as Fields[]).flatMap((tool) => {
    const nested = tool['functionDeclarations'] ?? tool['function'] ?? tool
    return [nested].flat().map((declared) => String((declared as Fields)['name']))
  })
}

/** The first answers are long, so that a summary is shorter than they are. */
function answerText(number: number): string {
  const details = Array.from(
    { length: number <= 3 ? 60 : 1 },
    (_, part) =>
      `Step ${part + 1}: module ${number}.${part + 1} reads its input, checks each field and writes a table.`,
  )
  return `This is answer-${number}. ${details.join(' ')}`
}

function reply(response: ServerResponse, path: string, exchange: Exchange): void {
  const isStream = exchange.body['stream'] === true || path.includes(':streamGenerateContent')
  const events = eventsOf(path, exchange)
  if (!isStream) {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(wholeOf(path, exchange)))
    return
  }
  response.setHeader('content-type', 'text/event-stream')
  for (const event of events) {
    const type = event['type']
    response.write(`${typeof type === 'string' ? `event: ${type}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
  }
  response.end(path.includes('/chat/completions') ? 'data: [DONE]\n\n' : '')
}

function eventsOf(path: string, exchange: Exchange): Fields[] {
  if (path.includes('/responses')) return responsesEvents(exchange)
  if (path.includes('/chat/completions')) return chatEvents(exchange)
  if (path.includes('/messages')) return anthropicEvents(exchange)
  return [geminiReply(exchange)]
}

function wholeOf(path: string, exchange: Exchange): Fields {
  if (path.includes('GenerateContent') || path.includes(':generateContent')) return geminiReply(exchange)
  if (path.includes('/count_tokens')) return { input_tokens: 10 }
  if (path.includes('/chat/completions')) return chatReply(exchange)
  if (path.includes('/messages')) return anthropicReply(exchange)
  return { object: 'list', data: [], models: [] }
}

function responsesEvents({ answer: { text, call }, tokens }: Exchange): Fields[] {
  const id = `resp_${Date.now()}`
  const content = [{ type: 'output_text', text, annotations: [] }]
  const message = { type: 'message', id: `msg_${Date.now()}`, role: 'assistant', content }
  const output: Fields[] = text === '' && call !== undefined ? [] : [message]
  if (call !== undefined) output.push(responsesCall(call))
  const usage = { input_tokens: tokens, output_tokens: 10, total_tokens: tokens + 10 }
  return [
    { type: 'response.created', response: { id } },
    ...output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item },
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response: { id, status: 'completed', output, usage } },
  ]
}

const responsesCall = ({ id, name, args, namespace }: NonNullable<Answer['call']>): Fields => ({
  ...{ type: 'function_call', id: `fc_${id}`, call_id: id, name, ...(namespace !== undefined && { namespace }) },
  arguments: JSON.stringify(args),
})

const chatUsage = (tokens: number): Fields => ({
  prompt_tokens: tokens,
  completion_tokens: 10,
  total_tokens: tokens + 10,
})

function chatMessage({ text, call }: Answer): Fields {
  if (call === undefined) return { role: 'assistant', content: text }
  const { id, name, args } = call
  const called = { index: 0, id, type: 'function', function: { name, arguments: JSON.stringify(args) } }
  return { role: 'assistant', content: text === '' ? null : text, tool_calls: [called] }
}

function chatReply({ answer, tokens }: Exchange): Fields {
  const finish_reason = answer.call === undefined ? 'stop' : 'tool_calls'
  const choice = { index: 0, message: chatMessage(answer), finish_reason }
  return {
    id: 'chat-1',
    object: 'chat.completion',
    created: 1,
    model: 'fake',
    choices: [choice],
    usage: chatUsage(tokens),
  }
}

function chatEvents({ answer, tokens }: Exchange): Fields[] {
  const chunk = { id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'fake' }
  const finish_reason = answer.call === undefined ? 'stop' : 'tool_calls'
  return [
    { ...chunk, choices: [{ index: 0, delta: chatMessage(answer), finish_reason: null }] },
    { ...chunk, choices: [{ index: 0, delta: {}, finish_reason }], usage: chatUsage(tokens) },
  ]
}

function geminiReply({ body, answer: { text, call }, tokens }: Exchange): Fields {
  // Requests for JSON ask who speaks next.
  const isJson = JSON.stringify(body).includes('"responseMimeType":"application/json"')
  const said = isJson ? JSON.stringify({ reasoning: 'The answer is complete.', next_speaker: 'user' }) : text
  const parts: Fields[] = said === '' && call !== undefined ? [] : [{ text: said }]
  if (call !== undefined) parts.push({ functionCall: { id: call.id, name: call.name, args: call.args } })
  const usageMetadata = { promptTokenCount: tokens, candidatesTokenCount: 10, totalTokenCount: tokens + 10 }
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    ...(JSON.stringify(body) === '{}' ? {} : { totalTokens: 100 }),
    usageMetadata,
  }
}

function anthropicReply({ body, answer: { text, call }, tokens }: Exchange): Fields {
  const content: Fields[] = text === '' && call !== undefined ? [] : [{ type: 'text', text }]
  if (call !== undefined) content.push({ type: 'tool_use', id: `toolu_${call.id}`, name: call.name, input: call.args })
  return {
    ...{ id: `msg_${Date.now()}`, type: 'message', role: 'assistant', model: body['model'], content },
    stop_reason: call === undefined ? 'end_turn' : 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: tokens, output_tokens: 10 },
  }
}

function anthropicEvents(exchange: Exchange): Fields[] {
  const { stop_reason, usage, ...message } = anthropicReply(exchange)
  return [
    { type: 'message_start', message: { ...message, content: [], stop_reason: null, usage } },
    ...(message['content'] as Fields[]).flatMap(blockEvents),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 10 } },
    { type: 'message_stop' },
  ]
}

function blockEvents(block: Fields, index: number): Fields[] {
  const { text, input } = block
  const started = input === undefined ? { ...block, text: '' } : { ...block, input: {} }
  const delta =
    input === undefined
      ? { type: 'text_delta', text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(input) }
  return [
    { type: 'content_block_start', index, content_block: started },
    { type: 'content_block_delta', index, delta },
    { type: 'content_block_stop', index },
  ]
}
