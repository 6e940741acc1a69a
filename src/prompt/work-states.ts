import { isUnnamed } from '../extract/unnamed-wishes.ts'
import type { SessionWork, WorkCommit, WorkItem } from '../extract/work-item.ts'
import { inlineCode, shorten } from '../text/shorten.ts'
import { firstThatFit } from '../text/that-fit.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import type { SummarySource } from './task.ts'

/** The room of the states in a prompt: they point at facts of the transcript, and do not replace it. */
const MAX_TOKENS = 600
const MAX_TEXT_CHARACTERS = 140
const MAX_NOTE_CHARACTERS = 120

/** Returns what code knows of the work in a text. */
export const workStatesOf = (source: SummarySource): string =>
  source.form === 'messages' && source.work !== undefined ? writeWorkStates(source.work) : ''

/**
 * Returns what code knows of the requests, tasks and steps of a text, newest first; empty where it knows nothing. Before them
 * stands the request of the turn that follows, and what was committed and read in the turn that follows, if its beginning is summarized in a text of its own: the history does
 * not know it.
 */
export function writeWorkStates({
  items,
  following,
  laterCommits = [],
  laterReads = [],
  rules = [],
}: SessionWork): string {
  const newestRequest = items.findLast(({ kind }) => kind === 'request')
  const known = items.filter(
    (item) => item.text !== '' && (isKnown(item) || (item === newestRequest && hasStopped(item))),
  )
  const lines = [
    ...(following === undefined ? [] : [writeFollowing(following)]),
    ...laterCommits.map(writeLater).reverse(),
    ...writeReads(laterReads),
    ...known.sort((a, b) => ageOf(b) - ageOf(a)).map(writeItem),
  ]
  const shown = firstThatFit(lines, MAX_TOKENS, (line) => estimateTextTokens(`${line}\n`))
  // They have a room of their own.
  return [...shown, ...rules.map((rule) => `- to be followed: ${rule}`)].join('\n')
}

/**
 * Whether something shows the state: a list, a box, or the agent's or the user's words. That nothing shows that a request or a
 * step is done does not make it open: the model sees the transcript and judges better.
 */
function isKnown(item: WorkItem): boolean {
  const { kind, state, note } = item
  if (kind === 'task' || kind === 'box') return state !== 'unknown' || note !== undefined
  return state === 'done' || state === 'said' || state === 'replaced' || isUnnamed(item)
}

/** Whether a request was interrupted, failed or is contradicted. Of an older one, later turns may have done the work. */
const hasStopped = ({ state, note }: WorkItem): boolean => state === 'open' && note !== undefined

const writeFollowing = (request: string): string =>
  `- open: ${shorten(request, MAX_TEXT_CHARACTERS)} (newest request: it begins after this conversation, so nothing waits for the user)`

const writeLater = ({ subject, hash }: WorkCommit): string =>
  `- committed in the newest turn: ${shorten(subject, MAX_TEXT_CHARACTERS)} (${hash})`

/** As many of the newest are named. */
const MAX_READS = 12

const writeReads = (reads: readonly string[]): string[] =>
  reads.length === 0
    ? []
    : [
        `- read in the newest turn: ${reads
          .slice(-MAX_READS)
          .map((one) => inlineCode(shorten(one, MAX_READ_CHARACTERS)))
          .join(', ')}`,
      ]

const MAX_READ_CHARACTERS = 80

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

function writeItem({ kind, text, lead = '', state, source, id, entry, note, since = [] }: WorkItem): string {
  const name = id === undefined ? KINDS[kind] : `${KINDS[kind]} #${id}`
  const facts = [
    source === undefined ? name : `${name} of ${source}`,
    ...(entry === undefined ? [] : [`entry ${entry}`]),
    ...(note === undefined ? [] : [shorten(note, MAX_NOTE_CHARACTERS)]),
    ...since,
  ]
  const above = lead === '' ? '' : `"${lead}": `
  return `- ${NAMES[state]}: ${above}${shorten(text, MAX_TEXT_CHARACTERS)} (${facts.join(', ')})`
}
