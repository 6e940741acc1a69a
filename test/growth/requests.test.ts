import t from 'tap'
import { MAX_DOUBLING } from '../support/cpu-time.ts'
import { doubleRequests, MEASURABLE_MS, type DoubledShape } from '../support/double-requests.ts'
import { PROSE } from '../support/request-shapes.ts'

/** Work that is quadratic up to a limit is linear, but slow: letters without punctuation took 200 times as long as prose. */
const MAX_SHARE = 50

const msOfMegabyte = ({ longMs, megabytes }: DoubledShape): number => longMs / megabytes

t.test('a request of twice the size takes at most 2.5 times the CPU time, whatever its shape is', async (t) => {
  const all: DoubledShape[] = []
  for await (const doubled of doubleRequests()) all.push(doubled)
  const describe = ({ name, url, growth, shortMs, longMs }: DoubledShape): string =>
    `${name}, ${url}: ${growth.toFixed(1)} times for each doubling (${shortMs.toFixed(0)} ms, ${longMs.toFixed(0)} ms)`
  t.same(all.filter(({ growth, longMs }) => growth > MAX_DOUBLING && longMs >= MEASURABLE_MS).map(describe), [])
  const proseMs = Math.max(...all.filter(({ name }) => name === PROSE).map(msOfMegabyte))
  t.same(
    all
      .filter(
        (doubled) => doubled.isText && doubled.longMs >= MEASURABLE_MS && msOfMegabyte(doubled) > MAX_SHARE * proseMs,
      )
      .map(describe),
    [],
    'none takes much longer than prose of its size',
  )
  t.same(
    all.filter(({ status }) => status !== 200).map(({ name, url, status }) => `${name}, ${url}: ${status}`),
    [],
    'each request is answered: none is refused before its work begins',
  )
})
