import { join } from 'node:path'
import { configureClaudeCode } from './client-environments.ts'
import { appendCompaction, newestFile, tryResume } from './try-resume.ts'

/** Tries a resume with Claude Code, which needs Node.js 22: `npx tsx scripts/resume/claude-code.ts [VERSION]`. */
const [, , version = '2.1.330'] = process.argv

await tryResume({
  packages: [`@anthropic-ai/claude-code@${version}`, 'node@22.23.3'],

  configure: configureClaudeCode,

  ask: ({ run }, prompt, isFirst) =>
    run('claude', '--allowedTools', 'Bash', ...(isFirst ? [] : ['--continue']), '--print', prompt),

  compact: (trial, query) =>
    appendCompaction(trial, newestFile(join(trial.home, '.claude', 'projects'), '.jsonl'), query),
})
