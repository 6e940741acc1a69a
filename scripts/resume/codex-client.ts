import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Trial } from './trial.ts'

/** Options of every `codex exec`: the project of a trial is not a Git repository, and no user can answer questions. */
export const CODEX_FLAGS = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']

interface CodexSettings {
  /** The base URL of the model server, without `/v1`. */
  url: string
  /** The provider's name. */
  name?: string
  /** The environment variable that has the key of the model server. */
  keyVariable?: string
  /** Further lines of the configuration, such as a table. */
  more?: string
}

/** Writes the configuration of Codex, and returns its folder. Codex looks for no update and sends no statistics. */
export function configureCodex(home: string, { url, name = 'fake', keyVariable, more = '' }: CodexSettings): string {
  const folder = join(home, '.codex')
  mkdirSync(folder)
  const text = `model = "fake"
model_provider = "trial"
check_for_update_on_startup = false

[model_providers.trial]
name = "${name}"
base_url = "${url}/v1"
wire_api = "responses"
${keyVariable === undefined ? '' : `env_key = "${keyVariable}"\n`}
[analytics]
enabled = false

[otel]
exporter = "none"

${more}`
  writeFileSync(join(folder, 'config.toml'), text)
  return folder
}

/** Sends a prompt to Codex, in a new session or in the newest one. Returns what Codex prints. */
export function askCodex({ run }: Trial, prompt: string, { isFirst, flags = [] }: CodexRequest): Promise<string> {
  return run('codex', 'exec', ...(isFirst ? [] : ['resume', '--last']), ...CODEX_FLAGS, ...flags, prompt)
}

interface CodexRequest {
  isFirst: boolean
  /** Options beyond those of every request. */
  flags?: readonly string[]
}
