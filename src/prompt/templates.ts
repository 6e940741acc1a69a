import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HEADINGS } from '../text/summary-headings.ts'
import { escapePairs } from './frame-prompt.ts'
import { mapSegments, type Segments, type SummaryKind, type SummaryTask } from './task.ts'

/**
 * The files of prompts/ without `.md`, each with its placeholders (`{{name}}`): a file must have all of them and no
 * others.
 */
export const TEMPLATE_PLACEHOLDERS = {
  system: [],
  summary: ['tokens'],
  update: ['tokens'],
  'turn-prefix': ['tokens'],
  branch: [],
  'branch-preamble': [],
  handoff: ['tokens'],
  continuation: [],
  'work-states': [],
  short: [],
  focus: ['focus'],
  brevity: [],
  chunk: ['place'],
  merge: [],
  repair: ['faults'],
  'fault-sections': ['headings'],
  'fault-size': ['tokens', 'limit'],
} as const satisfies Record<string, readonly string[]>

export type TemplateName = keyof typeof TEMPLATE_PLACEHOLDERS

export const TEMPLATE_NAMES = Object.keys(TEMPLATE_PLACEHOLDERS) as TemplateName[]

/** The texts of the files in prompts/, by file name without `.md`. */
export type Templates = Readonly<Record<TemplateName, string>>

/**
 * Reads the texts of all prompts. It reads synchronously, at the start of the process.
 * @param directory the folder of the .md files
 * @returns the texts, without white space around them and with `\n` as line end
 * @throws Error with every fault and its file: a file that is missing, unreadable, too long or blank, a placeholder that
 *   is missing, unknown or broken, a boundary tag
 */
export function loadTemplates(directory: URL | string): Templates {
  const folder = directory instanceof URL ? fileURLToPath(directory) : directory
  const faults: string[] = []
  const templates = TEMPLATE_NAMES.map((name) => [name, readTemplate(folder, name, faults)])
  if (faults.length > 0) throw new Error(`Bad prompts in ${folder}:\n${faults.join('\n')}`)
  return Object.fromEntries(templates) as Record<TemplateName, string>
}

/** Each job has the texts that an operator has replaced: a long one would be sent to a worker again and again. */
const MAX_BYTES = 65_536

/** Returns the text of a template; empty if it cannot be read. @param faults gets what is wrong with it */
export function readTemplate(folder: string, name: TemplateName, faults: string[]): string {
  const note = (fault: string): number => faults.push(`${name}.md ${fault}`)
  try {
    const bytes = readFileSync(join(folder, `${name}.md`))
    if (bytes.length > MAX_BYTES) note(`has ${bytes.length} bytes; at most ${MAX_BYTES} are allowed`)
    else {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n/g, '\n').trim()
      findTemplateFaults(text, TEMPLATE_PLACEHOLDERS[name]).forEach(note)
      return text
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') note('is not valid UTF-8. Save it as UTF-8')
    else note(code === 'ENOENT' ? 'is missing' : `cannot be read (${String(code)})`)
  }
  return ''
}

const braced = (name: string): string => `{{${name}}}`

/** Returns what is wrong with the text of a template, in words that follow the name of its file. */
function findTemplateFaults(text: string, required: readonly string[]): string[] {
  if (text === '') return ['is empty']
  const found = new Set(Array.from(text.matchAll(PLACEHOLDER), ([, name = '']) => name))
  const missing = required.filter((name) => !found.has(name))
  const unknown = [...found].filter((name) => !required.includes(name))
  const faults = [
    ...missing.map((name) => `lacks the placeholder ${braced(name)}`),
    ...unknown.map((name) => `has the unknown placeholder ${braced(name)}; ${listKnown(required)}`),
  ]
  if (/\{\{|\}\}/.test(text.replace(PLACEHOLDER, ''))) faults.push('has a placeholder that is not opened or not closed')
  if (escapePairs(text) !== text) faults.push('has a boundary tag in angle brackets')
  return faults
}

const listKnown = (names: readonly string[]): string =>
  names.length === 0 ? 'this file has none' : `this file has ${names.map(braced).join(' and ')}`

/** A placeholder in a template: two braces, a name, two braces. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/**
 * Returns a template with its placeholders replaced by values, in a single pass: a placeholder in a value stays as it
 * is.
 * @throws Error when the template has a placeholder without a value
 */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(PLACEHOLDER, (placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) throw new Error(`No value was given for ${placeholder}`)
    return value
  })
}

const BEFORE_PENDING = [
  HEADINGS.goal,
  HEADINGS.constraints,
  HEADINGS.progress,
  HEADINGS.done,
  HEADINGS.inProgress,
] as const
const AFTER_PENDING = [
  HEADINGS.blocked,
  HEADINGS.state,
  HEADINGS.decisions,
  HEADINGS.nextSteps,
  HEADINGS.context,
] as const
const SECTIONS = [...BEFORE_PENDING, ...AFTER_PENDING] as const

/** Returns the headings that a summary must have: those of its template that code knows. An operator may have replaced it. */
export function requiredSections(kind: SummaryKind, templates: Templates, isUpdate: boolean): string[] {
  const name = kind === 'history' ? (isUpdate ? 'update' : 'summary') : kind
  if (name === 'prompt') return []
  const lines = new Set(templates[name].split('\n').map((line) => line.trim()))
  return REQUIRED_SECTIONS[kind].filter((heading) => lines.has(heading))
}

/** Returns tasks with whether their answers must have sections: if their prompts are ours, and the templates have sections. */
export const withForm = (
  tasks: Segments<SummaryTask>,
  templates: Templates,
  { promptOverride = '' }: { promptOverride?: string | undefined },
): Segments<SummaryTask> =>
  mapSegments(tasks, (task) => {
    // The instructions of a request are not for the beginning of a turn.
    const isOurs = task.kind === 'turn-prefix' || promptOverride.trim() === ''
    return { ...task, asksForSections: isOurs && requiredSections(task.kind, templates, false).length > 0 }
  })

/**
 * The headings that a summary must have, in their order. A continuation prompt has none, and a client's own prompt
 * names its own. A test compares them with the headings in the prompt files.
 */
export const REQUIRED_SECTIONS = {
  history: SECTIONS,
  'turn-prefix': [HEADINGS.originalRequest, HEADINGS.earlyProgress, HEADINGS.contextForSuffix],
  continuation: [],
  branch: SECTIONS,
  handoff: [...BEFORE_PENDING, HEADINGS.pending, ...AFTER_PENDING],
  prompt: [],
} as const satisfies Record<SummaryKind, readonly string[]>
