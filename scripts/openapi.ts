import { readFileSync, writeFileSync } from 'node:fs'
import { buildApp } from '../src/app.ts'
import { readSettings } from '../src/settings.ts'
import { createSummarizer } from '../src/model/create-summarizer.ts'
import { loadTemplates } from '../src/prompt/templates.ts'

await main()

/** Writes `openapi.yaml` from the route schemas; with `--check` it only compares the committed file with them. */
async function main(): Promise<void> {
  const file = new URL('../openapi.yaml', import.meta.url)
  const settings = readSettings({ LOG_LEVEL: 'silent' })
  const templates = loadTemplates(new URL('../prompts/', import.meta.url))
  const app = await buildApp({
    settings,
    prompts: { templates },
    summarizer: await createSummarizer(settings, templates),
  })
  const { body } = await app.inject('/openapi.yaml')
  if (!process.argv.includes('--check')) writeFileSync(file, body)
  else if (readFileSync(file, 'utf8') !== body) {
    process.stderr.write('openapi.yaml is stale: run npm run openapi\n')
    process.exitCode = 1
  }
}
