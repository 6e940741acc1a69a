import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { buildAll, buildIfChanged, buildParts } from '../scripts/build.ts'
import { folderOf } from './support/temp-folder.ts'

t.test(
  'npm start builds if a file has changed, was added or removed, and says so; a failed build is repeated',
  async (t) => {
    const root = folderOf(t)
    mkdirSync(join(root, 'src/cli'), { recursive: true })
    writeFileSync(join(root, 'src/cli/a.ts'), 'a')
    const said: string[] = []
    const run = (build = (): void => undefined): string => {
      buildIfChanged({ root, build, say: (line) => said.push(line) })
      return said.at(-1) ?? ''
    }
    const first = 'Building for the first time ...'
    const [built, unchanged] = ['Building, because files have changed ...', 'Nothing has changed since the last build.']
    t.throws(() =>
      run(() => {
        throw new Error('a fault')
      }),
    )
    t.equal(run(), first)
    t.equal(run(), unchanged)
    utimesSync(join(root, 'src/cli/a.ts'), 1, 1)
    t.equal(run(), built)
    writeFileSync(join(root, 'src/b.ts'), 'b')
    t.equal(run(), built)
    rmSync(join(root, 'src/b.ts'))
    t.equal(run(), built)
    writeFileSync(join(root, 'README.md'), 'text')
    t.equal(run(), unchanged)
    writeFileSync(join(root, 'src/c.ts'), 'c')
    buildAll({ root, build: () => undefined })
    t.equal(run(), unchanged, 'npm run build has built it')
  },
)

t.test('a build says which part begins, and ends with the first that fails', async (t) => {
  const events: string[] = []
  const say = (line: string): number => events.push(line)
  buildParts(['bundle', 'build:page'], { say, run: (part) => events.push(`run ${part}`) })
  t.same(events, [
    '1 of 2: the command line and the service ...',
    'run bundle',
    '2 of 2: the page ...',
    'run build:page',
  ])
  const broken = (): never => {
    throw new Error('a fault')
  }
  t.throws(
    () => {
      buildParts(['build:types', 'bundle'], { say, run: broken })
    },
    { message: 'a fault' },
  )
  t.equal(events.at(-1), '1 of 2: the types of the client ...')
})
