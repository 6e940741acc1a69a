import { randomUUID } from 'node:crypto'
import {
  ChatCompletionReplySchema,
  ChatCompletionRequestSchema,
  type ChatCompletionReply,
} from '../../schemas/chat-completion.ts'
import { CHAT_PROBLEMS, withRules } from '../shared/describe-route.ts'
import { CALLED_BY_AGENTS, type UseCase } from '../use-case.ts'
import { piecesOf, PipelineHeaderSchema, readCompleted, readChatModes, type CompletedChat } from './completed-chat.ts'

/**
 * `POST /v1/chat/completions`: for agents that can call only OpenAI's API. A stream begins after the summary has been
 * checked, so that an error gets its status.
 */
export const chatCompletions: UseCase = {
  path: '/v1/chat/completions',
  operationId: 'createChatCompletion',
  summary: 'Summarize in the format of OpenAI chat completions',
  description: withRules(
    'A chat that asks for its summary is compacted: its history is summarized and checked, by the instructions and within the limits of the request. Other chats go to the model unchanged. `model` and tools are ignored.\n\n**Compactions** (the same on `/v1/responses`). `POST /v1/chat/completions` and `POST /v1/responses` compact a chat that asks for its summary. Any other chat goes to the model; without a model server, it is 404 (`no-model`), except for a prompt with the conversation between `<conversation>` tags on lines of their own that asks for its summary, as pi and oh-my-pi send it. A chat asks for its summary if\n\n- it has the words of a known prompt: those of opencode, Codex (with a provider of another name than "OpenAI"), Claude Code behind a gateway, LiteLLM, LangChain, deepagents, Cline, OpenHands, Aider, Qwen Code, Roo, Letta, or a handoff of oh-my-pi;\n- or at least two messages precede its last one, and this one has a paragraph in English that asks the model to summarize, compact or hand off this conversation ("Write a summary of the session so far"). A wish for a title, a sentence or a number of words does not count.\n\n`X-Precis-Pipeline: on` compacts any chat; its last message, if it is the user\'s, is the instruction. `off` compacts none, except for an input that ends with a `compaction_trigger`. `/v1/messages` does not read this header.\n\n- Everything is summarized; nothing stays. What the last message has before its instruction belongs to the conversation. System prompts do not, unless they are the instruction. The instructions of the client replace those of the service, whose system prompt stays. A transcript in the client\'s prompt is used as it is, and split if it is longer than the summarizer\'s window.\n- A summary of an earlier compaction is updated. It is found where and with the words with which the known clients write it; in the tags `<previous-summary>` and `<prior-summary>`; below `Previous summary:`; and in the first message of any other client, if its first line announces it ("Summary of our conversation so far:").\n- A summary that Précis itself has written is also found without such words, whoever says it: if it is the whole text of the system prompt, of the first message of the user, of the message before or after that one, of the first message of a transcript, or of the text before the first label of a transcript. It may be in tags whose name ends in `summary`. If the user says something later, one line that ends in a colon may precede it. Précis recognizes it by the labels of the goal (`Newest request:`), by `## User Messages` with its second line, or by all sections of its prompt in their order: a text of the user with only some of these headings stays a request. So does a text whose last paragraph is plain words below the summary.\n- Messages of the user before the newest summary are copies of what it covers: they are not summarized again, and are quoted below `## User Messages`. If anything else precedes the summary, all of it is summarized.\n- If the instructions set a form (three headings, numbered sections, lines like `USER_CONTEXT:`, or `<state_snapshot>`), the answer of the model has this form, and code adds nothing. Otherwise code adds what it adds to any summary (docs/contract.md). An extract of the embedded summarizer always has its own form. If the instructions name the tag `<summary>` or `<state_snapshot>`, the reply is the text between these tags, with them.\n- The summary never exceeds the output limit of the request. What does not fit is left out by whole sections.\n- The header `X-Precis-Report` has the `report` as JSON in ASCII, without `checks` and `ignored` if it would be longer than 2,000 characters. The replies to other chats have it too.\n\n**All chats**',
    "Leading `system` and `developer` messages become the system prompt. All other messages go to the model in their order, as text: images as `[Image]`, tool calls and results as `[Assistant tool calls]: ` and `[Tool result]: ` lines. If the chat does not fit into the summarizer's window, it is split into parts, each with the last user message as its instructions.",
    'An option that would change the form of the reply is 400: `n` over 1, `modalities` other than text, `logprobs`, `top_logprobs` over 0, a `response_format` of JSON, a `tool_choice` or `function_call` that requires a call, a `logit_bias`, and the constraints of vLLM, llama.cpp and SGLang that are fields of the request. All fields that are not listed are ignored, without a report.',
    'The reply ends before the first text of `stop`, also if it is a summary. If nothing would be left of a summary, the reply is 400: its client would replace the conversation with it.',
    '`usage` is the count of the model server, or else the estimate of Précis. A stream has no heartbeat.',
    "An error is a problem that also has OpenAI's `error` member. A 413 has the code `context_length_exceeded` there.",
  ),
  tag: 'compaction',
  headers: PipelineHeaderSchema,
  body: ChatCompletionRequestSchema,
  reply: ChatCompletionReplySchema,
  events: 'With `stream`: events whose data are chunks of the completion; the data of the last event is `[DONE]`.',
  problems: [...CHAT_PROBLEMS, 'no-model'],
  ...CALLED_BY_AGENTS,
  isQueued: true,
  load: async () => (await import('./work.ts')).default,
  readModes: readChatModes,
  render(json) {
    const completed = readCompleted(json)
    const completion = toCompletion(completed)
    return completed.isStream ? { events: writeChatChunks(completion, completed) } : { json: completion }
  },
}

function toCompletion({ text, report, usage }: CompletedChat): ChatCompletionReply {
  return {
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion',
    created: Math.floor(Date.now() / 1000),
    model: report.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: {
      prompt_tokens: usage.inputTokens,
      completion_tokens: usage.outputTokens,
      total_tokens: usage.inputTokens + usage.outputTokens,
    },
  }
}

/**
 * Returns a completion as the events of a stream (OpenAI API reference, "The chat completion chunk object"): the role, the
 * text in pieces, the finish reason, the usage if the client asked for it, `[DONE]`.
 */
export function writeChatChunks(
  { id, created, model, choices, usage }: ChatCompletionReply,
  { includeUsage }: { includeUsage: boolean },
): string {
  const head = { id, object: 'chat.completion.chunk', created, model }
  const chunk = (delta: object, finish_reason: 'stop' | null = null): object => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    ...(includeUsage ? { usage: null } : {}),
  })
  const text = choices[0]?.message.content ?? ''
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    ...piecesOf(text).map((content) => chunk({ content })),
    chunk({}, 'stop'),
    ...(includeUsage ? [{ ...head, choices: [], usage }] : []),
  ]
  return [...chunks.map((one) => JSON.stringify(one)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('')
}
