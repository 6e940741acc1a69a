import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fieldsOf, parseJson } from '../../session/entry.ts'
import type { CompletionRequest, Endpoint } from '../openai/endpoint.ts'
import { environmentOf, nameOfCommand, wholeEnvironment, type SummaryCommand } from './command.ts'
import { CommandFault } from './command-fault.ts'
import { RUN_FOLDER } from './forget-in-gemini.ts'
import { programNamed, type Program, type ProgramAnswer, type ProgramTask } from './programs.ts'
import { runProgram, type ProgramRun } from './run-program.ts'

/** How long one run may take, and how long it may then take to end, in milliseconds. A large prompt takes a slow model some minutes. */
const LIMITS = { limitMs: 600_000, graceMs: 2000 } as const

/** More runs than this for one request are no progress: a program misunderstands each prompt, or rejects it as too long. */
const MAX_CALLS = 24

/** Returns an endpoint that runs a command for each call. */
export function createCommandEndpoint(command: SummaryCommand): Endpoint {
  const run = 'program' in command ? programRunner(command) : typedRunner(command)
  return {
    host: nameOfCommand(command),
    ignoresLimit: true,
    complete: async (request, { signal, calls }) => {
      if (calls > MAX_CALLS) throw new CommandFault('calls')
      return asCompletion(await run(textsOf(request), signal))
    },
  }
}

/** The texts of a call. */
interface Texts {
  system: string
  prompt: string
}

type Run = (texts: Texts, signal: AbortSignal) => Promise<ProgramAnswer>

/** A program must have some system prompt, or it takes its own. */
const NO_SYSTEM = 'You do what the prompt asks for. You use no tools.'

function textsOf({ messages }: CompletionRequest): Texts {
  const texts = messages.map(({ role, content }) => ({ role, text: typeof content === 'string' ? content : '' }))
  const system = texts.flatMap(({ role, text }) => (role === 'system' ? [text] : [])).join('\n\n')
  const turns = texts.filter(({ role }) => role !== 'system')
  const [first] = turns
  const prompt =
    first !== undefined && turns.length === 1
      ? first.text
      : turns.map(({ role, text }) => `${role}:\n${text}`).join('\n\n')
  return { system, prompt }
}

const asCompletion = ({ text, usage, isCut = false }: ProgramAnswer): unknown => ({
  choices: [{ message: { content: text }, finish_reason: isCut ? 'length' : 'stop' }],
  ...(usage && { usage: { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens } }),
})

/** Runs what the user has typed, where the user is, with the user's environment. */
const typedRunner =
  ({ words: [file = '', ...args], folder, env }: Extract<SummaryCommand, { folder: string }>): Run =>
  async ({ system, prompt }, signal) => {
    const input = system === '' ? prompt : `${system}\n\n${prompt}`
    return { text: await runProgram({ file, args, folder, env: wholeEnvironment(env), input, signal, ...LIMITS }) }
  }

/** Runs a known program, in an empty folder, with the variables that it needs. */
function programRunner({ program: name, model, env }: Extract<SummaryCommand, { program: string }>): Run {
  const program: Program = programNamed(name)
  let servers: readonly string[] | undefined
  return async ({ system, prompt }, signal) => {
    // As the program sees it: the folder for temporary files may be a link.
    const root = mkdtempSync(join(realpathSync(tmpdir()), RUN_FOLDER))
    const remove = (): void => {
      program.forget?.(env, root)
      rmSync(root, { recursive: true, force: true, maxRetries: 3 })
    }
    process.on('exit', remove)
    try {
      const folder = prepareFolder(root, program)
      const [systemFile, temporary] = [join(root, 'system.md'), join(root, 'tmp')]
      const task: ProgramTask = { system: system || NO_SYSTEM, systemFile, temporary, model, servers: [] }
      writeFileSync(systemFile, task.system)
      const own = { ...environmentOf(name, env), TMPDIR: temporary }
      const base = { file: name, folder, env: own, signal, ...LIMITS }
      servers ??= await listServers(program, base)
      const whole: ProgramTask = { ...task, servers }
      const output = await runProgram({
        ...base,
        env: { ...own, ...program.set?.(whole) },
        args: program.args(whole),
        input: prompt,
      })
      return program.read?.(output) ?? { text: output }
    } finally {
      process.off('exit', remove)
      remove()
    }
  }
}

/** Makes the folder in which a program runs: empty, but for its settings. */
function prepareFolder(root: string, { files = {} }: Program): string {
  const folder = join(root, 'empty')
  for (const name of ['empty', 'tmp']) mkdirSync(join(root, name))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

/** Returns the names of the user's servers of tools, to turn them off one by one. Versions that cannot list them have no such switch. */
async function listServers(program: Program, run: Omit<ProgramRun, 'args' | 'input'>): Promise<string[]> {
  if (program.listServers === undefined) return []
  try {
    const listed = parseJson(await runProgram({ ...run, args: program.listServers, input: '' }))
    const names = Array.isArray(listed) ? listed.map((one) => fieldsOf(one)['name']) : []
    return names.filter((name) => typeof name === 'string').filter((name) => /^[\w-]+$/.test(name))
  } catch (error) {
    if (error instanceof CommandFault && (error.kind === 'exit' || error.kind === 'empty')) return []
    throw error
  }
}
