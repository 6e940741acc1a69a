import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { appendCompaction, newestFile, tryResume } from './try-resume.ts'

/** Tries a resume with Claude Code, which needs Node.js 22: `npx tsx scripts/resume/claude-code.ts [VERSION]`. */
const [, , version = '2.1.330'] = process.argv

await tryResume({
  packages: [`@anthropic-ai/claude-code@${version}`, 'node@22.23.3'],

  configure({ home, model }) {
    mkdirSync(join(home, '.claude'))
    writeFileSync(join(home, '.claude.json'), JSON.stringify({ hasCompletedOnboarding: true }))
    return {
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: 'none',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
    }
  },

  ask: ({ run }, prompt, isFirst) =>
    run('claude', '--allowedTools', 'Bash', ...(isFirst ? [] : ['--continue']), '--print', prompt),

  compact: (trial, query) =>
    appendCompaction(trial, newestFile(join(trial.home, '.claude', 'projects'), '.jsonl'), query),
})
