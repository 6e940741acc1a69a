import type { VariableName } from './variables.ts'

/** A model server that a model's name can name: `anthropic:claude-haiku-4-5`. */
interface Preset {
  /** The base URL of its OpenAI-compatible chat completions. */
  readonly baseUrl: string
  /** The variable with its key; absent: it needs none. */
  readonly key?: VariableName
  /** The published context windows of its models, in tokens. Others are unknown. */
  readonly windows: Readonly<Record<string, number>>
}

/** Of the 400,000 tokens that are published, a prompt may have those that are not kept for output (128,000). */
const GPT_5 = 272_000
const MILLION = 1_000_000

/**
 * All presets. Base URLs and windows were read in November 2026:
 * - Anthropic: platform.claude.com/docs, "OpenAI SDK compatibility", "Context windows", "Models overview";
 * - OpenAI: developers.openai.com/api/docs/models;
 * - Gemini: ai.google.dev/gemini-api/docs, "OpenAI compatibility", and the pages of the models (input token limit);
 * - OpenRouter: openrouter.ai/docs, "Quickstart"; the windows are those of its many providers;
 * - Ollama: docs.ollama.com, "OpenAI compatibility"; the window is what its server was started with.
 */
const PRESETS = {
  anthropic: {
    baseUrl: 'https://api.anthropic.com/v1',
    key: 'ANTHROPIC_API_KEY',
    windows: {
      'claude-fable-5': MILLION,
      'claude-fable-5-1': MILLION,
      'claude-fable-5-2': MILLION,
      'claude-haiku-4-5': 200_000,
      'claude-haiku-5-5': MILLION,
      'claude-opus-4-1': 200_000,
      'claude-opus-4-5': 200_000,
      'claude-opus-4-6': MILLION,
      'claude-opus-4-7': MILLION,
      'claude-opus-4-8': MILLION,
      'claude-opus-5': MILLION,
      'claude-opus-5-5': MILLION,
      'claude-sonnet-4-5': 200_000,
      'claude-sonnet-4-6': MILLION,
      'claude-sonnet-5': MILLION,
      'claude-sonnet-5-5': MILLION,
    },
  },
  openai: {
    baseUrl: 'https://api.openai.com/v1',
    key: 'OPENAI_API_KEY',
    windows: {
      'gpt-4.1': 1_047_576,
      'gpt-4.1-mini': 1_047_576,
      'gpt-4.1-nano': 1_047_576,
      'gpt-4o': 128_000,
      'gpt-4o-mini': 128_000,
      'gpt-5': GPT_5,
      'gpt-5-mini': GPT_5,
      'gpt-5-nano': GPT_5,
      'gpt-5.4-mini': GPT_5,
    },
  },
  gemini: {
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    key: 'GEMINI_API_KEY',
    windows: {
      'gemini-2.5-flash': 1_048_576,
      'gemini-2.5-flash-lite': 1_048_576,
      'gemini-2.5-pro': 1_048_576,
      'gemini-3.8-flash': 1_048_576,
    },
  },
  openrouter: { baseUrl: 'https://openrouter.ai/api/v1', key: 'OPENROUTER_API_KEY', windows: {} },
  ollama: { baseUrl: 'http://127.0.0.1:11434/v1', windows: {} },
} as const satisfies Record<string, Preset>

export type PresetName = keyof typeof PRESETS

export const PRESET_NAMES = Object.keys(PRESETS) as PresetName[]

/** Returns a preset with one type for all. */
export const presetNamed = (name: PresetName): Preset => PRESETS[name]

/** The end of a model's name that names its version: `-20251001`, `-2025-08-07`, `-latest`. */
const VERSION = /-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/

/**
 * Returns the preset that a model's name begins with, and the name that its server knows. Other names may have a colon too:
 * `qwen3:8b`.
 */
export function splitPreset(model: string): { preset?: PresetName; id: string } {
  const preset = PRESET_NAMES.find((name) => model.startsWith(`${name}:`))
  return preset === undefined ? { id: model } : { preset, id: model.slice(preset.length + 1).trim() }
}

/**
 * Returns the published window of a model, in tokens; undefined if none is known.
 * @param ofBareNames the preset of names without one
 */
export function publishedWindow(model: string, ofBareNames?: PresetName): number | undefined {
  const { preset = ofBareNames, id } = splitPreset(model)
  if (preset === undefined) return undefined
  const { windows } = presetNamed(preset)
  const name = id.replace(VERSION, '')
  return Object.hasOwn(windows, name) ? windows[name] : undefined
}
