import { UNUSED_RESPONSE_FIELDS } from './responses.ts'

/** Replies of the routes of other APIs, for openapi.yaml. */

const SUMMARY = '## Goal\nNewest request:\nFix the parser in src/parser.ts: it loses the text of nested tags.'

const USAGE = {
  input_tokens: 32,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 114,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 146,
}

export const RESPONSE_REPLY = {
  id: 'resp_3e752edd5774433697db1f883ac535da',
  object: 'response',
  created_at: 1795333832,
  status: 'completed',
  model: 'embedded',
  output: [
    {
      id: 'msg_3e752edd5774433697db1f883ac535da',
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: SUMMARY, annotations: [] }],
    },
  ],
  usage: USAGE,
  ...UNUSED_RESPONSE_FIELDS,
}

const userMessage = (id: string, text: string): object => ({
  id,
  type: 'message',
  status: 'completed',
  role: 'user',
  content: [{ type: 'input_text', text }],
})

const compacted = (id: string, summary: object): object => ({
  id,
  object: 'response.compaction',
  created_at: 1795333832,
  output: [userMessage('msg_bdfa2a3d0b7ec7efe46bc767ec5f0458', 'Fix the parser in src/parser.ts.'), summary],
  usage: USAGE,
})

const COMPACTION_ITEM = {
  id: 'cmp_536e9fa3f79d7e32aa3e06314f63317d',
  type: 'compaction',
  encrypted_content: 'eyJ0eXBlIjoicHJlY2lzX2NvbXBhY3Rpb24iLCJ2ZXJzaW9uIjoxLCJzdW1tYXJ5IjoiIyMgR29hbCJ9',
}

export const MESSAGES_REPLY = {
  id: 'msg_a6d04d8aaa10449897f28e2ed2e1c43f',
  type: 'message',
  role: 'assistant',
  model: 'embedded',
  content: [{ type: 'compaction', content: SUMMARY, encrypted_content: null }],
  stop_reason: 'compaction',
  stop_sequence: null,
  usage: {
    input_tokens: 0,
    output_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    iterations: [
      {
        type: 'compaction',
        input_tokens: 32,
        output_tokens: 114,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
    ],
  },
  precis: {
    messages: [
      { role: 'user', content: `Summary of the earlier conversation, which this message replaces:\n\n${SUMMARY}` },
    ],
  },
}

export const COMPRESS_REPLY = {
  messages: [
    { role: 'user', content: `Summary of the earlier conversation, which this message replaces:\n\n${SUMMARY}` },
    { role: 'assistant', content: 'The parser keeps nested text now, and all 3 tests pass.' },
  ],
  tokens_before: 104_870,
  tokens_after: 31_204,
  tokens_saved: 73_666,
  compression_ratio: 0.298,
  transforms_applied: ['precis:summary'],
  transforms_summary: { 'precis:summary': 1 },
  ccr_hashes: [],
}

export const MODEL_REPLY = { id: 'embedded', object: 'model', created: 0, owned_by: 'precis' }

export const COMPACTED_ITEMS_REPLY = compacted('resp_3fad92dccbbf42309c4cb8192dbd39c0', COMPACTION_ITEM)

export const COMPACTED_MESSAGES_REPLY = compacted(
  'resp_b96fa35d2124443b9cd7104f6134842c',
  userMessage('msg_50bdd53b5657e4d8c690f77573243703', `Summary of the earlier conversation:\n\n${SUMMARY}`),
)
