import type { SessionWork, WorkItem } from '../extract/work-item.ts'
import { shorten } from '../text/shorten.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import type { SummarySource } from './task.ts'

/** The room of the states in a prompt: they point at facts of the transcript, and do not replace it. */
const MAX_TOKENS = 600
const MAX_TEXT_CHARACTERS = 140
const MAX_NOTE_CHARACTERS = 120

/** Returns what code knows of the work in a text. */
export const workStatesOf = (source: SummarySource): string =>
  source.form === 'messages' && source.work !== undefined ? writeWorkStates(source.work) : ''

/** Returns what code knows of the requests, tasks and steps of a text, newest first; empty where it knows nothing. */
export function writeWorkStates({ items }: SessionWork): string {
  const known = items.filter(({ state, text, kind }) => text !== '' && (kind !== 'request' || state !== 'answered'))
  const newest = known.filter(({ state }) => state !== 'unknown' && state !== 'answered').sort(byAge)
  const lines: string[] = []
  let left = MAX_TOKENS
  for (const item of newest) {
    const line = writeItem(item)
    left -= estimateTextTokens(`${line}\n`)
    if (left < 0) break
    lines.push(line)
  }
  return lines.join('\n')
}

const byAge = (a: WorkItem, b: WorkItem): number => ageOf(b) - ageOf(a)

const ageOf = ({ at, provenAt = -1 }: WorkItem): number => Math.max(at, provenAt)

const NAMES = {
  done: 'done',
  said: 'said to be done',
  replaced: 'replaced by the user',
  open: 'open',
  answered: 'answered',
  unknown: 'unknown',
} as const

const KINDS = { request: 'request', wish: 'wish', task: 'task', box: 'box', step: 'next step' } as const

function writeItem({ kind, text, state, source, id, entry, note }: WorkItem): string {
  const name = id === undefined ? KINDS[kind] : `${KINDS[kind]} #${id}`
  const facts = [
    source === undefined ? name : `${name} of ${source}`,
    ...(entry === undefined ? [] : [`entry ${entry}`]),
    ...(note === undefined ? [] : [shorten(note, MAX_NOTE_CHARACTERS)]),
  ]
  return `- ${NAMES[state]}: ${shorten(text, MAX_TEXT_CHARACTERS)} (${facts.join(', ')})`
}
