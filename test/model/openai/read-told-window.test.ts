import t from 'tap'
import { OVERFLOW_WORDINGS } from '../../../src/plan/context-overflow-wordings.ts'
import { readToldWindow } from '../../../src/model/openai/read-told-window.ts'

t.test('the window is read of the wordings that name it', async (t) => {
  const told = OVERFLOW_WORDINGS.map(([, example]) => readToldWindow(example)).filter((window) => window !== undefined)
  t.same(
    told,
    [131072, 272000, 200000, 200000, 1048575, 1000000, 131072, 131072, 32768, 262144, 2048, 7424, 262144, 98304],
  )
})

t.test('OpenAI and llama.cpp name it too', async (t) => {
  t.equal(readToldWindow("This model's maximum context length is 8192 tokens. However, you requested"), 8192)
  t.equal(readToldWindow('{"type": "exceed_context_size_error", "n_prompt_tokens": 9000, "n_ctx": 4096}'), 4096)
  t.equal(readToldWindow('prompt too long; exceeded max context length by 100918 tokens'), undefined)
})
