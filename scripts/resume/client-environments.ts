import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Prepares a home for Claude Code. Returns the variables with which it asks a model server and nobody else. */
export function configureClaudeCode({ home, model }: { home: string; model: string }): Record<string, string> {
  mkdirSync(join(home, '.claude'))
  writeFileSync(join(home, '.claude.json'), JSON.stringify({ hasCompletedOnboarding: true }))
  return {
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
  }
}

/** Returns the variables with which opencode keeps its files in a home, and loads nothing. */
export const opencodeEnvironment = (home: string): Record<string, string> => ({
  ...Object.fromEntries(
    ['CONFIG', 'DATA', 'CACHE', 'STATE'].map((name) => [`XDG_${name}_HOME`, join(home, name)] as const),
  ),
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
})
