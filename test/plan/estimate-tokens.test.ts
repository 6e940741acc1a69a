import t from 'tap'
import { estimateMessageTokens, estimateTextTokens } from '../../src/plan/estimate-tokens.ts'
import { bashExecutionText } from '../../src/session/bash-execution-text.ts'
import type { BashExecutionMessage, Message } from '../../src/session/message.ts'
import { wrapBranchSummary, wrapCompactionSummary } from '../../src/session/wrap-summary.ts'

t.test('rule 10: four characters make a token, a begun one counts', async (t) => {
  t.same(
    ['', 'a', 'abcd', 'abcde', 'x'.repeat(400)].map((text) => estimateTextTokens(text)),
    [0, 1, 1, 2, 100],
  )
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
  t.equal(estimateMessageTokens(content), 1 + 2 + (1 + 3) + 1200)
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
