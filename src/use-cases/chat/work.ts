import { readChat } from '../../agents/apis/read-chat.ts'
import type { WorkRequest } from '../../jobs/protocol.ts'
import { ChatCompletionRequestSchema } from '../../schemas/chat-completion.ts'
import { fieldsReader } from '../shared/read-fields.ts'
import { summaryWork } from '../shared/summary-work.ts'
import { CHAT_PIPELINES, choosePipeline } from './complete-chat.ts'
import type { ChatModes } from './completed-chat.ts'
import { refuseOptions } from './refuse-options.ts'

const readFields = fieldsReader(ChatCompletionRequestSchema)

export default summaryWork(CHAT_PIPELINES, ({ modes, ...received }: WorkRequest<ChatModes>, context) => {
  const fields = readFields(received, context)
  refuseOptions(fields)
  const request = {
    list: 'messages' as const,
    messages: readChat(fields.messages),
    maxTokens: fields.max_completion_tokens ?? fields.max_tokens,
    stop: stopsOf(fields.stop),
    isStream: fields.stream === true,
    includeUsage: fields.stream_options?.include_usage === true,
  }
  return choosePipeline(request, modes)
})

const stopsOf = (stop: string | string[] | null | undefined): string[] =>
  [stop ?? []].flat().filter((text) => text !== '')
