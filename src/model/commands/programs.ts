import type { Environment } from '../../environment.ts'
import { fieldsOf, parseJson } from '../../session/entry.ts'
import { CommandFault } from './command-fault.ts'
import { forgetInGemini } from './forget-in-gemini.ts'

/** The input of a run of a known program. */
export interface ProgramTask {
  /** Our system prompt, and a file with it. */
  system: string
  systemFile: string
  /** A folder for files that are gone after the run. */
  temporary: string
  /** The model that the user has named; absent: the program's own choice. */
  model?: string | undefined
  /** The servers of tools in the user's configuration. */
  servers: readonly string[]
}

export interface ProgramAnswer {
  text: string
  usage?: { inputTokens: number; outputTokens: number }
  /** Whether it was cut off at a limit of output. */
  isCut?: boolean
}

/** A known program, and how it writes a summary: without tools, hooks, a session and instructions of projects. */
export interface Program {
  args: (task: ProgramTask) => string[]
  /** Variables of the user that it gets besides those that every program needs; `*` stands for any characters. */
  env: readonly string[]
  /** Variables that it gets from us. */
  set?: (task: ProgramTask) => Record<string, string>
  /** Files in the folder in which it runs. */
  files?: Readonly<Record<string, string>>
  /** The arguments with which it lists the servers of tools as JSON. */
  listServers?: readonly string[]
  /** Removes what it keeps of a run whatever it is told. @param root the folder of the run, below which the program worked */
  forget?: (env: Environment, root: string) => void
  /** Reads what it has printed; default: all of it is the text. @throws CommandFault */
  read?: (output: string) => ProgramAnswer
}

const modelArgs = (flag: string, model: string | undefined): string[] => (model === undefined ? [] : [flag, model])

/** The tools that stay with `--bare`. */
const QWEN_TOOLS = ['edit', 'get_goal', 'notebook_edit', 'read_file', 'run_shell_command', 'update_goal']

/** Features of Codex that offer tools or run programs of the user. */
const CODEX_FEATURES = [
  ...['hooks', 'shell_tool', 'unified_exec', 'plugins', 'apps', 'multi_agent', 'goals', 'image_generation'],
  'tool_search',
]

const CODEX_SETTINGS = [
  ...['project_doc_max_bytes=0', 'web_search="disabled"', 'model_reasoning_effort="low"'],
  ...['include_permissions_instructions=false', 'include_environment_context=false', 'include_apps_instructions=false'],
  'skills.include_instructions=false',
]

/** All programs that `--with` knows by their names. */
const PROGRAMS = {
  claude: {
    args: ({ system, model }) => [
      ...['-p', '--output-format', 'json', '--tools', '', '--no-session-persistence', '--safe-mode'],
      ...['--disable-slash-commands', '--system-prompt', system, ...modelArgs('--model', model)],
    ],
    env: [
      ...[
        'ANTHROPIC_*',
        'CLAUDE_CODE_DISABLE_*',
        'CLAUDE_CODE_OAUTH_TOKEN',
        'CLAUDE_CONFIG_DIR',
        'CLAUDE_CODE_USE_*',
        'AWS_*',
      ],
      ...['DISABLE_ERROR_REPORTING', 'DISABLE_TELEMETRY'],
      ...['CLOUD_ML_REGION', 'GOOGLE_APPLICATION_CREDENTIALS'],
    ],
    set: () => ({ MAX_THINKING_TOKENS: '0', CLAUDE_CODE_MAX_RETRIES: '1', DISABLE_AUTOUPDATER: '1' }),
    read: readClaude,
  },
  codex: {
    args: ({ systemFile, model, servers }) => [
      ...['exec', '--ephemeral', '--skip-git-repo-check', '--sandbox', 'read-only', '--color', 'never'],
      ...modelArgs('-m', model),
      ...servers.flatMap((name) => ['-c', `mcp_servers.${name}.enabled=false`]),
      ...CODEX_SETTINGS.flatMap((setting) => ['-c', setting]),
      ...['-c', `model_instructions_file=${JSON.stringify(systemFile)}`],
      ...CODEX_FEATURES.flatMap((feature) => ['--disable', feature]),
      '-',
    ],
    env: ['CODEX_HOME', 'CODEX_API_KEY', 'OPENAI_API_KEY', 'OPENAI_BASE_URL'],
    listServers: ['mcp', 'list', '--json'],
  },
  gemini: {
    args: ({ model }) => [...modelArgs('-m', model), '-e', 'none', '--allowed-mcp-server-names', 'none'],
    env: [
      ...['GEMINI_API_KEY', 'GEMINI_CLI_HOME', 'GOOGLE_API_KEY', 'GOOGLE_APPLICATION_CREDENTIALS', 'GOOGLE_CLOUD_*'],
      ...['GEMINI_TELEMETRY_*', 'GOOGLE_GEMINI_BASE_URL', 'GOOGLE_GENAI_USE_*'],
    ],
    set: ({ systemFile }) => ({ GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_SYSTEM_MD: systemFile }),
    files: {
      '.gemini/settings.json': JSON.stringify({
        tools: { core: ['none'] },
        hooksConfig: { enabled: false },
        context: { fileName: ['NO-SUCH.md'] },
      }),
    },
    forget: forgetInGemini,
  },
  qwen: {
    args: ({ system, model }) => [
      ...['--bare', '--chat-recording=false', '--system-prompt', system, ...modelArgs('-m', model)],
      ...QWEN_TOOLS.flatMap((tool) => ['--exclude-tools', tool]),
    ],
    env: ['DASHSCOPE_API_KEY', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL', 'QWEN_*'],
    // What it keeps of a project goes with the run.
    set: ({ temporary }) => ({ QWEN_RUNTIME_DIR: temporary }),
  },
  opencode: {
    args: ({ model }) => ['run', '--pure', '--agent', 'summarizer', '--title', 'summary', ...modelArgs('-m', model)],
    env: ['*_API_KEY', 'AWS_*', 'OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR', 'OPENCODE_DISABLE_*'],
    // With its own compaction, it repeats a prompt that is too long for ever.
    set: ({ system }) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        compaction: { auto: false },
        share: 'disabled',
        agent: { summarizer: { mode: 'primary', prompt: system, tools: { '*': false } } },
      }),
      OPENCODE_DB: ':memory:',
      OPENCODE_DISABLE_PROJECT_CONFIG: '1',
    }),
  },
  pi: {
    args: ({ system, model }) => [
      ...['-p', '--offline', ...modelArgs('--model', model), '--thinking', 'off', '--no-session', '--no-tools'],
      ...['--no-extensions', '--no-skills', '--no-context-files', '--no-prompt-templates', '--system-prompt', system],
    ],
    env: ['*_API_KEY', 'AWS_*', 'PI_CODING_AGENT_DIR', 'PI_TELEMETRY'],
  },
} as const satisfies Record<string, Program>

export type ProgramName = keyof typeof PROGRAMS

export const PROGRAM_NAMES = Object.keys(PROGRAMS) as ProgramName[]

export const isProgram = (name: string): name is ProgramName => Object.hasOwn(PROGRAMS, name)

/** Returns a program with one type for all. */
export const programNamed = (name: ProgramName): Program => PROGRAMS[name]

/** Reads the result of `claude -p --output-format json` (code.claude.com/docs, "Run Claude Code programmatically"). */
function readClaude(output: string): ProgramAnswer {
  const { type, is_error: isError, result, usage, stop_reason: reason } = fieldsOf(parseJson(output))
  if (isError === true) throw new CommandFault('exit', typeof result === 'string' ? result : '', 'code 0')
  if (type !== 'result' || typeof result !== 'string') throw new CommandFault('output', output)
  const { input_tokens: input, output_tokens: written, ...cache } = fieldsOf(usage)
  const read = [input, cache['cache_read_input_tokens'], cache['cache_creation_input_tokens']].map(countOf)
  const inputTokens = read.reduce((sum, tokens) => sum + tokens, 0)
  return { text: result, usage: { inputTokens, outputTokens: countOf(written) }, isCut: reason === 'max_tokens' }
}

const countOf = (value: unknown): number => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0)
