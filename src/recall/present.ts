import type { RecallPassage } from '../schemas/recall.ts'
import { defined } from '../text/defined.ts'
import { firstCharacters, splitsPair } from '../text/shorten.ts'
import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { olderPlaces, type Group } from './near-copies.ts'
import { endsWithOutcome, outcomeTextOf } from './outcome-excerpts.ts'
import type { Hit } from './rank.ts'
import type { Timeline } from './timeline.ts'

/** The room that the fields beside the text of a passage take. */
const FIELD_TOKENS = 40

interface Room {
  /** Those of the entries of the session. */
  ids: readonly string[]
  offset: number
  maxTokens: number
}

/** Returns the passages that fit, whole; a first one that does not fit is cut around what matches. */
export function fitRoom(
  groups: readonly Group[],
  { ids, offset, maxTokens }: Room,
): { groups: Group[]; nextOffset?: number } {
  const shown: Group[] = []
  let left = maxTokens
  for (const group of groups.slice(offset)) {
    const fitted = shown.length === 0 ? { ...group, hit: cutTo(group.hit, maxTokens - FIELD_TOKENS) } : group
    left -= tokensOf(fitted, ids)
    if (left < 0 && shown.length > 0) break
    shown.push(fitted)
  }
  const next = offset + shown.length
  return { groups: shown, ...(next < groups.length && { nextOffset: next }) }
}

/** An id and the name of a tool may be as long as a text, and are with each part of an output. */
function tokensOf(group: Group, ids: readonly string[]): number {
  const { lead, text, tool = '', places } = group.hit.passage
  const outcome = outcomeTextOf(group.hit.passage) ?? ''
  const fields = [tool, ...places.map((place) => ids[place] ?? ''), ...olderIds(group, ids)]
  const fieldTokens = fields.reduce((sum, field) => sum + estimateTextTokens(field), 0)
  const texts = [lead, text, outcome].reduce((sum, one) => sum + estimateTextTokens(one), 0)
  return texts + Math.max(FIELD_TOKENS, fieldTokens)
}

/** Returns a hit whose passage fits: what comes before the first match, but for a little, is cut first. */
function cutTo(hit: Hit, maxTokens: number): Hit {
  const { passage, matches } = hit
  const tokens = estimateTextTokens(passage.text)
  if (tokens <= maxTokens) return hit
  const room = Math.max(1, Math.floor((passage.text.length * maxTokens) / tokens))
  const leadLength = passage.lead === '' ? 0 : passage.lead.length + 1
  const places = [...matches.phrases.values(), ...[...matches.terms.values()].flatMap(({ at }) => at)].map(
    (at) => at - leadLength,
  )
  const first = Math.max(
    0,
    places.reduce((least, at) => Math.min(least, at), Infinity),
  )
  const wanted = Number.isFinite(first) ? Math.floor(first - room / 4) : 0
  const start = startOfWord(passage.text, Math.max(0, Math.min(wanted, passage.text.length - room)))
  const text = firstCharacters(passage.text.slice(start), room)
  return {
    ...hit,
    passage: {
      ...passage,
      text,
      before: passage.before + start,
      after: passage.after + passage.text.length - start - text.length,
    },
  }
}

/** Returns the beginning of a word at or after a place, if there is one near; never a place inside a surrogate pair. */
function startOfWord(text: string, at: number): number {
  if (at === 0) return 0
  const space = text.slice(at - 1, at + MAX_WORD_CHARACTERS).search(/\s/)
  if (space >= 0) return at + space
  return splitsPair(text, at) ? at + 1 : at
}

const MAX_WORD_CHARACTERS = 40

/** More older copies than a reader looks up. */
const MAX_COPIES = 20

/** Returns the ids of entries that say nearly the same. */
const olderIds = (group: Group, ids: readonly string[]): string[] =>
  olderPlaces(group)
    .slice(0, MAX_COPIES)
    .map((one) => ids[one] ?? '')

/** Returns passages as a reply has them. @param ids those of the entries of the session */
export function presentPassages(
  groups: readonly Group[],
  { ids, timeline }: { ids: readonly string[]; timeline: Timeline },
): RecallPassage[] {
  const shown = groups.map(({ hit }) => hit.passage)
  return groups.map((group, at) => {
    const outcome = endsWithOutcome(shown, at) ? outcomeTextOf(group.hit.passage) : undefined
    return { ...describePassage(group, ids, timeline), ...defined({ outcome }) }
  })
}

function describePassage(group: Group, ids: readonly string[], timeline: Timeline): RecallPassage {
  const { places, kinds, tool, lead, text, before, after, isSideChain } = group.hit.passage
  const [place = 0] = places
  const time = timeline.timeOf(place)
  const older = olderIds(group, ids)
  return defined({
    entryIds: places.map((one) => ids[one] ?? ''),
    kind: kinds[0],
    kinds: [...kinds],
    tool: tool === '' ? undefined : tool,
    time: time === undefined ? undefined : new Date(time).toISOString(),
    position: timeline.describe(place) + (isSideChain === true ? ', in a side chain' : ''),
    lead: lead === '' ? undefined : lead,
    text,
    cutBefore: before,
    cutAfter: after,
    copies: older.length === 0 ? undefined : older,
  })
}
