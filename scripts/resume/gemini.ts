import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { appendCompaction, newestFile, tryResume } from './try-resume.ts'

/** Tries a resume with Gemini CLI: `npx tsx scripts/resume/gemini.ts [VERSION]`. */
const [, , version = '0.61.0'] = process.argv
const FLAGS = ['--model', 'gemini-2.5-flash', '--yolo', '--skip-trust']
const SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { disableAutoUpdate: true, disableUpdateNag: true },
}

await tryResume({
  packages: [`@google/gemini-cli@${version}`],

  configure({ home, model }) {
    mkdirSync(join(home, '.gemini'))
    writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(SETTINGS))
    return { GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: 'none' }
  },

  ask: ({ run }, prompt, isFirst) =>
    run('gemini', ...FLAGS, ...(isFirst ? [] : ['--resume', 'latest']), '--prompt', prompt),

  compact: (trial, query) => appendCompaction(trial, newestFile(join(trial.home, '.gemini', 'tmp'), '.jsonl'), query),
})
