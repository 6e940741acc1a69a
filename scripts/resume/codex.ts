import { join } from 'node:path'
import { askCodex, CODEX_FLAGS, configureCodex } from './codex-client.ts'
import { tryReadme } from './try-readme.ts'
import { appendCompaction, newestFile, tryResume, type Client } from './try-resume.ts'

/** Tries a resume with Codex: `npx tsx scripts/resume/codex.ts [VERSION [readme]]`. */
const [, , version = '0.169.0', way] = process.argv

const client: Client = {
  packages: [`@openai/codex@${version}`],

  configure({ home, model }) {
    configureCodex(home, { url: model })
    return {}
  },

  ask: (trial, prompt, isFirst) => askCodex(trial, prompt, { isFirst }),

  compact: (trial, query) =>
    appendCompaction(trial, newestFile(join(trial.home, '.codex', 'sessions'), '.jsonl'), query),

  listed: {
    agent: 'Codex',
    answering: (command) => `${command.replace('codex resume', 'codex exec resume')} ${CODEX_FLAGS.join(' ')}`,
  },
}

await (way === 'readme' ? tryReadme(client) : tryResume(client))
