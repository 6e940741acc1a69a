import t from 'tap'
import { readUncommitted, writeUncommitted } from '../../../src/model/embedded/uncommitted-files.ts'

const LABEL = '- Not in a commit yet, as far as the calls show: '
const write = (paths: string[], hasOthers = false) => writeUncommitted({ paths, hasOthers })

t.test('the three files that were changed last are named, with the number of others', async (t) => {
  t.equal(write([]), undefined)
  t.equal(write(['a.ts', 'src/b.ts']), `${LABEL}\`a.ts\`, \`src/b.ts\``)
  t.equal(write(['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts']), `${LABEL}\`c.ts\`, \`d.ts\`, \`e.ts\` and 2 more`)
})

t.test('a later summary reads them, and knows that there were others', async (t) => {
  const long = '/home/me/projects/a-long-name-of-a-project/another-folder/lib/web/controllers/hooks.ex'
  const read = readUncommitted(['- Other: `x.ts`', write(['a.ts', 'b.ts', 'c.ts', long]) ?? ''])
  t.same(read, { paths: ['b.ts', 'c.ts', 'web/controllers/hooks.ex'], hasOthers: true })
  t.equal(writeUncommitted(read), `${LABEL}\`b.ts\`, \`c.ts\`, \`web/controllers/hooks.ex\` and others`)
  t.same(readUncommitted(), { paths: [], hasOthers: false })
})
