import { fileMarkFor } from '../install-target.ts'

/**
 * Returns JavaScript with the function `runHook(event, input, signal)` for a plugin: it runs `precis hook`, and returns the JSON that
 * this prints, or an empty object if there is none.
 * @param words what runs the hooks of the agent, but for the event
 */
export const runHookText = (words: readonly string[], agent: string): string => `// ${fileMarkFor(agent)}
import { spawn } from "node:child_process"

const [COMMAND, ...WORDS] = ${JSON.stringify(words)}

/** A model may need two minutes. The agent works as without Précis if this fails. */
function runHook(event, input, signal) {
  return new Promise((resolve) => {
    const child = spawn(COMMAND, [...WORDS, event], { stdio: ['pipe', 'pipe', 'ignore'], timeout: 180000, signal })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stdin.on('error', () => undefined)
    child.on('error', () => resolve({}))
    child.on('close', () => {
      try {
        resolve(JSON.parse(output))
      } catch {
        resolve({})
      }
    })
    child.stdin.end(JSON.stringify(input))
  })
}
`
