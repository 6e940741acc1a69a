import t from 'tap'
import { OVERFLOW_WORDINGS } from '../../../src/session/context-overflow.ts'
import { LearnedWindows, parseReportedWindow } from '../../../src/model/openai/learned-facts.ts'

t.test('the window is read from the wordings that report it', async (t) => {
  const reported = OVERFLOW_WORDINGS.map(([, example]) => parseReportedWindow(example)).filter(
    (window) => window !== undefined,
  )
  t.same(
    reported,
    [131072, 272000, 200000, 200000, 1048575, 1000000, 131072, 131072, 32768, 262144, 2048, 7424, 262144, 98304],
  )
})

t.test('the window is read from OpenAI’s and llama.cpp’s wordings', async (t) => {
  t.equal(parseReportedWindow("This model's maximum context length is 8192 tokens. However, you requested"), 8192)
  t.equal(parseReportedWindow('{"type": "exceed_context_size_error", "n_prompt_tokens": 9000, "n_ctx": 4096}'), 4096)
  t.equal(parseReportedWindow('prompt too long; exceeded max context length by 100918 tokens'), undefined)
})

const first = { model: 'first', contextWindow: 128_000 }

const create = () => new LearnedWindows(() => 0)

t.test('a window is as configured until a server rejects a prompt that should fit', async (t) => {
  t.equal(create().of(first, 'A'), 128_000)
  t.equal(create().of(first), 128_000)
})

/** The tokens that were tried, the window that the server reported, and the learned window. */
const REJECTIONS: [tried: number, reported: number | undefined, learned: number][] = [
  [100_000, undefined, 50_000],
  [100_000, 32_768, 32_768],
  [100_000, 128_000, 50_000],
  [100_000, 10, 50_000],
]

for (const [triedTokens, reportedTokens, learned] of REJECTIONS)
  t.test(
    `after ${triedTokens} tokens were rejected and ${reportedTokens ?? 'no window'} reported, the window is ${learned}`,
    async (t) => {
      const windows = create()
      t.equal(windows.learnFromRejection(first, { learner: 'A', triedTokens, reportedTokens }), true)
      t.equal(windows.of(first, 'A'), learned)
      t.equal(windows.of({ model: 'second', contextWindow: 128_000 }, 'A'), 128_000)
    },
  )

t.test('a window under 1024 tokens is not believed', async (t) => {
  const windows = create()
  t.equal(windows.learnFromRejection(first, { learner: 'A', triedTokens: 2000 }), false)
  t.equal(windows.of(first, 'A'), 128_000)
})

t.test('rejections of chunks that were sent in parallel halve the window once', async (t) => {
  const windows = create()
  for (let chunk = 0; chunk < 8; chunk++)
    t.equal(windows.learnFromRejection(first, { learner: 'A', triedTokens: 100_000 }), true)
  t.equal(windows.of(first, 'A'), 50_000)
})

t.test('a window is used for others once a second learner has been rejected too, and takes it over', async (t) => {
  const windows = create()
  const windowsOf = () => ['A', 'B', 'C', undefined].map((learner) => windows.of(first, learner))
  windows.learnFromRejection(first, { learner: 'A', triedTokens: 100_000 })
  windows.learnFromRejection(first, { learner: 'A', triedTokens: 50_000 })
  t.same(windowsOf(), [25_000, 128_000, 128_000, 128_000])
  windows.learnFromRejection(first, { learner: 'B', triedTokens: 90_000 })
  t.same(windowsOf(), [25_000, 25_000, 25_000, 25_000])
})

t.test('a window is forgotten when somebody’s larger prompt was answered', async (t) => {
  const windows = create()
  windows.learnFromRejection(first, { learner: 'A', triedTokens: 2100 })
  windows.learnFromAnswer(first, () => 1000)
  t.equal(windows.of(first, 'A'), 1050)
  windows.learnFromAnswer(first, () => 1051)
  t.equal(windows.of(first, 'A'), 128_000)
})

t.test('a window expires after ten minutes', async (t) => {
  let nowMs = 1000
  const windows = new LearnedWindows(() => nowMs)
  for (const learner of ['A', 'B']) windows.learnFromRejection(first, { learner, triedTokens: 100_000 })
  nowMs += 599_999
  t.equal(windows.of(first), 50_000)
  nowMs += 1
  t.same([windows.of(first), windows.of(first, 'A')], [128_000, 128_000])
})
