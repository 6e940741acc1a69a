import { AGENT_HOOKS, hooksOf, isHookedAgent, type HookAction } from '../../agents/hooks.ts'
import { PrecisError } from '../../client/precis-error.ts'
import { fieldsOf, parseJson } from '../../session/entry.ts'
import { untilAborted } from '../../runtime/abort.ts'
import { nearName } from '../../text/near-name.ts'
import type { Cli } from '../cli.ts'
import { describeError } from '../describe-error.ts'
import { CliError } from '../exit.ts'
import { optionTextOf, type Values } from '../read-arguments.ts'
import { printContext, type AgentEvent } from './agent-event.ts'
import { SessionNotes } from './session-notes.ts'
import { startPreparation } from './start-preparation.ts'

/** How long the input of an event may take to arrive, and the most bytes of it: that of a tool's result has all of the result. */
const INPUT_MS = 10_000
const MOST_INPUT_BYTES = 67_108_864

/** `precis hook`: does what is useful at an event of an agent. Most events end here: little is loaded for them. */
export async function hook(values: Values, [agent = '', event = '']: readonly string[], cli: Cli): Promise<void> {
  if (!isHookedAgent(agent)) throw unknownName('agent', agent, Object.keys(AGENT_HOOKS))
  const hooks = hooksOf(agent)
  const actions = hooks.events[event]
  if (actions === undefined) throw unknownName(`event of ${agent}`, event, Object.keys(hooks.events))
  const input = fieldsOf(parseJson(await readInput(cli)))
  const session = hooks.sessionOf(input, cli)
  if (session === undefined)
    throw new CliError('usage', `${agent} has not said which session this is: stdin must have its event as JSON.`)
  const notes = new SessionNotes(agent, session.id, cli)
  notes.removeOld()
  const context = { agent, hooks, event, input, session, values, cli, notes }
  try {
    for (const action of actions) await ACTIONS[action](context)
  } catch (error) {
    if (!(error instanceof PrecisError) || error.status >= 500) throw error
    // Of a fault in the session: no argument of this command names it.
    const { code, message } = describeError(error, {
      session: session.path ?? session.id,
      url: optionTextOf(values, 'url'),
    })
    throw new CliError(code, message, { cause: error })
  }
}

/** What is done at an event. What needs a session's content is loaded only then. */
const ACTIONS: Readonly<Record<HookAction, (event: AgentEvent) => Promise<void>>> = {
  summarize: async (event) => (await import('./summarize.ts')).summarize(event),
  replace: async (event) => (await import('./summarize.ts')).replace(event),
  add: async (event) => (await import('./summarize.ts')).add(event),
  show: async (event) => {
    if (event.input['source'] === 'compact') await printContext(event, event.notes.takeFirst())
  },
  'show-rest': async (event) => {
    await printContext(event, event.notes.takeNext())
  },
  prepare: async (event) => {
    if (event.values['now'] === true) await (await import('./prepare-now.ts')).prepareNow(event)
    else await startPreparation(event)
  },
  remind: async (event) => (await import('./remind.ts')).remind(event),
}

function unknownName(what: string, name: string, known: readonly string[]): CliError {
  const meant = known.find((one) => nearName(name, [one.toLowerCase()]) !== undefined)
  const advice = meant === undefined ? `Choose one of ${known.join(', ')}.` : `Did you mean ${meant}?`
  return new CliError('usage', `There is no ${what} "${name}" with something to do. ${advice}`)
}

/** Reads what the agent says of the event. @throws CliError */
async function readInput({ stdin }: Cli): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  const read = (async () => {
    for await (const chunk of stdin) {
      bytes += chunk.length
      if (bytes > MOST_INPUT_BYTES) throw new CliError('usage', 'The input of the event is too large.')
      chunks.push(chunk)
    }
  })()
  const late = AbortSignal.timeout(INPUT_MS)
  await untilAborted(read, late).catch((error: unknown) => {
    if (late.aborted) throw new CliError('usage', 'The agent has given no event on stdin in ten seconds.')
    throw error
  })
  return Buffer.concat(chunks).toString()
}
