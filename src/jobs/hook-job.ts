import type { BeforeBranchSummaryResult, BeforeCompactResult, CompactingResult, HookName } from '../schemas/hooks.ts'
import type { HookRun } from '../schemas/rules.ts'
import { isPlainObject } from '../session/entry.ts'
import { defined } from '../text/defined.ts'

/** In the order in which they run. */
export const HOOK_NAMES = [
  'beforeCompact',
  'compacting',
  'afterCompact',
  'beforeBranchSummary',
] as const satisfies HookName[]

/** A larger result is refused: the main process reads it. */
export const MAX_RESULT_BYTES = 1_048_576

export type LoadedHooks = Partial<Record<HookName, (event: object) => unknown>>

/** The header of a job. Its body is the event as JSON. */
export interface HookJob {
  hook: HookName
}

/** The report of a process about the operator's module: its hooks and a hash of the file, or a fault. */
export type HooksReady = { names: HookName[]; digest: string } | { fault: string }

/** A fault that the process finds itself. */
export const HOOK_FAULTS = {
  changed: 'has been changed since the service was started: it does not have this hook any more, or cannot be loaded',
  'too-large': 'is larger than 1 MiB as JSON',
  unwritable: 'cannot be written as JSON',
} as const

/** The header of an answer. The body is what the hook has returned, as JSON; empty for nothing. */
export interface HookAnswer {
  outcome: Extract<HookRun['outcome'], 'ok' | 'failed' | 'invalid'>
  /** The class of an error, and its line in the module; never its message. */
  error?: string
  place?: string
  fault?: keyof typeof HOOK_FAULTS
}

/** The class of an error. Other names may be content. */
export const ERROR_NAME = /^[A-Za-z]{0,30}Error$/

/**
 * Returns the header of an answer, which a hook may have written itself: it goes into the log and the metrics.
 * @param fileName the name of the operator's module, without its folder
 * @throws Error if it is not one of ours
 */
export function readHookAnswer(header: unknown, fileName: string): HookAnswer {
  const answer = Object(header) as HookAnswer
  const { outcome, error, place, fault } = answer
  const isOurs =
    ['ok', 'failed', 'invalid'].includes(outcome) &&
    (error === undefined || (isText(error) && ERROR_NAME.test(error))) &&
    (place === undefined || isPlaceIn(fileName, place)) &&
    (fault === undefined || Object.keys(HOOK_FAULTS).includes(fault))
  if (!isOurs) throw new Error('A hook process has sent something other than an answer.')
  return defined({ outcome, error, place, fault })
}

const isPlaceIn = (fileName: string, place: string): boolean =>
  isText(place) && place.startsWith(`${fileName}:`) && /^\d{1,9}$/.test(place.slice(fileName.length + 1))

/** Returns what a process has said when it was ready. @throws Error if it is not ours */
export function readHooksReady(header: unknown): HooksReady {
  const { fault, names, digest } = Object(header) as Record<string, unknown>
  if (typeof fault === 'string') return { fault }
  const known = HOOK_NAMES.filter((name) => Array.isArray(names) && names.includes(name))
  if (typeof digest === 'string' && /^[\da-f]{16}$/.test(digest)) return { names: known, digest }
  throw new Error('A hook process has sent something other than its hooks when it was ready.')
}

/** The results of the hooks that run before a summary is written. */
export type HookResult = BeforeCompactResult & CompactingResult & BeforeBranchSummaryResult

/** A hook's addition to a prompt must not push out the conversation. */
const MAX_PROMPT_CHARACTERS = 65_536

const isText = (value: unknown): boolean => typeof value === 'string'
const isFilled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''
const isBoolean = (value: unknown): boolean => typeof value === 'boolean'
const isLines = (value: unknown): boolean =>
  Array.isArray(value) && value.every(isText) && value.join('').length <= MAX_PROMPT_CHARACTERS
const isInstruction = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '' && value.length <= MAX_PROMPT_CHARACTERS

type Rule = [what: string, isValid: (value: unknown) => boolean]

const REFUSAL: Record<string, Rule> = {
  cancel: ['a boolean', isBoolean],
  reason: ['a string', isText],
  summary: ['a string that is not blank', isFilled],
}
const INSTRUCTION: Rule = ['a string that is not blank, with at most 65,536 characters', isInstruction]
const DATA: Rule = ['an object', isPlainObject]

const RULES: Record<HookName, Record<string, Rule>> = {
  beforeCompact: { ...REFUSAL, preserveData: DATA },
  compacting: {
    context: ['a list of strings with at most 65,536 characters', isLines],
    prompt: INSTRUCTION,
    preserveData: DATA,
  },
  afterCompact: {},
  beforeBranchSummary: { ...REFUSAL, customInstructions: INSTRUCTION },
}

/**
 * Reads what a hook has returned.
 * @returns the result, or what is wrong with it, without its values and without names that the hook has chosen
 */
export function readHookResult(hook: HookName, json: string): { result: HookResult } | { detail: string } {
  const value: unknown = json === '' ? {} : JSON.parse(json)
  const rules = RULES[hook]
  const known = Object.keys(rules)
    .map((name) => `\`${name}\``)
    .join(', ')
  if (!isPlainObject(value)) return { detail: `must be an object or nothing. Its fields may be ${known}` }
  for (const [name, field] of Object.entries(value)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (rule === undefined) return { detail: `has a field that is not known. Known are ${known}` }
    const [what, isValid] = rule
    if (!isValid(field)) return { detail: `has a \`${name}\` that is not ${what}` }
  }
  return { result: value }
}
