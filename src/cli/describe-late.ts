import { PrecisError } from '../client/client.ts'
import { describeLateWriters } from '../text/late-writers.ts'
import { optionTextOf, optionTextsOf, type Values } from './read-arguments.ts'

/**
 * Returns what a user reads if a model or a command has written no summary in time: which one, and what to do. Undefined for another
 * error, and for that of a service.
 */
export async function describeLate(error: unknown, values: Values): Promise<string | undefined> {
  if (!(error instanceof PrecisError) || error.type !== 'deadline-exceeded') return undefined
  const writers = await writersOf(values)
  if (writers.length === 0 || optionTextOf(values, 'url') !== undefined) return undefined
  const [limit = 'the time limit'] = /\b\d+ ms\b/.exec(error.detail) ?? []
  return describeLateWriters(writers, limit)
}

/** Returns the names of the commands, or of the models, in order of preference. */
async function writersOf(values: Values): Promise<string[]> {
  const commands = optionTextsOf(values, 'with')
  if (commands.length === 0) return optionTextsOf(values, 'model')
  // Needs what finds secrets, which most commands do not load.
  const { nameOfTyped } = await import('../model/commands/typed-name.ts')
  return commands.map(nameOfTyped)
}
