import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openTrial, type OpenTrial } from '../resume/trial.ts'
import { TRIED_AGENTS, type TriedAgent } from './agents.ts'
import { describeFiles, differences, hasOurs, snapshotOf } from './files.ts'
import { installPrecis } from './install-precis.ts'
import { judge } from './judge.ts'
import { promptOf, TrialScript, type SessionWord } from './script.ts'

/**
 * Tries `precis install` with unmodified agents and a scripted model: `npm run try:clients -- [AGENT...]`. Each agent has an empty
 * home with a user's own settings. Its sessions are compacted, look things up, and go on; then `precis uninstall` follows.
 * Everything is on loopback addresses and in a scratch folder. TRY_DEBUG=1 prints the requests of the model.
 */
const names = process.argv.slice(2)
const unknown = names.find((name) => !(name in TRIED_AGENTS))
if (unknown !== undefined)
  throw new Error(`${unknown} cannot be tried. Known are ${Object.keys(TRIED_AGENTS).join(', ')}.`)
const programs = await installPrecis()
const rows: string[] = []
for (const id of names.length === 0 ? Object.keys(TRIED_AGENTS) : names) {
  const agent = TRIED_AGENTS[id]
  if (agent === undefined) continue
  try {
    rows.push(`| ${(await tryAgent(id, agent)).join(' | ')} |`)
  } catch (error) {
    console.error(error)
    rows.push(`| ${agent.name} | ${agent.packages[0] ?? ''} | not tried: ${String(error).split('\n')[0] ?? ''} |`)
  }
}
console.log(
  '| agent | package | its model gets at a compaction | `recall` | goes on | two sessions | uninstalled at once | uninstalled after a run |',
)
console.log(`|---|---|---|---|---|---|---|---|\n${rows.join('\n')}`)
// An agent may have left connections open.
process.exit()

/** Returns the cells of an agent's row. */
async function tryAgent(id: string, agent: TriedAgent): Promise<string[]> {
  const script = new TrialScript(agent)
  const open = await openTrial(agent, (request) => Promise.resolve(script.answer(request)))
  const { home, run } = open.trial
  open.env['PATH'] = `${programs}:${open.env['PATH'] ?? ''}`
  try {
    agent.personalize(home)
    const before = snapshotOf(home)
    await run('precis', 'install', id, '--yes')
    const written = differences(before, snapshotOf(home))
    await run('precis', 'uninstall', id, '--yes')
    const atOnce = differences(before, snapshotOf(home))
    await run('precis', 'install', id, '--yes')
    await playSession(agent, open, 'walrus')
    await Promise.all([playSession(agent, open, 'heron'), playSession(agent, open, 'otter')])
    await run('precis', 'uninstall', id, '--yes')
    const left = written.filter((path) => hasOurs(path, home))
    return [
      agent.name,
      agent.packages[0] ?? '',
      ...judge(agent, script.seen),
      describeFiles(atOnce, home, 'as before'),
      describeFiles(left, home, 'nothing of ours'),
    ]
  } finally {
    writeFileSync(join(home, '..', 'seen.json'), JSON.stringify([...script.seen], undefined, 1))
    await open.close()
  }
}

/** Plays a session to its end: two prompts, a compaction, and two more. */
async function playSession(agent: TriedAgent, { trial }: OpenTrial, word: SessionWord): Promise<void> {
  const say = async (prompt: string, id?: string): Promise<void> => {
    const output = await trial.run(...(agent.command(prompt, id, word) as [string]))
    if (process.env['TRY_DEBUG'] !== undefined) console.log(word, prompt, '->', output.slice(-200))
  }
  await say(promptOf(word, 1))
  if (agent.pause !== undefined) return
  const id = await agent.idOf(trial, word)
  await say(promptOf(word, 2), id)
  // Of two ways to compact, the first session tries the command.
  if (agent.compactCommand !== undefined && word === 'walrus') await say(agent.compactCommand, id)
  for (const number of [3, 4]) await say(promptOf(word, number), id)
}
