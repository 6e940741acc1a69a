import t from 'tap'
import { sumBoundaries } from '../../src/tokens/estimate-tokens.ts'

const PROSE = 'The importer reads a row, checks its price, and writes it to the ledger of the day. '
const CODE = 'export function load(path: string): Row[] {\n    return read(path).map((line) => parse(line))\n}\n'

t.test('nothing is no token, and a character is one', async (t) => {
  t.same([sumBoundaries(''), sumBoundaries('a')], [0, 1])
})

t.test('a run of spaces or line ends costs the same however long it is', async (t) => {
  t.equal(sumBoundaries(`a${' '.repeat(4)}b`), sumBoundaries(`a${' '.repeat(40)}b`))
  t.equal(sumBoundaries(`a${'\n'.repeat(4)}b`), sumBoundaries(`a${'\n'.repeat(40)}b`))
})

t.test('the samples of a long text give nearly the same number as all of it', async (t) => {
  for (const piece of [PROSE, CODE, '月末最后一天导出的发票，账期显示不对。']) {
    const short = piece.repeat(Math.floor(1000 / piece.length))
    const perCharacter = sumBoundaries(short) / short.length
    for (const times of [20, 500, 20_000]) {
      const long = piece.repeat(times * 2)
      const sampled = sumBoundaries(long) / long.length
      t.ok(Math.abs(sampled / perCharacter - 1) < 0.06, `${piece.slice(0, 10)} ${times}: ${sampled / perCharacter}`)
    }
  }
})

t.test('both halves of a text count', async (t) => {
  const halves = PROSE.repeat(500) + '月末最后一天导出的发票，账期显示不对。'.repeat(500)
  const apart = sumBoundaries(PROSE.repeat(500)) + sumBoundaries('月末最后一天导出的发票，账期显示不对。'.repeat(500))
  t.ok(Math.abs(sumBoundaries(halves) / apart - 1) < 0.06)
})
