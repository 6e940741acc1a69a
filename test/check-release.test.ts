import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { missingForRelease } from '../scripts/check-release.ts'
import { ROOT } from './support/run-server.ts'

t.test('a package is published only with a name that has a scope, and with its repository', async (t) => {
  t.same(missingForRelease({ name: '@scope/precis', repository: 'r', bugs: 'b' }), [])
  t.same(missingForRelease({ name: 'precis', bugs: 'b' }), [
    '"name" with a scope, such as "@your-scope/precis", and not "precis"',
    '"repository"',
  ])
  const { scripts, ...own } = JSON.parse(readFileSync(`${ROOT}/package.json`, 'utf8'))
  t.equal(scripts.prepublishOnly, 'tsx scripts/check-release.ts')
  const isMissing = missingForRelease(own).length > 0
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/check-release.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  t.same([status, stderr.startsWith('Nothing was published.')], [isMissing ? 1 : 0, isMissing])
})
