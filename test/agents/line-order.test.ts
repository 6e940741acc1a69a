import t from 'tap'
import { LineOrder } from '../../src/agents/claude-code/line-order.ts'
import type { FileLine } from '../../src/agents/claude-code/lines.ts'

const MEGABYTE = 1_048_576

/** Returns the ids of lines in the order in which they are passed on. A line is named with those that it follows: `b<a`. */
function orderOf(names: readonly string[], bytes = 100): string[] {
  const passed: string[] = []
  const order = new LineOrder(({ id }) => passed.push(id))
  for (const [index, name] of names.entries()) order.add(lineOf(name, { index, bytes }))
  order.end()
  return passed
}

function lineOf(name: string, { index, bytes }: { index: number; bytes: number }): FileLine {
  const [id = '', after = ''] = name.split('<')
  const range = { start: 0, end: bytes }
  return {
    id,
    after: after.split(',').filter(Boolean),
    line: {},
    place: { id, parentId: '', index, entryIndex: index, range },
  }
}

const ORDERS: [what: string, lines: string, passed: string][] = [
  ['stand in their order', 'a b<a c<b', 'a b c'],
  ['are reversed', 'c<b b<a a', 'a b c'],
  ['follow several lines', 'd<b,c c<a b<a a', 'a c b d'],
  ['follow one line that stands before them and one behind', 'a d<a,b b', 'a b d'],
  ['follow a missing line', 'b<x c<b a', 'a b c'],
  ['follow several missing lines', 'b<x,y,z a c<b', 'a b c'],
  ['follow themselves', 'a<a b<a', 'a b'],
]

for (const [what, lines, passed] of ORDERS)
  t.test(`lines that ${what} are passed on once, each after those that it follows`, async (t) => {
    t.equal(orderOf(lines.split(' ')).join(' '), passed)
  })

t.test(
  'lines that follow each other are passed on once, after all others, from the first one of the file on',
  async (t) => {
    t.equal(orderOf('c<d d<c e<d a b<a'.split(' ')).join(' '), 'a b c d e')
    t.equal(orderOf('c<d d<c f<e e<f'.split(' ')).join(' '), 'c d f e')
    t.equal(orderOf('a<c b<d e<c c<a,b d<b'.split(' ')).join(' '), 'a b c e d')
  },
)

t.test('more than 4 MiB of lines do not wait: the missing one comes later, and once', async (t) => {
  t.equal(orderOf(['b<a', 'c<b', 'd<c', 'a<x', 'e<d'], 2 * MEGABYTE).join(' '), 'b c d e a')
})
