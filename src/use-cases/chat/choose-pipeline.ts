import { compactChat } from './compact-chat.ts'
import { completeChat, type ChatRequest } from './complete-chat.ts'
import { recognizeCompaction, type PipelineChoice } from './recognize-compaction.ts'

/** The ways to answer a chat. */
export const CHAT_PIPELINES = { completion: completeChat, compaction: compactChat }

/** Returns what a chat asks for: one that asks for its compaction is compacted, any other one goes to the model. */
export function choosePipeline(request: ChatRequest, { pipeline = 'auto' }: { pipeline?: PipelineChoice }) {
  const parts = recognizeCompaction(request.messages, pipeline)
  return parts === undefined
    ? { name: 'completion' as const, request }
    : { name: 'compaction' as const, request: { ...request, ...parts, isAskedInChat: true } }
}
