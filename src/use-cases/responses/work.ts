import { readItems } from '../../agents/apis/read-items.ts'
import { responsesReader } from '../../agents/apis/responses.ts'
import type { WorkRequest } from '../../jobs/protocol.ts'
import { ResponsesRequestSchema } from '../../schemas/responses.ts'
import { fieldsOf } from '../../session/entry.ts'
import { CHAT_PIPELINES, choosePipeline } from '../chat/complete-chat.ts'
import type { ChatModes } from '../chat/completed-chat.ts'
import { refuseOptions } from '../chat/refuse-options.ts'
import { compactItems } from '../response-items/compact-items.ts'
import { fieldsReader } from '../shared/read-fields.ts'
import { summaryWork } from '../shared/summary-work.ts'
import { inputItemsOf } from './input-items.ts'

const readFields = fieldsReader(ResponsesRequestSchema)

const PIPELINES = { ...CHAT_PIPELINES, items: compactItems }

export default summaryWork(PIPELINES, ({ modes, ...received }: WorkRequest<ChatModes>, context) => {
  const fields = readFields(received, context)
  refuseOptions(fields)
  const items = inputItemsOf(fields)
  const { instructions, max_output_tokens: maxTokens } = fields
  const isStream = fields.stream === true
  if (fieldsOf(items.at(-1))['type'] === 'compaction_trigger')
    return {
      name: 'items' as const,
      request: { items, style: 'compaction' as const, isTrigger: true, isStream, maxTokens },
    }
  const system = instructions ? [{ role: 'system' as const, text: instructions }] : []
  const messages = [...system, ...readItems(items, responsesReader)]
  return choosePipeline({ list: 'input', messages, maxTokens, isStream, includeUsage: false }, modes)
})
