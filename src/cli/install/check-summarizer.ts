import type { Cli } from '../cli.ts'
import { writerNamed } from '../commands-that-write.ts'
import { hasWriter, optionTextOf, optionTextsOf, type Values } from '../read-arguments.ts'
import { withService } from '../service.ts'
import type { DoctorFinding } from './check-programs.ts'
import { adviseModel } from './remark-on-summaries.ts'

/**
 * Checks what writes the summaries: of a service, that it answers; of a model or a command, with `--online`, that it writes one.
 * @param own the program of the agent
 */
export async function checkSummarizer(values: Values, cli: Cli, own?: string): Promise<DoctorFinding> {
  const url = optionTextOf(values, 'url')
  if (url === undefined && !hasWriter(values))
    return {
      kind: 'remark',
      text: `No model writes the summaries: code picks the sentences. ${adviseModel(cli, own)}`,
    }
  const name = url ?? optionTextsOf(values, 'with')[0] ?? optionTextOf(values, 'model') ?? ''
  try {
    // As a hook does, but with a failure as an error.
    const env = { ...cli.env, PRECIS_ON_FAILURE: 'error', PRECIS_DEADLINE_MS: DEADLINE_MS }
    await withService({ ...writerNamed(values, cli), env, mustProve: true }, async (client) => {
      if (values['online'] === true) await client.compact(PROBE, { query: { keepRecentTokens: 1 } })
    })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { kind: 'fault', text: `${name} writes no summary: ${why}` }
  }
  if (values['online'] === true) return { kind: 'ok', text: `${name} has written a summary.` }
  if (url !== undefined) return { kind: 'ok', text: `${name} is your service.` }
  return { kind: 'ok', text: `${name} is to write the summaries. Not called: --online does it once.` }
}

/** How long an agent waits for its hook, about. */
const DEADLINE_MS = '120000'

/** The least session that has a summary. */
const PROBE = {
  messages: [
    { role: 'user', content: 'Add a line to NOTES.md that says that the tests pass.' },
    { role: 'assistant', content: 'NOTES.md has the line now.' },
    { role: 'user', content: 'Thank you.' },
    { role: 'assistant', content: 'You are welcome.' },
  ],
}
