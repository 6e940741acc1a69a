import t from 'tap'
import { OVERFLOW_WORDINGS } from '../../../src/session/context-overflow.ts'
import { parseReportedWindow, createLearnedWindows } from '../../../src/model/openai/learned-windows.ts'

t.test('the window is read of the wordings that name it', async (t) => {
  const told = OVERFLOW_WORDINGS.map(([, example]) => parseReportedWindow(example)).filter(
    (window) => window !== undefined,
  )
  t.same(
    told,
    [131072, 272000, 200000, 200000, 1048575, 1000000, 131072, 131072, 32768, 262144, 2048, 7424, 262144, 98304],
  )
})

t.test('OpenAI and llama.cpp name it too', async (t) => {
  t.equal(parseReportedWindow("This model's maximum context length is 8192 tokens. However, you requested"), 8192)
  t.equal(parseReportedWindow('{"type": "exceed_context_size_error", "n_prompt_tokens": 9000, "n_ctx": 4096}'), 4096)
  t.equal(parseReportedWindow('prompt too long; exceeded max context length by 100918 tokens'), undefined)
})

const first = { model: 'first', contextWindow: 128_000 }

t.test('a window is as configured until a server refuses what should have fit', async (t) => {
  t.equal(createLearnedWindows().of(first), 128_000)
})

/** What was tried, what the server named, and the window that is believed from then on. */
const REFUSALS: [tried: number, told: number | undefined, learnt: number][] = [
  [100_000, undefined, 50_000],
  [100_000, 32_768, 32_768],
  [100_000, 128_000, 50_000],
  [100_000, 10, 50_000],
]

for (const [tried, told, learnt] of REFUSALS)
  t.test(`${tried} tried and ${told ?? 'nothing'} told make ${learnt}`, async (t) => {
    const windows = createLearnedWindows()
    t.equal(windows.refused(first, tried, told), true)
    t.equal(windows.of(first), learnt)
    t.equal(windows.of({ model: 'second', contextWindow: 128_000 }), 128_000)
  })

t.test('a window under 1024 tokens is not believed', async (t) => {
  const windows = createLearnedWindows()
  t.equal(windows.refused(first, 2000), false)
  t.equal(windows.of(first), 128_000)
})

t.test('a refusal of what was sent before another one taught a smaller window teaches nothing more', async (t) => {
  const windows = createLearnedWindows()
  for (let part = 0; part < 8; part++) t.equal(windows.refused(first, 100_000), true)
  t.equal(windows.of(first), 50_000)
})
