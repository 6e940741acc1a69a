import type { RawContent } from '../schemas/content.ts'
import type { RawEntry, RawMessageEntry } from '../schemas/entry.ts'
import { pick } from './pick.ts'
import { dropImages, slimMessage } from './slim-message.ts'

const NODE = ['type', 'id', 'parentId', 'excludeFromContext'] as const

/** Entries of which all may be needed: summaries with their details, and what tells of the model in use. */
const KEPT_WHOLE = new Set(['branch_summary', 'compaction', 'model_change'])

/** Keeps of a checked entry what a plan and its prompts need. */
export function slimEntry(raw: RawEntry): RawEntry {
  if (KEPT_WHOLE.has(raw.type)) return raw
  const node = pick(raw, NODE) as RawEntry
  switch (raw.type) {
    case 'message':
      return Object.assign(node, { message: slimMessage((raw as RawMessageEntry).message) })
    case 'custom_message':
      return Object.assign(node, { content: dropImages(raw['content'] as RawContent) })
    default:
      return node
  }
}
