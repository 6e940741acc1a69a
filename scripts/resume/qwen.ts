import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findInLines } from '../../src/agents/shared/session-file.ts'
import { appendCompaction, newestFile, tryResume } from './try-resume.ts'

/** Tries a resume with Qwen Code, which needs Node.js 22: `npx tsx scripts/resume/qwen.ts [VERSION]`. */
const [, , version = '0.24.4'] = process.argv
const FLAGS = ['--auth-type', 'openai', '--model', 'fake', '--yolo']
const sessionOf = (home: string): string => newestFile(join(home, '.qwen', 'projects'), '.jsonl')
const SETTINGS = {
  security: { auth: { selectedType: 'openai' } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { disableAutoUpdate: true, enableAutoUpdate: false },
}

await tryResume({
  packages: [`@qwen-code/qwen-code@${version}`, 'node@22.23.3'],

  configure({ home, model }) {
    mkdirSync(join(home, '.qwen'))
    writeFileSync(join(home, '.qwen', 'settings.json'), JSON.stringify(SETTINGS))
    return { OPENAI_BASE_URL: `${model}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'fake' }
  },

  ask: ({ run, home }, prompt, isFirst) =>
    run(
      'qwen',
      ...FLAGS,
      ...(isFirst ? [] : ['--resume', findInLines(sessionOf(home), ({ sessionId }) => sessionId) ?? '']),
      '--prompt',
      prompt,
    ),

  compact: (trial, query) => appendCompaction(trial, sessionOf(trial.home), query),
})
