import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tryReadme } from './try-readme.ts'
import { appendCompaction, newestFile, tryResume, type Client } from './try-resume.ts'

/** Tries a resume with Codex: `npx tsx scripts/resume/codex.ts [VERSION [readme]]`. */
const [, , version = '0.169.0', way] = process.argv
const FLAGS = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']

const client: Client = {
  packages: [`@openai/codex@${version}`],

  configure({ home, model }) {
    mkdirSync(join(home, '.codex'))
    writeFileSync(join(home, '.codex', 'config.toml'), configuration(model))
    return {}
  },

  ask: ({ run }, prompt, isFirst) => run('codex', 'exec', ...(isFirst ? [] : ['resume', '--last']), ...FLAGS, prompt),

  compact: (trial, query) =>
    appendCompaction(trial, newestFile(join(trial.home, '.codex', 'sessions'), '.jsonl'), query),

  listed: {
    agent: 'Codex',
    answering: (command) => `${command.replace('codex resume', 'codex exec resume')} ${FLAGS.join(' ')}`,
  },
}

await (way === 'readme' ? tryReadme(client) : tryResume(client))

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
`
}
