import t from 'tap'
import { estimateMessageTokens, estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import { bashExecutionText, wrapBranchSummary, wrapCompactionSummary } from '../../src/session/message-text.ts'
import type { BashExecutionMessage, Message } from '../../src/session/message.ts'

// What o200k_base cuts them to, counted with gpt-tokenizer 4.0.0: the estimate is within a tenth even of these few words.
const COUNTED: [text: string, tokens: number][] = [
  ['', 0],
  ['a', 1],
  ['The importer skips every row that has no price, and says so in the report of the day.', 19],
  ['export function splitConversation(text: string): string[] {\n  return text.split("\\n")\n}\n', 21],
  ['{"type":"message","id":"a1","message":{"role":"user","content":"Fix it."}}', 21],
  ['月末最后一天导出的发票，账期显示不对。请找出原因并修复。', 24],
  ['Пропускай строки без цены и напиши об этом в отчёте.', 16],
]

for (const [text, tokens] of COUNTED)
  t.test(`rule 10: an estimate near ${tokens} for ${text.slice(0, 30) || 'nothing'}`, async (t) => {
    const estimate = estimateTextTokens(text)
    t.ok(Math.abs(estimate - tokens) <= Math.ceil(tokens / 10), `${estimate}`)
  })

t.test('rule 10: a message counts its texts, thinking, calls with their arguments as JSON, and images', async (t) => {
  const content: Message = {
    role: 'assistant',
    content: [
      { type: 'text', text: 'abcd' },
      { type: 'thinking', thinking: 'abcdefgh' },
      { type: 'toolCall', id: 'not counted', name: 'read', arguments: { path: 'a' } },
      { type: 'image' },
    ],
  }
  t.equal(
    estimateMessageTokens(content),
    ['abcd', 'abcdefgh', 'read', '{"path":"a"}'].reduce((sum, text) => sum + estimateTextTokens(text), 1200),
  )
  t.equal(estimateMessageTokens({ role: 'user', content: [] }), 0)
})

t.test('rule 10: what /context writes in words of its own counts with these words', async (t) => {
  const bash: BashExecutionMessage = {
    role: 'bashExecution',
    command: 'ls',
    output: 'a\nb',
    exitCode: 2,
    cancelled: false,
  }
  t.equal(estimateMessageTokens(bash), estimateTextTokens(bashExecutionText(bash)))
  t.equal(
    estimateMessageTokens({ role: 'branchSummary', summary: 'tried' }),
    estimateTextTokens(wrapBranchSummary('tried')),
  )
  t.equal(
    estimateMessageTokens({ role: 'compactionSummary', summary: 'so far' }),
    estimateTextTokens(wrapCompactionSummary('so far')),
  )
})

t.test('arguments nested too deeply to be written as JSON throw nothing', async (t) => {
  const depth = 100_000
  const deep = JSON.parse('['.repeat(depth) + ']'.repeat(depth)) as unknown
  const message: Message = {
    role: 'assistant',
    content: [{ type: 'toolCall', id: 'c', name: 'read', arguments: deep }],
  }
  t.equal(estimateMessageTokens(message), 1)
})
