import { spawn } from 'node:child_process'
import type { OpenTrial } from '../resume/trial.ts'
import type { StateClient } from './client.ts'
import type { Turn } from './scenario.ts'
import type { Stage } from './script.ts'

const TIMEOUT_MS = 120_000

interface Performance {
  client: StateClient
  open: OpenTrial
  stage: Stage
}

/** Runs the client for one turn, to its end. */
export function play({ client, open, stage }: Performance, turn: Turn, isFirst: boolean): Promise<void> {
  const [command = '', ...args] = client.command(open.trial, turn, isFirst)
  const { stdin } = client
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...{ cwd: open.trial.project, env: open.env, timeout: TIMEOUT_MS },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (chunk: Buffer): void => {
      output += chunk.toString('utf8')
      if (output.includes('"type":"result"')) child.stdin.end()
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    stage.interrupt = () => {
      if (stdin === undefined) child.kill('SIGINT')
      else child.stdin.write(stdin.interrupt)
    }
    if (stdin === undefined) child.stdin.end()
    else child.stdin.write(stdin.prompt(turn.prompt))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code !== 0) console.log(`  ${turn.prompt.slice(0, 40)}: ${command} ended with ${code ?? signal ?? ''}`)
      if (process.env['STATES_DEBUG'] !== undefined) console.log(output.slice(-3000))
      resolve()
    })
  })
}
