import t from 'tap'
import { chunkClientPrompt, joinSummaries, fitWindow, promptTokensOf } from '../../src/prompt/chunk-prompt.ts'
import { templates } from '../support/templates.ts'
import type { SummaryTask } from '../../src/prompt/task.ts'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import { textOfTokens } from '../support/text-of-tokens.ts'

const PROMPT =
  'Note.\n<conversation>\nOne.\n\nTwo.\n</conversation>\n\n<previous-summary>\nOld.\n</previous-summary>\n\nDo.'

t.test('what a client wrote around the transcript is whole in every part, with a remark at the end', async (t) => {
  const chunking = chunkClientPrompt(PROMPT, templates)
  t.equal(chunking?.conversation, '\nOne.\n\nTwo.\n')
  t.equal(
    chunking?.chunk('Two.\n', { isFirst: false, isLast: true }),
    `Note.\n<conversation>\nTwo.\n</conversation>\n\n<previous-summary>\nOld.\n</previous-summary>\n\nDo.\n\n${templates.chunk.replace('{{place}}', 'its end')}`,
  )
  t.equal(
    chunking?.merge(joinSummaries(['A', 'B'])),
    `Note.\n<conversation>\n--- Part 1 of 2 ---\n\nA\n\n--- Part 2 of 2 ---\n\nB\n</conversation>\n\n<previous-summary>\nOld.\n</previous-summary>\n\nDo.\n\n${templates.merge}`,
  )
})

t.test('a prompt without conversation tags cannot be told in parts', async (t) => {
  t.equal(chunkClientPrompt('Summarize this: ...', templates), undefined)
})

const AROUND = textOfTokens(100)

/** A task of so many tokens of transcript, and 100 of instructions. */
function taskOf(conversationTokens: number, maxTokens: number): SummaryTask {
  const line = 'word word word word\n'
  const conversation = line.repeat(Math.round((conversationTokens * 100) / estimateTextTokens(line.repeat(100))))
  const part = (text: string): string => text + AROUND
  return {
    kind: 'prompt',
    prompt: part(conversation),
    maxTokens,
    source: { form: 'prompt', prompt: '' },
    chunking: { conversation, unit: 'text', chunk: part, merge: part },
  }
}

t.test('a prompt that fits together with its answer is told whole, with the limit that was asked for', async (t) => {
  t.strictSame(fitWindow(taskOf(6800, 1000), 8000), { kind: 'whole', maxTokens: 1000 })
})

t.test('a limit above a quarter of the window gives way to the prompt', async (t) => {
  const task = taskOf(4900, 4000)
  t.strictSame(fitWindow(task, 8000), { kind: 'whole', maxTokens: 8000 - promptTokensOf(task) })
  t.equal(fitWindow(taskOf(5950, 4000), 8000).kind, 'chunks')
})

t.test(
  'what does not fit is cut into equal parts at 85 % of what is usable, answered at half the length',
  async (t) => {
    const task = taskOf(20_000, 1000)
    const fit = fitWindow(task, 8000)
    if (fit.kind !== 'chunks') return t.fail(fit.kind)
    t.equal(fit.maxTokens, 500)
    const capacity = 0.85 * (8000 - 100 - 500)
    const sizes = fit.chunks.map(estimateTextTokens)
    t.equal(sizes.length, Math.ceil(20_000 / capacity))
    t.ok(Math.max(...sizes) - Math.min(...sizes) < 20, sizes.join())
    t.equal(fit.chunks.join(''), task.chunking?.conversation)
  },
)

t.test('without a chunking nothing can be cut', async (t) => {
  const { chunking: _division, ...task } = taskOf(20_000, 1000)
  t.strictSame(fitWindow(task, 8000), { kind: 'none' })
})

t.test('a window that the instructions fill has no room, cut or not', async (t) => {
  const task = taskOf(20_000, 1000)
  t.strictSame(fitWindow({ ...task, systemPrompt: textOfTokens(8000) }, 8000), { kind: 'none' })
})

t.test('system prompt and prompt count', async (t) => {
  t.equal(promptTokensOf({ systemPrompt: textOfTokens(7), prompt: textOfTokens(5) }), 12)
})
