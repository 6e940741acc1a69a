import { setTimeout as delay } from 'node:timers/promises'
import type { Cli } from '../cli.ts'
import { CliError } from '../exit.ts'
import { hasStateFolder, readSecret, stateFolderOf } from '../prepared/state-folder.ts'
import { SummaryFolder } from '../prepared/summary-folder.ts'
import { hasWriter, type Values } from '../read-arguments.ts'
import { counted } from '../../text/numbers.ts'
import { Display } from './display.ts'
import { openWatch, type Watch } from './open-watch.ts'
import { pauseAfter, type Pause } from './pause.ts'
import type { View } from './view.ts'
import { WatcherClaim } from '../prepared/watcher-claim.ts'

/** How often the files of the running sessions are looked at. */
const TICK_MS = 2000

/** `precis watch`: shows the running sessions, and prepares their summaries. */
export async function watch(values: Values, names: readonly string[], cli: Cli): Promise<void> {
  refuseUseless(cli.given, names, hasWriter(values))
  if (values['forget'] === true) {
    forget(cli)
    return
  }
  const ended = new AbortController()
  const woken = { wake: (): void => undefined }
  const onEnded = (): void => woken.wake()
  const end = (): void => ended.abort()
  for (const name of SIGNALS) process.once(name, end)
  try {
    const { signal } = ended
    const opened = await openWatch({ values, names, cli, signal, onEnded })
    try {
      await run(opened, { values, cli, signal, woken })
    } finally {
      await opened.close()
    }
  } finally {
    for (const name of SIGNALS) process.removeListener(name, end)
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

interface Running {
  values: Values
  cli: Cli
  signal: AbortSignal
  woken: { wake: () => void }
}

async function run(opened: Watch, { values, cli, signal, woken }: Running): Promise<void> {
  const { terminal, home } = cli
  const display = new Display({
    ...{ terminal, home, isJson: values['json'] === true, hasBell: values['bell'] === true, now: Date.now },
  })
  if (values['once'] === true) return display.showOnce(await opened.tick())
  if (!hasWriter(values))
    terminal.say(
      'No summary is prepared. Name who writes them: --model NAME or --with COMMAND. Without, `precis compact` picks sentences by code, at once.',
    )
  const ended = (): boolean => signal.aborted
  let pause: Pause | undefined
  while (!ended()) {
    let view: View | undefined
    try {
      view = await opened.tick()
      pause = undefined
    } catch (error) {
      if (error instanceof CliError) throw error
      pause = pauseAfter(pause, Date.now())
      terminal.say(`${(error as Error).message} Précis looks again later.`)
    }
    if (view !== undefined && !ended()) await display.show(view)
    await sleep(pause === undefined ? TICK_MS : pause.untilMs - Date.now(), signal, woken)
  }
}

/** Waits for some time, at most until the signal aborts, or somebody wakes it. */
async function sleep(ms: number, signal: AbortSignal, woken: Running['woken']): Promise<void> {
  const early = new AbortController()
  woken.wake = () => early.abort()
  await delay(ms, undefined, { signal: AbortSignal.any([signal, early.signal]) }).catch(() => undefined)
}

/** Removes all prepared summaries of this user. @throws CliError while a watch prepares more */
function forget(cli: Cli): void {
  const path = stateFolderOf(cli)
  if (!hasStateFolder(path)) {
    cli.terminal.say('There are no prepared summaries.')
    return
  }
  const other = new WatcherClaim({ path, now: Date.now }).livingOther()
  if (other !== undefined)
    throw new CliError(
      'inUse',
      `\`precis watch\` (process ${other.pid}) prepares the summaries in ${path}. End it first: it would write them again.`,
    )
  const folder = new SummaryFolder({ path, secret: readSecret(path) ?? '' })
  cli.terminal.say(`${counted(folder.forget(), 'prepared summary', 'prepared summaries')} removed from ${folder.path}`)
}

/** Refuses options that would have no effect. @throws CliError */
function refuseUseless(options: Values, names: readonly string[], isWritten: boolean): void {
  const given = Object.keys(options)
  const other = given.find((name) => name !== 'forget')
  if (options['forget'] === true && (other !== undefined || names.length > 0))
    throw new CliError(
      'usage',
      `--forget removes all prepared summaries: leave out ${other === undefined ? names[0] : `--${other}`}.`,
    )
  for (const [option, excluded] of EXCLUDED)
    if (given.includes(option) && given.includes(excluded))
      throw new CliError('usage', `--${option} and --${excluded} exclude each other.`)
  if (given.includes('calls-per-day') && !isWritten)
    throw new CliError('usage', '--calls-per-day needs --model or --with: without them, no model is called.')
}

const EXCLUDED = [
  ['once', 'bell'],
  ['json', 'bell'],
  ['once', 'calls-per-day'],
] as const
