import type { VariableReader } from './environment.ts'
import { presetNamed, PRESET_NAMES, publishedWindow, splitPreset, type PresetName } from './presets.ts'
import { defined } from './text/defined.ts'
import type { VariableName } from './variables.ts'

/** One model of `PRECIS_MODEL`, in order of preference. */
export interface Candidate {
  /** Its name, with its preset. */
  readonly model: string
  readonly contextWindow: number
}

export interface ModelSettings {
  /** The server of the candidates without a preset, and its key. */
  readonly baseUrl?: string
  readonly apiKey?: string
  /** The keys of the presets that candidates name. */
  readonly presetKeys?: Readonly<Partial<Record<PresetName, string>>>
  readonly candidates: Candidate[]
  readonly reasoningEffort?: string
}

/** The server of a candidate. */
interface ModelServer {
  baseUrl: string
  apiKey?: string | undefined
  /** The model's name on this server. */
  id: string
}

const DEFAULT_MODEL = 'gpt-5-mini'
const DEFAULT_WINDOW = 128_000

/** A header with another character is never sent: each call would fail as if the connection had broken. */
const SENDABLE = /^[\x20-\x7e]+$/

export function serverOf(
  model: string,
  { baseUrl, apiKey, presetKeys = {} }: Omit<ModelSettings, 'candidates'>,
): ModelServer {
  const { preset, id } = splitPreset(model)
  return preset === undefined
    ? { baseUrl: baseUrl ?? presetNamed('openai').baseUrl, apiKey, id }
    : { baseUrl: presetNamed(preset).baseUrl, apiKey: presetKeys[preset], id }
}

/** The values of `reasoning_effort` in OpenAI's API, which other servers have a part of. */
export const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

/** Returns what is wrong with names of models, whatever their servers are; undefined if nothing is. */
export function faultOfModels(models: readonly string[]): string | undefined {
  const isNameless = models.map(splitPreset).some(({ preset, id }) => preset !== undefined && id === '')
  return isNameless ? 'must have the name of a model behind each server, such as openai:gpt-5-mini' : undefined
}

/** Reads which models write, and on which servers. */
export function readModel(reader: VariableReader): { contextWindow: number; model?: ModelSettings } {
  const baseUrl = reader.url('OPENAI_BASE_URL')
  const { username = '', password = '' } = URL.parse(baseUrl ?? '') ?? {}
  if (username !== '' || password !== '')
    reader.addFault('OPENAI_BASE_URL', 'must not contain a user name or a password: put the key into OPENAI_API_KEY')
  const keys = readKeys(reader)
  const apiKey = keys.get('OPENAI_API_KEY')
  const named = reader.list('PRECIS_MODEL')
  const candidates = readWindows(reader, named ?? [DEFAULT_MODEL], presetAt(baseUrl, apiKey))
  const contextWindow = candidates[0]?.contextWindow ?? DEFAULT_WINDOW
  const presetKeys = keysOfPresets(reader, candidates, keys)
  const reasoningEffort = reader.optionalChoice('PRECIS_REASONING_EFFORT', EFFORTS)
  const hasServer = baseUrl !== undefined || apiKey !== undefined
  const isPreset = ({ model }: Candidate): boolean => splitPreset(model).preset !== undefined
  if (!hasServer && !candidates.some(isPreset)) return { contextWindow }
  const homeless = candidates.find((candidate) => !hasServer && !isPreset(candidate))
  if (homeless !== undefined)
    reader.addFault(
      'PRECIS_MODEL',
      'has a model without a server: set OPENAI_API_KEY or OPENAI_BASE_URL, or write the server before its name ' +
        `(${PRESET_NAMES.map((name) => `${name}:NAME`).join(', ')})`,
    )
  return { contextWindow, model: defined({ candidates, baseUrl, apiKey, presetKeys, reasoningEffort }) }
}

function readKeys(reader: VariableReader): Keys {
  const names = PRESET_NAMES.flatMap((preset) => presetNamed(preset).key ?? [])
  return new Map(
    names.map((name) => {
      const key = reader.text(name)
      if (key !== undefined && !SENDABLE.test(key))
        reader.addFault(name, 'must be one line of printable ASCII characters: it is sent in a header')
      return [name, key]
    }),
  )
}

/** Returns the preset whose server has the models that name none: OpenAI's own address is the one of a key without an address. */
function presetAt(baseUrl: string | undefined, apiKey: string | undefined): PresetName | undefined {
  const address = baseUrl ?? (apiKey === undefined ? undefined : presetNamed('openai').baseUrl)
  return PRESET_NAMES.find((name) => presetNamed(name).baseUrl === address?.replace(/\/$/, ''))
}

/**
 * Reads the windows of candidates: those that are set, or else published ones.
 * @param bare the preset of models that name none
 */
function readWindows(reader: VariableReader, models: readonly string[], bare: PresetName | undefined): Candidate[] {
  const windows = reader.integers('PRECIS_CONTEXT_WINDOW', { fallback: 0, min: 1024 })
  const isSet = reader.text('PRECIS_CONTEXT_WINDOW') !== undefined
  if (windows.length !== 1 && windows.length !== models.length)
    reader.addFault('PRECIS_CONTEXT_WINDOW', `must be one number, or one for each of the ${models.length} candidates`)
  // Ollama silently cuts a prompt that is longer than the window of its server, which nobody knows here.
  if (!isSet && models.some((model) => splitPreset(model).preset === 'ollama'))
    reader.addFault(
      'PRECIS_CONTEXT_WINDOW',
      'must be set for a model of Ollama, which cuts a longer prompt without an error: use the number that ' +
        '`ollama ps` shows as CONTEXT',
    )
  const windowOf = (model: string, index: number): number =>
    isSet ? (windows[index] ?? windows[0] ?? DEFAULT_WINDOW) : (publishedWindow(model, bare) ?? DEFAULT_WINDOW)
  return models.map((model, index) => ({ model, contextWindow: windowOf(model, index) }))
}

/** The keys of all servers, by the names of their variables. */
type Keys = ReadonlyMap<VariableName, string | undefined>

/** Returns the keys of the presets that candidates name; undefined without any. */
function keysOfPresets(
  reader: VariableReader,
  candidates: readonly Candidate[],
  keys: Keys,
): ModelSettings['presetKeys'] {
  const models = candidates.map(({ model }) => model)
  const fault = faultOfModels(models)
  if (fault !== undefined) reader.addFault('PRECIS_MODEL', fault)
  const named = models.map(splitPreset)
  const entries = PRESET_NAMES.flatMap((preset) => {
    const { key: name } = presetNamed(preset)
    if (name === undefined || !named.some((one) => one.preset === preset)) return []
    const key = keys.get(name)
    if (key === undefined) reader.addFault(name, `must be set for ${preset}:NAME, or name ${othersThan(preset)}`)
    return key === undefined ? [] : [[preset, key] as const]
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

const othersThan = (preset: PresetName): string =>
  `a model of another server (${PRESET_NAMES.filter((one) => one !== preset)
    .map((one) => `${one}:NAME`)
    .join(', ')})`
