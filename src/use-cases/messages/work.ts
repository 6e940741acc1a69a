import { anthropicReader } from '../../agents/apis/anthropic.ts'
import { readItems } from '../../agents/apis/read-items.ts'
import { takeSummary } from '../../agents/earlier-summary.ts'
import { Problem } from '../../errors.ts'
import { MessagesRequestSchema, type MessagesRequest } from '../../schemas/anthropic.ts'
import { compactChat } from '../chat/compact-chat.ts'
import { refuseOptions } from '../chat/refuse-options.ts'
import { fieldsReader } from '../shared/read-fields.ts'
import { summaryWork } from '../shared/summary-work.ts'

const readFields = fieldsReader(MessagesRequestSchema)

export default summaryWork({ compaction: compactChat }, (received, context) => {
  const fields = readFields(received, context)
  const wish = findWish(fields)
  if (wish === undefined) throw new Problem('not-found', NO_COMPACTION)
  refuseOptions(fields)
  const { messages, covered, summary: previousSummary } = takeSummary(readItems(fields.messages, anthropicReader))
  const parts = { messages, covered, previousSummary, instructions: wish.instructions ?? '' }
  const isStream = fields.stream === true
  const request = { ...parts, list: 'messages' as const, maxTokens: fields.max_tokens, isStream, includeUsage: false }
  return { name: 'compaction', request }
})

const NO_COMPACTION =
  'This route answers only requests for a compaction: with `compaction: {"type": "summarize"}`, or with an edit ' +
  '`compact_20260112` in `context_management` that has `pause_after_compaction: true`. Send other requests to the server of the model.'

/** Returns how a request asks for a compaction (betas `compact-2026-09-04` and `compact-2026-01-12`). */
function findWish({ compaction, context_management: management }: MessagesRequest) {
  if (compaction?.type === 'summarize') return compaction
  return management?.edits?.find(
    ({ type, pause_after_compaction: isPaused }) => type === 'compact_20260112' && isPaused === true,
  )
}
