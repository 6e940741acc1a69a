import type { LocalOptions } from '../../local-app.ts'
import type { Cli } from '../cli.ts'
import { describeError } from '../describe-error.ts'
import { CliError } from '../exit.ts'
import { hasWriter, optionTextOf, type Values } from '../read-arguments.ts'
import { hasStateFolder, readSecret, stateFolderOf } from './state-folder.ts'
import { KEEP_MS, SummaryFolder } from './summary-folder.ts'

/**
 * Returns what lets a command use the summaries that `precis watch` has prepared with the same model. Nothing is created.
 * @throws CliError for an option that has no effect
 */
export function preparedFor(values: Values, cli: Cli): LocalOptions {
  const [prepared, url] = ['prepared', 'url'].map((name) => optionTextOf(values, name))
  const isWritten = hasWriter(values)
  if ('prepared' in cli.given && url === undefined && !isWritten)
    throw new CliError('usage', '--prepared needs --model, --with or --url: without a model, no summary is prepared.')
  if (!isWritten || prepared === 'never') return {}
  const path = stateFolderOf(cli)
  try {
    const secret = hasStateFolder(path) ? readSecret(path) : undefined
    if (secret === undefined) return {}
    return { keeping: { shared: { place: new SummaryFolder({ path, secret }), secret }, keepMs: KEEP_MS } }
  } catch (error) {
    cli.terminal.say(`No prepared summary is used: ${describeError(error).message}`)
    return {}
  }
}
