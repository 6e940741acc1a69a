import t from 'tap'
import { Problem } from '../../../src/errors.ts'
import type { SummaryTask } from '../../../src/model/summarizer.ts'
import { divideClientPrompt } from '../../../src/prompt/divide-client-prompt.ts'
import { estimateTextTokens } from '../../../src/plan/estimate-tokens.ts'
import { loadTemplates } from '../../../src/prompt/load-templates.ts'
import { errorReply, FAULTS } from '../../support/model-replies.ts'
import type { RecordedRequest, Reply } from '../../support/model-server.ts'
import { textOfTokens } from '../../support/text-of-tokens.ts'
import { openBudget, outcomeOf, startSummarizer } from '../../support/start-summarizer.ts'

const templates = loadTemplates(new URL('../../../prompts/', import.meta.url))

/** A client's prompt with so many blocks of about 500 tokens, told apart by their numbers. */
function taskOf(blocks: number, maxTokens = 400): SummaryTask {
  const transcript = Array.from({ length: blocks }, (_, index) => `[User]: block ${index}. ${textOfTokens(492)}`)
  const prompt = `<conversation>\n${transcript.join('\n\n')}\n</conversation>\n\n<previous-summary>\nThe old one.\n</previous-summary>\n\nSummarize it.`
  const division = divideClientPrompt(prompt, templates)
  return { kind: 'prompt', prompt, maxTokens, source: { form: 'prompt', prompt }, ...(division && { division }) }
}

const promptOf = ({ body }: RecordedRequest): string =>
  (body['messages'] as { content: string }[]).map(({ content }) => content).join('\n')

const blocksIn = (text: string): number[] => Array.from(text.matchAll(/block (\d+)\./g), ([, digits]) => Number(digits))

const isMerge = (request: RecordedRequest): boolean => promptOf(request).includes('--- Part 1 of')

/** Summarizes by naming the blocks that were seen, in brief. */
const listBlocks = (request: RecordedRequest): Reply => ({
  text: blocksIn(promptOf(request))
    .map((number) => `block ${number}.`)
    .join(' '),
})

const window = (model: string, contextWindow: number) => ({ model, contextWindow })
const range = (length: number): number[] => Array.from({ length }, (_, index) => index)

t.test('a transcript over the window is summarized in parts side by side, and merged in order', async (t) => {
  const { summarizer, server } = await startSummarizer(t, (request) => ({ ...listBlocks(request), delayMs: 20 }), {
    candidates: [window('first', 8000)],
  })
  const draft = await summarizer.summarize(taskOf(40), openBudget())
  t.same(blocksIn(draft.text), range(40))
  t.equal(draft.windows, 4)
  t.equal(draft.calls, 5)
  t.equal(server.maxConcurrent(), 4)
  const [merge, ...others] = server.requests.slice().reverse()
  t.equal(isMerge(merge!), true)
  t.equal(others.some(isMerge), false)
  t.equal(draft.prompt, promptOf(merge!))
  for (const request of server.requests) t.match(promptOf(request), /The old one\.[^]*Summarize it\./)
  t.same(
    server.requests.map(({ body }) => body['max_completion_tokens']),
    [200, 200, 200, 200, 400],
  )
})

t.test('too many parts are merged in levels', async (t) => {
  const { summarizer, server } = await startSummarizer(
    t,
    (request) => ({ text: `${listBlocks(request).text ?? ''} ${'and so on '.repeat(isMerge(request) ? 10 : 100)}` }),
    { candidates: [window('first', 2500)] },
  )
  const draft = await summarizer.summarize(taskOf(40), openBudget())
  t.same(blocksIn(draft.text), range(40))
  const merges = server.requests.filter(isMergeOrInner).length
  t.ok(merges > 2, `${merges} merges`)
  t.equal(draft.windows, server.requests.length - merges)
})

const isMergeOrInner = (request: RecordedRequest): boolean => promptOf(request).includes('--- Part ')

t.test('a server that says too long is believed: cut smaller, and remembered', async (t) => {
  const { summarizer, server } = await startSummarizer(t, (request) =>
    estimateTextTokens(promptOf(request)) > 8000 ? errorReply(400, 'prompt is too long') : listBlocks(request),
  )
  const draft = await summarizer.summarize(taskOf(40), openBudget())
  t.same(blocksIn(draft.text), range(40))
  t.ok(summarizer.windowTokens() <= 12_000 && summarizer.windowTokens() > 4000, `${summarizer.windowTokens()}`)
  const before = server.requests.length
  await summarizer.summarize(taskOf(40), openBudget())
  const again = server.requests.slice(before)
  t.ok(again.every((request) => estimateTextTokens(promptOf(request)) <= 8000))
})

t.test('a part that one candidate does not give is asked of the next', async (t) => {
  const { summarizer } = await startSummarizer(
    t,
    (request) =>
      request.body['model'] === 'first' && blocksIn(promptOf(request))[0] === 0 ? FAULTS.refused : listBlocks(request),
    { candidates: [window('first', 8000), window('second', 8000)] },
  )
  t.same(blocksIn((await summarizer.summarize(taskOf(40), openBudget())).text), range(40))
})

t.test('when a part fails for good those under way finish, and none is started', async (t) => {
  const { summarizer, server } = await startSummarizer(
    t,
    (request) => (blocksIn(promptOf(request))[0] === 0 ? FAULTS.wrongKey : { ...listBlocks(request), delayMs: 100 }),
    { candidates: [window('first', 8000)], concurrency: 2 },
  )
  await t.rejects(
    summarizer.summarize(taskOf(80), openBudget()),
    new Problem('model-misconfigured', 'first refused our key (HTTP 401).'),
  )
  t.equal(server.requests.length, 2)
  t.same(
    server.requests.map(({ aborted }) => aborted),
    [false, false],
  )
})

t.test('a prompt without conversation tags that does not fit is refused without a call', async (t) => {
  const { summarizer, server } = await startSummarizer(t, ['ok'], { candidates: [window('first', 8000)] })
  const { division: _division, ...task } = taskOf(40)
  t.match(await outcomeOf(summarizer.summarize(task, openBudget())), { type: 'prompt-too-large' })
  t.equal(server.requests.length, 0)
})

t.test('where what stands around the transcript fills the window, the prompt is too large', async (t) => {
  const { summarizer, server } = await startSummarizer(t, ['ok'], { candidates: [window('first', 2000)] })
  const task = taskOf(40)
  t.match(await outcomeOf(summarizer.summarize({ ...task, systemPrompt: textOfTokens(2000) }, openBudget())), {
    type: 'prompt-too-large',
  })
  t.equal(server.requests.length, 0)
})

t.test('a hang-up ends all parts', async (t) => {
  const { summarizer, server } = await startSummarizer(t, [FAULTS.stalled], { candidates: [window('first', 8000)] })
  const { controller, ...budget } = openBudget()
  const summarizing = summarizer.summarize(taskOf(40), budget)
  while (server.requests.length < 4) await new Promise((resolve) => setTimeout(resolve, 5))
  controller.abort(new Error('gone'))
  await t.rejects(summarizing, { message: 'gone' })
  await Promise.all(server.requests.map(({ ended }) => ended))
  t.equal(server.requests.length, 4)
})
