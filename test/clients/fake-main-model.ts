import { completion, openModelServer, type ModelServer, type Reply } from '../support/model-server.ts'

/** What the model of an agent says when it calls no tool. */
export const ANSWER = 'All of it is done.'

const FILES = 'abcdefgh'

/**
 * Starts the model of an agent on loopback, in OpenAI's chat completions and Responses API. Its first requests get a call of
 * the tool `read`, with another file each time; later ones get `ANSWER`.
 */
export const openMainModel = (toolCalls: number): Promise<ModelServer> =>
  openModelServer(({ path }, index) => {
    const call = index < toolCalls ? { name: 'read', arguments: JSON.stringify({ path: pathOf(index) }) } : undefined
    return path.endsWith('/responses') ? { body: responseOf(index, call) } : chatOf(index, call)
  })

export const pathOf = (index: number): string => `src/${FILES[index] ?? ''}.ts`

interface Call {
  name: string
  arguments: string
}

function chatOf(index: number, call: Call | undefined): Reply {
  if (call === undefined) return { body: completion({ text: ANSWER }) }
  const message = { tool_calls: [{ id: `call_${index}`, type: 'function', function: call }] }
  return { body: completion({ text: null, finishReason: 'tool_calls', message }) }
}

function responseOf(index: number, call: Call | undefined): object {
  const message = {
    type: 'message',
    id: `msg_${index}`,
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text: ANSWER, annotations: [] }],
  }
  const toolCall = { type: 'function_call', id: `fc_${index}`, call_id: `call_${index}`, status: 'completed', ...call }
  const details = { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } }
  return {
    id: `resp_${index}`,
    object: 'response',
    created_at: 1_700_000_000,
    status: 'completed',
    model: 'gpt-5-mini',
    output: [call === undefined ? message : toolCall],
    usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110, ...details },
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
  }
}
