import { fileURLToPath } from 'node:url'
import { checkRequest, promptOf } from './check-request.ts'
import { openTrial, runProgram } from './trial.ts'
import { markersOf, type Client } from './try-resume.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** How many requests the session has. The default of `keepRecentTokens` keeps the newest two. */
const REQUESTS = 5

/**
 * Does what README says under "Compact your own session": makes a session with the real client and a fake model, runs the
 * three commands in the folder of this repository, and checks what the client then sends to its model.
 */
export async function tryReadme(client: Client): Promise<void> {
  const { listed } = client
  if (listed === undefined) throw new Error('This client has no way to be resumed without its user interface.')
  const { trial, fakeModel, env, close } = await openTrial(client)
  const run = (command: string): Promise<string> => {
    console.log(`$ ${command}`)
    return runProgram(['sh', '-c', command], { cwd: ROOT, env })
  }
  try {
    for (let number = 1; number <= REQUESTS; number += 1) await client.ask(trial, longPrompt(number), number === 1)
    const id = find(await run('npm run build && npx precis list'), new RegExp(`^(\\S+) +${listed.agent} `, 'm'))
    const written = await run(`npx precis compact ${id} --write 2>&1`)
    const resume = find(written, /^Continue with: (.+)$/m)
    await run(`${listed.answering(resume)} '${promptOf(REQUESTS + 1)}'`)
    checkRequest(fakeModel, REQUESTS + 1, {
      gone: markersOf(1, 2, 3),
      kept: [`request-${REQUESTS}`, `answer-${REQUESTS}`],
    })
  } finally {
    await close()
  }
}

/** Returns a request with a log of about 12,000 tokens: a session of some hours in five requests. */
function longPrompt(number: number): string {
  const lines = Array.from(
    { length: 350 },
    (_, index) => `2026-11-22 08:00:00 module ${number}: line ${index}: read row ${(index * 7919) % 10_007}, wrote it`,
  )
  return `${promptOf(number)} This is its log:\n${lines.join('\n')}`
}

function find(text: string, pattern: RegExp): string {
  const [line = '', found] = pattern.exec(text) ?? []
  if (found === undefined) throw new Error(`The output has no ${pattern.source}:\n${text}`)
  console.log(line)
  return found
}
