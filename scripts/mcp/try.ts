import { MAIN } from '../../test/cli/run-cli.ts'
import { openTrial, type OpenTrial } from '../resume/trial.ts'
import { play } from '../states/play.ts'
import { AGENTS_WITH_MCP, type ConnectedAgent } from './agents.ts'
import { McpScript, type Seen } from './script.ts'

/**
 * Tries `precis mcp` with real agents and a scripted model: `npx tsx scripts/mcp/try.ts [AGENT...]`. Is the tool offered, does the
 * next request of the model have its answer, and does none of two sessions in one folder get the other's? Everything is on
 * loopback addresses and in a scratch folder.
 */
const names = process.argv.slice(2)
const wanted = Object.entries(AGENTS_WITH_MCP).filter(([name]) => names.length === 0 || names.includes(name))
const rows: string[] = []
for (const [name, agent] of wanted) {
  try {
    rows.push(`| ${name} | ${(await tryAgent(agent)).join(' | ')} |`)
  } catch (error) {
    rows.push(`| ${name} | not tried: ${String(error).split('\n')[0]} |`)
  }
}
console.log('| agent | tool | offered at once | answer | two sessions in one folder |\n|---|---|---|---|---|')
console.log(rows.join('\n'))
// An agent may have left connections open.
process.exit()

async function tryAgent(agent: ConnectedAgent): Promise<string[]> {
  const script = new McpScript()
  const open = await openTrial(agent.client, (request) => Promise.resolve(script.answer(request)))
  try {
    agent.connect(open.trial, { command: process.execPath, args: [MAIN, 'mcp'] })
    await turn(agent, open, 'zebra-1')
    const first = script.seen.get('zebra-1')
    await Promise.all(['zebra-2', 'zebra-3'].map((word) => turn(agent, open, word)))
    const two = ['zebra-2', 'zebra-3'].map((word) => describe(script.seen.get(word), word))
    return [first?.tool ?? '-', first?.isOffered === true ? 'yes' : 'no', describe(first, 'zebra-1'), two.join('; ')]
  } finally {
    await open.close()
  }
}

function turn({ client, flags }: ConnectedAgent, open: OpenTrial, word: string): Promise<void> {
  const stage = { project: open.trial.project, countNext: () => undefined, interrupt: () => undefined }
  const prompt = `The code word of this session is ${word}. Say it again.`
  return play({ client, open, stage }, { prompt, steps: [], ...(flags !== undefined && { flags }) }, true)
}

/** Returns what a session got: its own code word, that of another one, or a question. */
function describe(seen: Seen | undefined, word: string): string {
  const [last = '', asked] = [seen?.answers.at(-1), (seen?.answers.length ?? 0) > 1]
  if (process.env['MCP_DEBUG'] !== undefined) console.log(word, JSON.stringify(seen, undefined, 1))
  if (last === '') return 'no answer'
  const own = last.includes('Lines that begin with')
  const others = ['zebra-1', 'zebra-2', 'zebra-3'].filter((one) => one !== word && last.includes(one))
  if (own && others.length > 0) return `WRONG: ${others.join()}`
  return own && last.includes(word) ? `its own${asked ? ', after asking back' : ''}` : 'asked back'
}
