import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  ERROR_NAME,
  HOOK_NAMES,
  MAX_RESULT_BYTES,
  type HookAnswer,
  type HookJob,
  type HooksReady,
  type LoadedHooks,
} from './jobs/hook-job.ts'
import type { Frame, OutgoingFrame } from './runtime/frames.ts'
import { serveJobs } from './runtime/serve-jobs.ts'

/** A process for the operator's hooks: runs one at a time, on data only. It can be killed at any time. */
const file = resolve(process.argv[2] ?? '')
const loading = load(file)

serveJobs(runHook, describeModule())

async function describeModule(): Promise<HooksReady> {
  const { hooks, digest, fault } = await loading
  return fault === undefined
    ? { names: HOOK_NAMES.filter((name) => hooks[name]), digest }
    : { fault: `${file} ${fault}` }
}

async function load(path: string): Promise<{ hooks: LoadedHooks; digest: string; fault?: string }> {
  const none = { hooks: {}, digest: '' }
  try {
    const digest = createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
      .slice(0, 16)
    const module = (await import(pathToFileURL(path).href)) as Exports
    const found = readExports(module)
    return typeof found === 'string' ? { ...none, fault: found } : { hooks: found, digest }
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException
    const isUnreadable = code !== undefined && (syscall === 'open' || syscall === 'read')
    return { ...none, fault: isUnreadable ? `cannot be read (${code})` : `cannot be loaded: ${describe(error)}` }
  }
}

type Exports = Readonly<Record<string, unknown>>

/** Names that Node adds to the exports of a CommonJS module. */
const OF_COMMONJS = ['default', 'module.exports', '__esModule']

/** Returns the hooks of a module, or what is wrong with it. */
function readExports(module: Exports): LoadedHooks | string {
  const named = Object.entries(module).filter(([name]) => !OF_COMMONJS.includes(name))
  const { default: main } = module
  if (main !== undefined && (typeof main !== 'object' || main === null))
    return `has a default export that is no object: ${main === null ? 'null' : typeof main}`
  const hooks = (main ?? Object.fromEntries(named)) as Exports
  const beside = main === undefined ? [] : named.filter(([name, value]) => hooks[name] !== value)
  for (const [name] of beside) return `exports \`${name}\` beside its default export. Put all hooks into one of the two`
  for (const [name, value] of Object.entries(hooks)) {
    if (!HOOK_NAMES.some((known) => known === name)) return `exports \`${name}\`, which is no hook. ${KNOWN}`
    if (typeof value !== 'function') return `exports \`${name}\`, which is no function: ${typeof value}`
  }
  return Object.keys(hooks).length === 0 ? `exports no hook. ${KNOWN}` : hooks
}

const KNOWN = `Known are ${HOOK_NAMES.join(', ')}`

/** Returns an error of loading in one line, with its place: there is no content of a session yet. */
function describe(error: unknown): string {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error))
  const place = findPlace(stack)
  return `${name}: ${message.split('\n')[0] ?? ''}${place === undefined ? '' : ` (${place})`}`
}

/** Returns the first line of the module in a stack: `hooks.js:7`. */
function findPlace(stack: string): string | undefined {
  const name = basename(file)
  const at = stack.indexOf(`${name}:`)
  const line = /^\d+/.exec(stack.slice(at + name.length + 1, at + name.length + 12))?.[0]
  return at < 0 || line === undefined ? undefined : `${name}:${line}`
}

async function runHook({ header, body }: Frame): Promise<OutgoingFrame> {
  const { hook } = header as HookJob
  const answer = (given: HookAnswer, json = ''): OutgoingFrame => ({ header: given, body: [Buffer.from(json)] })
  const { hooks } = await loading
  // A process that is started later loads the file as it is then.
  if (hooks[hook] === undefined) return answer({ outcome: 'failed', fault: 'changed' })
  let result: unknown
  try {
    result = await hooks[hook]({ ...(JSON.parse(body.toString()) as object), type: hook })
  } catch (error) {
    // Its message may have content of the session.
    const { name, stack = '' } = error instanceof Error ? error : new Error()
    const place = findPlace(stack.slice(stack.indexOf('\n    at ')))
    return answer({
      outcome: 'failed',
      error: ERROR_NAME.test(name) ? name : 'Error',
      ...(place && { place }),
    })
  }
  try {
    const isNothing = hook === 'afterCompact' || result === undefined || result === null
    const json = isNothing ? '' : JSON.stringify(result)
    const isTooLarge = Buffer.byteLength(json) > MAX_RESULT_BYTES
    return isTooLarge ? answer({ outcome: 'invalid', fault: 'too-large' }) : answer({ outcome: 'ok' }, json)
  } catch {
    return answer({ outcome: 'invalid', fault: 'unwritable' })
  }
}
