import { oneLine, shorten } from '../text/shorten.ts'
import { outputOf, simpleCommandsOf, type ToolRun } from './runs.ts'
import type { SimpleCommand } from './shell.ts'
import { hasSucceeded, readTaskStatus, type TaskChange, type TaskMention } from './task-calls.ts'
import { MAX_ITEM_CHARACTERS } from './work-item.ts'

/** Programs that keep issues, and the word between the program and its verb. */
const TRACKERS: Readonly<Record<string, string>> = { bd: '', br: '', gh: 'issue', glab: 'issue', tea: 'issues' }

const MAX_OUTPUT_CHARACTERS = 4000

/** The id of an issue: a number, or a word with one or with a hyphen. */
const ID = /^#?(?=[\w.-]*[\d-])\w[\w.-]{0,39}$/

/** The first line of an issue: `○ app-4te.1 · Add a parser   [● P1 · OPEN]` (bd), `title:	Add a parser` (gh). */
const SHOWN = /^\W{0,6}(#?\w[\w.-]{0,39})(?: \[[A-Z]{1,20}\])? · (\S.{0,300})$/m
const SHOWN_TITLE = /^title:\s{1,8}(\S.{0,300})$/m

/** An issue below the one that is shown: `  ↳ ○ app-4te.4: Trace the jobs ● P1` (bd). The sign is its state. */
const CHILD = /^\s{0,8}↳ (\S{1,2}) (#?\w[\w.-]{0,39}): (\S.{0,300}?)(?: ● P\d.{0,40})?$/gm
const SIGNS: Readonly<Record<string, string>> = { '○': 'open', '◐': 'in_progress', '●': 'blocked', '✓': 'closed' }

/** Returns what commands of a run do to the issues of a tracker. Only a command that succeeded says something. */
export function readTrackerChanges(run: ToolRun): TaskChange[] {
  const { command } = run
  if (command === undefined || !/\b(?:bd|br|gh|glab|tea)\s/.test(command) || !hasSucceeded(run)) return []
  return simpleCommandsOf(run).flatMap((part) => {
    const tasks = readVerb(part, outputOf(run))
    return tasks.length === 0 ? [] : [{ list: part.program, isWhole: false, tasks }]
  })
}

/** The verbs that change an issue. */
const CHANGING_VERBS = new Set(['close', 'done', 'reopen', 'update', 'create', 'edit', 'comment'])

/** Whether a simple command changes an issue of a tracker. */
export function changesTracker({ program, words }: SimpleCommand): boolean {
  const between = TRACKERS[program]
  if (between === undefined) return false
  return between === ''
    ? CHANGING_VERBS.has(words[1] ?? '')
    : words[1] === between && CHANGING_VERBS.has(words[2] ?? '')
}

function readVerb({ program, words }: SimpleCommand, output: string): TaskMention[] {
  const between = TRACKERS[program]
  if (between === undefined || (between !== '' && words[1] !== between)) return []
  const [verb = '', ...rest] = words.slice(between === '' ? 1 : 2)
  const ids = idsAmong(rest)
  switch (verb) {
    case 'close':
    case 'done':
      return ids.map((id) => ({ id, ...reasonOf(rest), status: 'done', word: 'closed' }))
    case 'reopen':
      return ids.map((id) => ({ id, status: 'open', word: 'open' }))
    case 'update':
      return ids.flatMap((id) => {
        const status = readTaskStatus(optionOf(rest, 'status'))
        return status.status === undefined ? [] : [{ id, ...status }]
      })
    case 'show':
    case 'view':
      return ids.length === 1 ? [...readShown(ids[0] ?? '', output), ...readChildren(ids[0] ?? '', output)] : []
    default:
      return []
  }
}

/** Returns the words that name issues: those before the first option. */
function idsAmong(words: readonly string[]): string[] {
  const end = words.findIndex((word) => word.startsWith('-'))
  return words
    .slice(0, end < 0 ? undefined : end)
    .filter((word) => ID.test(word))
    .map((word) => word.replace(/^#/, ''))
}

function optionOf(words: readonly string[], name: string): string | undefined {
  const at = words.findIndex((word) => word === `--${name}` || word.startsWith(`--${name}=`))
  const word = words[at]
  return word === `--${name}` ? words[at + 1] : word?.slice(name.length + 3)
}

/** Returns the reason for which an issue is closed: it says what the issue was, where its title is not known. */
function reasonOf(words: readonly string[]): Pick<TaskMention, 'text'> {
  const reason = oneLine(optionOf(words, 'reason') ?? '')
  return reason === '' ? {} : { text: shorten(reason, MAX_ITEM_CHARACTERS) }
}

/** Returns why a command closes an issue, in the words of whoever runs it; undefined if it closes none, or says nothing. */
export function closingReason(run: ToolRun): string | undefined {
  for (const { program, words } of simpleCommandsOf(run)) {
    const between = TRACKERS[program]
    if (between === undefined) continue
    const verb = words[between === '' ? 1 : 2] ?? ''
    if (verb !== 'close' && verb !== 'done') continue
    const reason = oneLine(optionOf(words, 'reason') ?? optionOf(words, 'comment') ?? '')
    if (reason !== '') return reason
  }
  return undefined
}

/** Returns the title of an issue. To look at one says nothing of its state. */
function readShown(id: string, output: string): TaskMention[] {
  const head = output.slice(0, MAX_OUTPUT_CHARACTERS)
  const [, shown, title] = SHOWN.exec(head) ?? []
  const [, named] = SHOWN_TITLE.exec(head) ?? []
  const text = shown === id ? title?.replace(/ {2,9}\[[^\]]{0,60}\]$/, '') : named
  return text === undefined ? [] : [{ id, text: shorten(oneLine(text), MAX_ITEM_CHARACTERS) }]
}

/** Returns the issues that the one shown is made of, with their states. They are a plan once the agent works on one of them. */
const readChildren = (parent: string, output: string): TaskMention[] =>
  Array.from(output.matchAll(CHILD), ([, sign = '', id = '', title = '']) => {
    const word = SIGNS[sign] ?? 'open'
    return { id, parent, text: shorten(oneLine(title), MAX_ITEM_CHARACTERS), ...readTaskStatus(word), word }
  })
