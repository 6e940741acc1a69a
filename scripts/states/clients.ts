import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findInLines, folderOf } from '../../src/agents/shared/session-file.ts'
import { configureClaudeCode, opencodeEnvironment } from '../resume/client-environments.ts'
import { CODEX_FLAGS, configureCodex } from '../resume/codex-client.ts'
import { newestFile } from '../resume/try-resume.ts'
import type { StateClient } from './client.ts'

const NODE_22 = 'node@22.23.3'
const CLAUDE_TOOLS = 'Bash,Read,Write,TodoWrite,TaskCreate,TaskUpdate,TaskList,TaskGet,Task,Agent'

/** Claude Code reads its prompts from stdin as JSON, since only then it can be interrupted without a terminal. */
const claudeCode = (version: string): StateClient => ({
  packages: [`@anthropic-ai/claude-code@${version}`, NODE_22],
  configure({ home, model }) {
    return {
      ...configureClaudeCode({ home, model }),
      // The tools of the task list are offered, and not only found by a search.
      ENABLE_TOOL_SEARCH: 'false',
    }
  },
  command: (_trial, { flags = ['--allowedTools', `${CLAUDE_TOOLS},Edit`] }, isFirst) => [
    ...['claude', '--print', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
    ...[...flags, ...(isFirst ? [] : ['--continue'])],
  ],
  stdin: {
    prompt: (content) => `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`,
    interrupt: `${JSON.stringify({ type: 'control_request', request_id: 'stop', request: { subtype: 'interrupt' } })}\n`,
  },
  readSession: async ({ home }) => readFileSync(newestFile(join(home, '.claude', 'projects'), '.jsonl'), 'utf8'),
  ending: 'jsonl',
})

const codex = (version: string): StateClient => ({
  packages: [`@openai/codex@${version}`],
  configure({ home, model }) {
    configureCodex(home, { url: model })
    return {}
  },
  command: (_trial, { prompt, flags = [] }, isFirst) => [
    ...['codex', 'exec', ...(isFirst ? [] : ['resume', '--last']), ...CODEX_FLAGS, ...flags, prompt],
  ],
  readSession: async ({ home }) => readFileSync(newestFile(join(home, '.codex', 'sessions'), '.jsonl'), 'utf8'),
  ending: 'jsonl',
})

const opencode: StateClient = {
  packages: ['opencode-ai@1.18.33'],
  configure({ home, model }) {
    const models = { fake: { name: 'Fake', tool_call: true, limit: { context: 200_000, output: 8_000 } } }
    const options = { baseURL: `${model}/v1`, apiKey: 'none' }
    const settings = {
      ...{ model: 'fake/fake', small_model: 'fake/fake', autoupdate: false, share: 'disabled' },
      // Without --auto, an edit is refused: nobody can be asked.
      permission: { edit: 'ask' },
      provider: { fake: { npm: '@ai-sdk/openai-compatible', options, models } },
    }
    const folder = join(home, 'CONFIG', 'opencode')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'opencode.json'), JSON.stringify(settings))
    return opencodeEnvironment(home)
  },
  command: (_trial, { prompt, flags = ['--auto'] }, isFirst) => [
    ...['opencode', 'run', ...flags, ...(isFirst ? [] : ['--continue']), prompt],
  ],
  async readSession({ run }) {
    const sessions = JSON.parse(await run('opencode', 'session', 'list', '--format', 'json')) as { id: string }[]
    return run('opencode', 'export', sessions[0]?.id ?? '')
  },
  ending: 'json',
}

const GEMINI_SETTINGS = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { disableAutoUpdate: true, disableUpdateNag: true },
  useWriteTodos: true,
}
const geminiSession = (home: string): string => newestFile(join(home, '.gemini', 'tmp'), '.jsonl')
const idIn = (path: string): string => findInLines(path, ({ sessionId }) => sessionId) ?? ''

const gemini: StateClient = {
  packages: ['@google/gemini-cli@0.61.0'],
  configure({ home, model }) {
    mkdirSync(join(home, '.gemini'))
    writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(GEMINI_SETTINGS))
    return { GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: 'none' }
  },
  command: ({ home }, { prompt, flags = ['--yolo'] }, isFirst) => [
    ...['gemini', '--model', 'gemini-2.5-flash', '--skip-trust', ...flags],
    ...(isFirst ? [] : ['--resume', idIn(geminiSession(home))]),
    ...['--prompt', prompt],
  ],
  readSession: async ({ home }) => readFileSync(geminiSession(home), 'utf8'),
  ending: 'jsonl',
}

const QWEN_SETTINGS = {
  security: { auth: { selectedType: 'openai' } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { disableAutoUpdate: true, enableAutoUpdate: false },
  // Off by default in this version.
  tools: { todoWrite: { enabled: true } },
}
const qwenSession = (home: string): string => newestFile(join(home, '.qwen', 'projects'), '.jsonl')

const qwen: StateClient = {
  packages: ['@qwen-code/qwen-code@0.24.4', NODE_22],
  configure({ home, model }) {
    mkdirSync(join(home, '.qwen'))
    writeFileSync(join(home, '.qwen', 'settings.json'), JSON.stringify(QWEN_SETTINGS))
    return { OPENAI_BASE_URL: `${model}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'fake' }
  },
  command: ({ home }, { prompt, flags = ['--yolo'] }, isFirst) => [
    ...['qwen', '--auth-type', 'openai', '--model', 'fake', ...flags],
    ...(isFirst ? [] : ['--resume', idIn(qwenSession(home))]),
    ...['--prompt', prompt],
  ],
  readSession: async ({ home }) => readFileSync(qwenSession(home), 'utf8'),
  ending: 'jsonl',
}

const clineSession = (home: string): string => newestFile(join(home, '.cline'), '.messages.json')

const cline: StateClient = {
  packages: ['cline@3.0.65', NODE_22],
  configure: () => ({ CLINE_TELEMETRY_DISABLED: '1' }),
  command: ({ home, model }, { prompt, flags = [] }, isFirst) => {
    const login = `cline auth openai-compatible --apikey x --modelid fake --baseurl ${model}/v1 >/dev/null`
    return [
      ...['sh', '-c', `${login} && exec cline -P openai-compatible -m fake -t 100 "$@"`, 'cline'],
      ...[...flags, ...(isFirst ? [] : ['--id', folderOf(clineSession(home))]), prompt],
    ]
  },
  readSession: async ({ home }) => readFileSync(clineSession(home), 'utf8'),
  ending: 'json',
}

function configurePi(home: string, model: string, names: { folder: string; models: string; settings: string }): void {
  const folder = join(home, names.folder, 'agent')
  mkdirSync(folder, { recursive: true })
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  const limits = { contextWindow: 200_000, maxTokens: 8192 }
  const models = [{ id: 'fake', name: 'fake', reasoning: false, input: ['text'], ...limits, cost }]
  const provider = { baseUrl: `${model}/v1`, apiKey: 'none', api: 'openai-completions', models }
  writeFileSync(join(folder, names.models), JSON.stringify({ providers: { fake: provider } }))
  writeFileSync(join(folder, names.settings), '{}')
}

const pi: StateClient = {
  packages: ['@earendil-works/pi-coding-agent@0.87.1', NODE_22],
  configure({ home, model }) {
    configurePi(home, model, { folder: '.pi', models: 'models.json', settings: 'settings.json' })
    return { PI_OFFLINE: '1' }
  },
  command: (_trial, { prompt, flags = [] }, isFirst) => [
    ...['pi', '--offline', '--model', 'fake/fake', ...flags, ...(isFirst ? [] : ['--continue']), '-p', prompt],
  ],
  readSession: async ({ home }) => readFileSync(newestFile(join(home, '.pi', 'agent', 'sessions'), '.jsonl'), 'utf8'),
  ending: 'jsonl',
}

const ohMyPi: StateClient = {
  packages: ['@oh-my-pi/pi-coding-agent@18.2.3', 'bun@1.4.5'],
  configure({ home, model }) {
    configurePi(home, model, { folder: '.omp', models: 'models.yml', settings: 'config.yml' })
    return { PI_OFFLINE: '1' }
  },
  command: (_trial, { prompt, flags = [] }, isFirst) => [
    ...['omp', '--model', 'fake/fake', '--no-lsp', '--no-title', ...flags],
    ...[...(isFirst ? [] : ['--continue']), '-p', prompt],
  ],
  readSession: async ({ home }) => readFileSync(newestFile(join(home, '.omp', 'agent', 'sessions'), '.jsonl'), 'utf8'),
  ending: 'jsonl',
}

export const CLIENTS: Readonly<Record<string, StateClient>> = {
  'claude-code': claudeCode('2.1.330'),
  'claude-code-1.0': claudeCode('1.0.98'),
  codex: codex('0.169.0'),
  'codex-0.120': codex('0.120.0'),
  opencode,
  gemini,
  qwen,
  cline,
  pi,
  'oh-my-pi': ohMyPi,
}
