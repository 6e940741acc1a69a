import { doubleRequests, type DoubledShape } from '../test/support/double-requests.ts'
import { describeMachine } from './support/describe-machine.ts'
import { printTable } from './support/print-table.ts'

/**
 * Measures how much more CPU time requests take when their size doubles, for all shapes of test/support/request-shapes.ts, with
 * larger sizes than `npm test` has: `npm run bench -- doubling [FACTOR [NAME]]`, by default 8 times as large, all shapes.
 */
const [, factor = '8', only = ''] = process.argv.slice(2)
console.log(`${describeMachine()}; sizes of the tests times ${factor}\n`)

const all: DoubledShape[] = []
for await (const doubled of doubleRequests({ factor: Number(factor), only })) all.push(doubled)

printTable(
  ['shape', 'request', 'status', 'MB', 'CPU ms, a quarter', 'CPU ms', 'times for each doubling'],
  all
    .sort((a, b) => b.growth - a.growth)
    .map(({ name, url, status, megabytes, shortMs, longMs, growth }) => [
      name,
      url.replace(/\?.*/, ''),
      String(status),
      megabytes.toFixed(2),
      shortMs.toFixed(0),
      longMs.toFixed(0),
      growth.toFixed(2),
    ]),
)
