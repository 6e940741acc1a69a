import t from 'tap'
import { readRetryAfterMs } from '../../../src/model/openai/read-retry-after.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')

const HEADERS: [headers: Record<string, string>, ms: number | undefined][] = [
  [{}, undefined],
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '1.5' }, 1500],
  [{ 'retry-after': '600' }, 600_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 12:00:20 GMT' }, 20_000],
  [{ 'retry-after': 'Fri, 20 Nov 2026 11:59:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{ 'retry-after-ms': '250' }, 250],
  [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
  [{ 'retry-after-ms': '-1' }, 0],
  [{ 'retry-after-ms': 'x', 'retry-after': '7' }, 7000],
]

for (const [headers, ms] of HEADERS)
  t.test(`${JSON.stringify(headers)} asks for ${ms ?? 'nothing'}`, async (t) => {
    t.equal(readRetryAfterMs(new Headers(headers), NOW), ms)
  })
