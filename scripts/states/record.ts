import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openTrial } from '../resume/trial.ts'
import { CLIENTS } from './clients.ts'
import { neutralize } from './neutralize.ts'
import { play } from './play.ts'
import type { Scenario } from './scenario.ts'
import { SCENARIOS } from './scenarios.ts'
import { Script } from './script.ts'

/**
 * Records sessions of real clients with a scripted model, below `test/fixtures/states/`:
 * `npx tsx scripts/states/record.ts [NAME...]`. Everything is on loopback addresses and in a scratch folder.
 */
const FIXTURES = new URL('../../test/fixtures/states/', import.meta.url).pathname
const names = process.argv.slice(2)

for (const scenario of SCENARIOS.filter(({ name }) => names.length === 0 || names.includes(name)))
  await record(scenario)
// A client may have left connections open.
process.exit()

/** Plays the turns of a scenario, and writes the session. */
async function record(scenario: Scenario): Promise<void> {
  const client = CLIENTS[scenario.client]
  if (client === undefined) throw new Error(`${scenario.name}: the client ${scenario.client} is unknown.`)
  const script = new Script(scenario)
  const open = await openTrial(client, (request) => script.answer(request))
  const { project } = open.trial
  try {
    writeProject(project, scenario.files)
    Object.assign(script.stage, { project, countNext: open.fakeModel.countNext })
    for (const [index, turn] of scenario.turns.entries()) {
      script.begin(turn)
      await play({ client, open, stage: script.stage }, turn, index === 0)
      script.end(turn)
    }
    const path = join(FIXTURES, `${scenario.name}.${client.ending}`)
    const text = neutralize(await client.readSession(open.trial), open.trial)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    console.log(`${scenario.name}: ${text.length} characters`)
  } finally {
    await open.close()
  }
}

/** Writes the files of a project, as the first commit of a Git repository. */
function writeProject(project: string, files: Scenario['files']): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  const git = (...args: string[]): Buffer => execFileSync('git', args, { cwd: project })
  git('init', '-q', '-b', 'main')
  git('config', 'user.name', 'Dev')
  git('config', 'user.email', 'dev@example.com')
  git('add', '-A')
  git('commit', '-qm', 'Start')
}
