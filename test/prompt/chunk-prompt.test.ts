import t from 'tap'
import { chunkClientPrompt, fitWindow, joinSummaries, withTranscript } from '../../src/prompt/chunk-prompt.ts'
import { splitHere } from '../../src/prompt/split-conversation.ts'
import { createTask, promptTokensOf, type ChunkPlace, type SummaryTask } from '../../src/prompt/task.ts'
import { estimateTextTokens } from '../../src/tokens/estimate-tokens.ts'
import { templates } from '../support/templates.ts'
import { textOfTokens } from '../support/text-of-tokens.ts'

const PROMPT =
  'Note.\n<conversation>\nOne.\n\nTwo é.\n</conversation>\n\n<previous-summary>\nOld.\n</previous-summary>\n\nDo.'

const taskOfPrompt = (prompt: string): SummaryTask =>
  createTask({ kind: 'prompt', maxTokens: 100, ...chunkClientPrompt(prompt, templates) })

const promptAt = (task: SummaryTask, place: ChunkPlace, text: string): string =>
  withTranscript(task, { text, tokens: 1, place }).prompt.toString()

const transcriptOf = ({ prompt, chunking }: SummaryTask): string | undefined =>
  chunking && prompt.subarray(chunking.start, chunking.end).toString()

t.test('what a client wrote around the transcript is whole in every part, with a remark at the end', async (t) => {
  const task = taskOfPrompt(PROMPT)
  t.equal(task.prompt.toString(), PROMPT)
  t.equal(transcriptOf(task), '\nOne.\n\nTwo é.\n')
  t.equal(
    promptAt(task, 'end', 'Two.'),
    `Note.\n<conversation>\nTwo.\n</conversation>\n\n<previous-summary>\nOld.\n</previous-summary>\n\nDo.\n\n${templates.chunk.replace('{{place}}', 'its end')}`,
  )
  t.equal(
    promptAt(task, 'merge', joinSummaries(['A', 'B'])),
    `Note.\n<conversation>\n--- Part 1 of 2 ---\n\nA\n\n--- Part 2 of 2 ---\n\nB\n</conversation>\n\n<previous-summary>\nOld.\n</previous-summary>\n\nDo.\n\n${templates.merge}`,
  )
})

t.test('a part knows where its own transcript is, and a part of a merge is a merge', async (t) => {
  const part = withTranscript(taskOfPrompt(PROMPT), { text: 'Zwei, drei: é.', tokens: 7, place: 'middle' })
  t.equal(transcriptOf(part), 'Zwei, drei: é.')
  const merge = withTranscript(part, { text: 'A and B', tokens: 3, place: 'merge' })
  t.equal(promptAt(merge, 'beginning', 'A'), promptAt(merge, 'merge', 'A'))
})

t.test('a prompt without conversation tags cannot be told in parts', async (t) => {
  t.equal(taskOfPrompt('Summarize this: ...').chunking, undefined)
})

const AROUND = textOfTokens(100)

/** A task of so many tokens of transcript, and 100 of instructions. */
function taskOf(conversationTokens: number, maxTokens: number, systemPrompt?: string): SummaryTask {
  const line = 'word word word word\n'
  const conversation = line.repeat(Math.round((conversationTokens * 100) / estimateTextTokens(line.repeat(100))))
  const after = { beginning: AROUND, middle: AROUND, end: AROUND, merge: AROUND }
  return createTask({
    kind: 'prompt',
    systemPrompt,
    prompt: conversation + AROUND,
    maxTokens,
    split: { unit: 'text', frame: { before: '', after }, transcript: { start: 0, end: conversation.length } },
  })
}

t.test('a prompt that fits together with its answer is told whole, with the limit that was asked for', async (t) => {
  t.strictSame(fitWindow(taskOf(6800, 1000), 8000), { kind: 'whole', maxTokens: 1000 })
})

t.test('a limit above a quarter of the window gives way to the prompt', async (t) => {
  const task = taskOf(4900, 4000)
  t.strictSame(fitWindow(task, 8000), { kind: 'whole', maxTokens: 8000 - task.promptTokens })
  t.equal(fitWindow(taskOf(5950, 4000), 8000).kind, 'split')
})

t.test(
  'what does not fit is cut into equal parts at 85 % of what is usable, answered at half the length',
  async (t) => {
    const task = taskOf(20_000, 1000)
    const fit = fitWindow(task, 8000)
    if (fit.kind !== 'split') return t.fail(fit.kind)
    t.equal(fit.maxTokens, 500)
    const capacity = 0.85 * (8000 - 100 - 500)
    t.equal(fit.capacityTokens, Math.floor(capacity))
    const chunks = splitHere(Buffer.from(transcriptOf(task) ?? ''), { ...fit, unit: 'text' })
    const sizes = chunks.map(({ tokens }) => tokens)
    t.equal(sizes.length, Math.ceil(20_000 / capacity))
    t.ok(Math.max(...sizes) - Math.min(...sizes) < 20, sizes.join())
    t.equal(chunks.map(({ text }) => text.toString()).join(''), transcriptOf(task))
  },
)

t.test('without a chunking nothing can be cut', async (t) => {
  const { chunking: _division, ...task } = taskOf(20_000, 1000)
  t.strictSame(fitWindow(task, 8000), { kind: 'none' })
})

t.test('a window that the instructions fill has no room, cut or not', async (t) => {
  t.strictSame(fitWindow(taskOf(20_000, 1000, textOfTokens(8000)), 8000), { kind: 'none' })
})

t.test('system prompt and prompt count', async (t) => {
  t.equal(promptTokensOf({ systemPrompt: textOfTokens(7), prompt: textOfTokens(5) }), 12)
})
