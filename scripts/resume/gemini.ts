import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findInLines } from '../../src/agents/shared/session-file.ts'
import { appendCompaction, newestFile, tryResume } from './try-resume.ts'

/** Tries a resume with Gemini CLI: `npx tsx scripts/resume/gemini.ts [VERSION]`. */
const [, , version = '0.61.0'] = process.argv
const FLAGS = ['--model', 'gemini-2.5-flash', '--yolo', '--skip-trust']
const sessionOf = (home: string): string => newestFile(join(home, '.gemini', 'tmp'), '.jsonl')
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

  ask: ({ run, home }, prompt, isFirst) =>
    run(
      'gemini',
      ...FLAGS,
      ...(isFirst ? [] : ['--resume', findInLines(sessionOf(home), ({ sessionId }) => sessionId) ?? '']),
      '--prompt',
      prompt,
    ),

  compact: (trial, query) => appendCompaction(trial, sessionOf(trial.home), query),
})
