import t from 'tap'
import { findWork } from '../../src/extract/find-work.ts'
import { pairMessages } from '../../src/extract/runs.ts'
import { fitWindow, withTranscript } from '../../src/prompt/chunk-prompt.ts'
import { assignSegments, buildTasks } from '../../src/prompt/build-tasks.ts'
import { splitHere } from '../../src/prompt/split-conversation.ts'
import type { SummaryTask } from '../../src/prompt/task.ts'
import { transcriptBudget, type TranscriptLimits } from '../../src/prompt/transcript-budget.ts'
import type { Message } from '../../src/session/message.ts'
import { estimateMessageTokens } from '../../src/tokens/estimate-tokens.ts'
import { templates } from '../support/templates.ts'
import { assistant, call, result, user } from './message-builders.ts'

const lines = (file: number): string =>
  Array.from(
    { length: 60 },
    (_, line) => `Entry ${line} of ledger ${file} is worth ${(file * 61 + line) % 997} francs.`,
  ).join('\n')

/** A session of one request and of files that were read, each so many times as long, with at least so many tokens. */
function sessionOf(tokens: number, times = 1): Message[] {
  const messages: Message[] = [user('Read all ledgers.')]
  for (let file = 0, sum = 0; sum < tokens; file++) {
    const path = `ledgers/${file}.txt`
    const step = [
      assistant(`Ledger ${file}.`, call('read', { path }, path)),
      {
        ...result(Array.from({ length: times }, (_, part) => lines(file * times + part)).join('\n')),
        toolCallId: path,
      },
    ]
    messages.push(...step)
    sum += step.reduce((total, message) => total + estimateMessageTokens(message), 0)
  }
  return messages
}

function taskOf(messages: readonly Message[], limits: TranscriptLimits): SummaryTask {
  const texts = { history: { messages } }
  const paired = pairMessages(messages)
  const { runs } = paired
  const work = findWork(paired)
  const options = { kind: 'history', guidance: {}, runs, work, settings: {}, maxSummaryTokens: 16_384 } as const
  const { history } = buildTasks(assignSegments(texts, options), { texts, guidance: {}, templates, limits })
  if (history === undefined) throw new Error('The history has no task.')
  return history
}

const transcriptTokens = ({ promptTokens, chunking }: SummaryTask): number =>
  promptTokens - (chunking?.frameTokens ?? 0)

t.test('the budget grows with what is summarized, more slowly than that', async (t) => {
  const spans = [0, 1000, 60_000, 120_000, 150_000, 200_000, 312_000, 600_000, 1_000_000, 10_000_000]
  t.same(spans.map(transcriptBudget), [
    ...[40_000, 40_000, 40_000, 40_000, 47_287, 58_674, 81_901, 133_748, 196_189, 200_000],
  ])
})

t.test('a summary of a longer session is written from more of it, and a limit is one at any length', async (t) => {
  const read = (tokens: number, limit?: number): number =>
    transcriptTokens(taskOf(sessionOf(tokens), { transcriptTokens: limit, windowLimitTokens: 200_000 }))
  const near = (tokens: number, expected: number): boolean => tokens > expected * 0.93 && tokens <= expected
  t.ok(near(read(60_000), 40_000), String(read(60_000)))
  t.ok(near(read(200_000), 59_000), String(read(200_000)))
  t.ok(near(read(200_000, 20_000), 20_000), String(read(200_000, 20_000)))
  t.ok(near(read(60_000, 50_000), 50_000), String(read(60_000, 50_000)))
})

t.test(
  'where nobody sets a budget, a prompt is no longer than if each output were cut to 2,000 characters',
  async (t) => {
    const read = (tokens: number, times: number, limits: Partial<TranscriptLimits> = {}): number =>
      transcriptTokens(taskOf(sessionOf(tokens, times), { windowLimitTokens: 200_000, ...limits }))
    const near = (tokens: number, expected: number): boolean => Math.abs(tokens - expected) < expected * 0.1
    // Outputs of 2,500 and of 25,000 characters.
    t.ok(near(read(20_000, 1), 20_000 * (2 / 2.5) - 2000), String(read(20_000, 1)))
    t.ok(near(read(100_000, 10), 12_000), String(read(100_000, 10)))
    t.ok(near(read(100_000, 10, { transcriptTokens: 30_000 }), 30_000), 'a budget that somebody sets counts')
    t.ok(near(read(20_000, 1, { partTokens: 5000 }), 5000), 'a part of a session has its share at most')
  },
)

/** The prompts of the parts of a task, with the output limit of each. */
function partsOf(task: SummaryTask, windowTokens: number) {
  const fit = fitWindow(task, windowTokens)
  if (fit.kind !== 'split' || task.chunking === undefined) return []
  const { start, end, unit } = task.chunking
  const chunks = splitHere(task.prompt.subarray(start, end), { capacityTokens: fit.capacityTokens, unit })
  return chunks.map(({ text, tokens }) => ({
    part: withTranscript(task, { text: text.toString(), tokens, place: 'middle' }),
    maxTokens: fit.maxTokens,
  }))
}

for (const [windowTokens, count, target] of [
  [16_384, 5, 2700],
  [32_768, 3, 5500],
] as const)
  t.test(`a session of 150,000 tokens is read in ${count} parts of a window of ${windowTokens}`, async (t) => {
    const messages = sessionOf(150_000)
    const task = taskOf(messages, { windowLimitTokens: windowTokens })
    const parts = partsOf(task, windowTokens)
    t.equal(parts.length, count)
    t.ok(parts.every(({ part, maxTokens }) => part.promptTokens + maxTokens <= windowTokens))
    t.equal(
      transcriptTokens(task),
      transcriptTokens(taskOf(messages, { windowLimitTokens: 200_000 })),
      'nothing is lost',
    )
    t.match(task.prompt.toString(), `about ${target} tokens.`)
    const halfTarget = target / 2
    t.ok(
      parts.every(({ maxTokens }) => maxTokens > halfTarget),
      'a part has room for what it is asked for',
    )
  })

t.test('in a tiny window, the transcript is shorter: it is not read in dozens of parts', async (t) => {
  const task = taskOf(sessionOf(60_000), { windowLimitTokens: 4500 })
  t.ok(partsOf(task, 4500).length <= 10, String(partsOf(task, 4500).length))
  t.ok(transcriptTokens(task) < 20_000)
})

t.test('what fits the window is one text', async (t) => {
  const task = taskOf(sessionOf(60_000), { windowLimitTokens: 64_000 })
  t.match(fitWindow(task, 64_000), { kind: 'whole', maxTokens: 13_107 })
})
