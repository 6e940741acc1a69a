/** A small program with tests, which the recorded sessions work on. */
export const PROJECT: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "invoices", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/total.js': `export function total(items) {
  return items.reduce((sum, { price, count }) => sum + price * count, 0)
}
`,
  'src/format.js': `export const format = (amount) => amount.toFixed(2) + ' EUR'
`,
  'test/total.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { total } from '../src/total.js'

test('adds up', () => assert.equal(total([{ price: 2, count: 3 }]), 6))
`,
}

/** A plan in a file, with boxes. */
export const PLAN = `# Plan

- [ ] Parse the CSV file
- [ ] Reject negative counts
- [ ] Write the totals
- [ ] Document the options
`
