import { EFFORTS } from '../../model-settings.ts'
import { PRESET_NAMES } from '../../presets.ts'
import { MAX_TIMER_MS } from '../../runtime/abort.ts'
import type { VariableName } from '../../variables.ts'
import * as options from '../options.ts'

/** The type of a setting of the configuration file. */
export interface Setting {
  kind: 'text' | 'texts' | 'count' | 'flag' | 'url'
  help: string
  /** Whether it is an option of commands; others are variables. */
  isOption?: true
  /** The variable that counts instead of it where it is set. */
  variable?: VariableName
  /** The default; absent: none. */
  fallback?: string
  choices?: readonly string[]
  /** The range of a count. */
  least?: number
  most?: number
}

/** Returns the setting that repeats an option: its help names its default. */
function ofOption(
  { help, choices }: options.Option,
  setting: Pick<Setting, 'kind'> & Partial<Setting>,
): Setting & { isOption: true } {
  const [, fallback] = /\(default: ([^)]*)\)/.exec(help) ?? []
  return { help, isOption: true, ...(choices && { choices }), ...(fallback !== undefined && { fallback }), ...setting }
}

/** All settings of the configuration file. Those that are options have their names; others are variables without `PRECIS_`. */
const SETTINGS = {
  model: ofOption(options.model, {
    kind: 'text',
    help: `the model that writes summaries: ${PRESET_NAMES.map((name) => `${name}:NAME`).join(', ')}, or one of base-url`,
  }),
  with: ofOption(options.withCommand, {
    kind: 'texts',
    help: 'the program or command that writes summaries, or a list of them',
  }),
  url: ofOption(options.url, { kind: 'url', help: 'the address of a running service that writes summaries' }),
  'token-variable': { kind: 'text', help: 'the name of the variable that has the token of the service at url' },
  'token-file': { kind: 'text', help: 'the file that has the token of the service at url' },
  keep: ofOption(options.keep, { kind: 'count', least: 0 }),
  budget: ofOption(options.budget, { kind: 'count', least: 1000, variable: 'PRECIS_TRANSCRIPT_TOKENS' }),
  focus: ofOption(options.focus, { kind: 'text' }),
  window: ofOption(options.window, { kind: 'count', least: 1 }),
  prepared: ofOption(options.prepared, { kind: 'text' }),
  'no-recall': ofOption(options.noRecall, { kind: 'flag', fallback: 'false' }),
  'calls-per-day': ofOption(options.callsPerDay, { kind: 'count', least: 0 }),
  active: ofOption(options.active, { kind: 'count', least: 1 }),
  'base-url': {
    kind: 'url',
    variable: 'OPENAI_BASE_URL',
    help: 'the OpenAI-compatible server of models without a preset',
  },
  'context-window': {
    kind: 'count',
    least: 1024,
    variable: 'PRECIS_CONTEXT_WINDOW',
    fallback: 'the published one, or 128000',
    help: 'the context window of the model that writes summaries, in tokens',
  },
  'deadline-ms': {
    kind: 'count',
    least: 1,
    most: MAX_TIMER_MS,
    variable: 'PRECIS_DEADLINE_MS',
    fallback: '1800000',
    help: 'how long the calls of one summary may take together, in milliseconds',
  },
  'on-failure': {
    kind: 'text',
    choices: ['error', 'embedded'],
    variable: 'PRECIS_ON_FAILURE',
    fallback: 'error',
    help: 'what happens if no model can write: an error, or a summary by code',
  },
  'reasoning-effort': {
    kind: 'text',
    choices: EFFORTS,
    variable: 'PRECIS_REASONING_EFFORT',
    help: 'the reasoning effort that is sent to models',
  },
  'max-summary-tokens': {
    kind: 'count',
    least: 1,
    variable: 'PRECIS_MAX_SUMMARY_TOKENS',
    fallback: '16384',
    help: 'the upper limit of any summary, in tokens',
  },
  prompts: { kind: 'text', variable: 'PRECIS_PROMPTS', help: 'the folder with prompts of your own' },
  redact: { kind: 'flag', variable: 'PRECIS_REDACT', fallback: 'true', help: 'whether secrets are replaced' },
} as const satisfies Readonly<Record<string, Setting>>

export type SettingName = keyof typeof SETTINGS

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[]

/** Returns a setting with one type for all. */
export const settingNamed = (name: SettingName): Setting => SETTINGS[name]

export const isSetting = (name: string): name is SettingName => Object.hasOwn(SETTINGS, name)

/** Returns the JSON schema of the file (config.schema.json), for editors. */
export const writeConfigSchema = (): object => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Configuration of the command line of Précis',
  type: 'object',
  additionalProperties: false,
  properties: {
    $schema: { type: 'string' },
    ...Object.fromEntries(SETTING_NAMES.map((name) => [name, schemaOf(settingNamed(name))])),
  },
})

function schemaOf({ kind, help, choices, least, most, fallback }: Setting): object {
  const hasDefault = fallback !== undefined && !help.includes('(default: ')
  const description = hasDefault ? `${help} (default: ${fallback})` : help
  const text = { type: 'string', minLength: 1 }
  switch (kind) {
    case 'count':
      return {
        type: 'integer',
        ...(least !== undefined && { minimum: least }),
        ...(most && { maximum: most }),
        description,
      }
    case 'flag':
      return { type: 'boolean', description }
    case 'texts':
      return { anyOf: [text, { type: 'array', items: text, minItems: 1 }], description }
    default:
      return {
        ...text,
        ...(kind === 'url' && { pattern: '^https?://' }),
        ...(choices && { enum: choices }),
        description,
      }
  }
}
