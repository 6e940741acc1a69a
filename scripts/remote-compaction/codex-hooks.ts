import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promptOf, report } from '../resume/check-request.ts'
import { askCodex, configureCodex } from '../resume/codex-client.ts'
import { hasTools, newestRequest } from '../resume/fake-model.ts'
import { openTrial } from '../resume/trial.ts'

/**
 * Tries the hooks of examples/hooks with Codex: `npx tsx scripts/remote-compaction/codex-hooks.ts [VERSION]`. Codex compacts by
 * itself before request 3, and the next request to the model must also have the summary by Précis. The exit code is 1 if a check
 * fails.
 */
const [, , version = '0.169.0'] = process.argv
const HOOKS = fileURLToPath(new URL('../../examples/hooks/', import.meta.url))
const TRUST_HOOKS = '--dangerously-bypass-hook-trust'

const { trial, fakeModel, close } = await openTrial({
  packages: [`@openai/codex@${version}`],
  configure({ home, model, precis }) {
    const folder = configureCodex(home, { url: model, more: readFileSync(join(HOOKS, 'codex.toml'), 'utf8') })
    copyFileSync(join(HOOKS, 'precis-hook.mjs'), join(home, 'precis-hook.mjs'))
    copyFileSync(join(HOOKS, 'codex.json'), join(folder, 'hooks.json'))
    return { COMPACTION_URL: precis }
  },
})
const ask = (number: number, ...flags: string[]): Promise<string> =>
  askCodex(trial, promptOf(number), { isFirst: number === 1, flags: [TRUST_HOOKS, ...flags] })
try {
  for (const number of [1, 2]) await ask(number)
  await ask(3, '-c', 'model_auto_compact_token_limit=100')
  const after = fakeModel.requests.filter((request) => hasTools(request) && newestRequest(request.texts) === 3)
  const summaries = after.flatMap(({ texts }) => texts.filter((text) => text.startsWith('Summary of the conversation')))
  report('request 3 reached the model', after.length > 0)
  report(
    'request 3 has the summary by Précis',
    summaries.some((text) => /^## Goal$/m.test(text)),
  )
  report(
    'the summary is whole',
    summaries.every((text) => !text.includes('truncated')),
  )
} finally {
  await close()
}
