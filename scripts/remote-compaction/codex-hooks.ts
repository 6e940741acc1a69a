import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promptOf, report } from '../resume/check-request.ts'
import { hasTools, newestRequest } from '../resume/fake-model.ts'
import { openTrial } from '../resume/trial.ts'

/**
 * Tries the hooks of examples/hooks with Codex: `npx tsx scripts/remote-compaction/codex-hooks.ts [VERSION]`. Codex compacts by
 * itself before request 3, and the next request to the model must also have the summary by Précis. The exit code is 1 if a check
 * fails.
 */
const [, , version = '0.169.0'] = process.argv
const HOOKS = fileURLToPath(new URL('../../examples/hooks/', import.meta.url))
const FLAGS = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '--dangerously-bypass-hook-trust']

const { trial, fakeModel, close } = await openTrial({
  packages: [`@openai/codex@${version}`],
  configure({ home, model, precis }) {
    mkdirSync(join(home, '.codex'))
    copyFileSync(join(HOOKS, 'precis-hook.mjs'), join(home, 'precis-hook.mjs'))
    copyFileSync(join(HOOKS, 'codex.json'), join(home, '.codex', 'hooks.json'))
    writeFileSync(join(home, '.codex', 'config.toml'), configuration(model))
    return { COMPACTION_URL: precis }
  },
})
const ask = (number: number, ...options: string[]): Promise<string> => {
  const command = number === 1 ? ['exec'] : ['exec', 'resume', '--last']
  return trial.run('codex', ...command, ...FLAGS, ...options, promptOf(number))
}
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

/** With the settings of examples/hooks/codex.toml. */
function configuration(model: string): string {
  return `model = "fake"
model_provider = "fake"
check_for_update_on_startup = false

[model_providers.fake]
name = "fake"
base_url = "${model}/v1"
wire_api = "responses"

[analytics]
enabled = false

[otel]
exporter = "none"

${readFileSync(join(HOOKS, 'codex.toml'), 'utf8')}`
}
