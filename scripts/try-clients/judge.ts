import type { Contribution, TriedAgent } from './agents.ts'
import { detailOf, OWN_SUMMARY, SESSION_WORDS, type Seen, type SessionWord } from './script.ts'

type Check = (seen: Seen) => boolean

/** The first heading of a summary by Précis. */
const SUMMARY = /^#+ Goal$/m

const hasText = ({ after }: Seen, pattern: RegExp): boolean =>
  after.some(({ texts }) => texts.some((text) => pattern.test(text)))

/** How it shows that the model gets what Précis gives to it. */
const CONTRIBUTIONS: Readonly<Record<Contribution, { text: string; check: Check }>> = {
  beside: {
    text: 'the summary by Précis beside its own',
    check: (seen) =>
      seen.compactions.length > 0 && hasText(seen, /Summary of the conversation before the compaction[^]*?\n#+ Goal$/m),
  },
  instead: {
    text: 'the summary by Précis, and no other',
    check: (seen) => seen.compactions.length === 0 && hasText(seen, SUMMARY) && !hasText(seen, new RegExp(OWN_SUMMARY)),
  },
  prompt: {
    text: 'its own summary, for whose prompt it got the one by Précis',
    check: (seen) =>
      seen.compactions.some(({ texts }) => texts.some((text) => SUMMARY.test(text))) && hasText(seen, SUMMARY),
  },
  reminder: {
    text: 'its own summary, and how to look things up',
    check: (seen) => seen.compactions.length > 0 && hasText(seen, /A summary has replaced older messages/),
  },
  nothing: { text: 'not tried: without a terminal, its sessions end with one prompt', check: () => true },
}

/** Returns the cells of a table with what the sessions of an agent have shown. */
export function judge({ gets, withoutTools }: TriedAgent, all: ReadonlyMap<SessionWord, Seen>): string[] {
  const { text, check } = CONTRIBUTIONS[gets]
  const sessions = SESSION_WORDS.map((word) => ({ word, seen: all.get(word) }))
  const each = (is: (seen: Seen, word: SessionWord) => boolean): string[] =>
    sessions.filter(({ seen, word }) => seen === undefined || !is(seen, word)).map(({ word }) => word)
  const cell = (faults: string[], good: string): string => (faults.length === 0 ? good : `FAULT: ${faults.join(', ')}`)
  const asked = sessions.some(({ seen }) => (seen?.calls ?? 0) > 1)
  return [
    cell(
      each((seen) => check(seen) && (gets === 'nothing' || isCompacted(seen))),
      text,
    ),
    withoutTools ??
      cell(
        each((seen, word) => seen.answers.at(-1)?.includes(detailOf(word)) === true),
        'its answer',
      ),
    cell(
      each((seen) => seen.isDone),
      'yes',
    ),
    cell(
      each((seen) => seen.strangers.size === 0),
      `each its own${asked ? ', after asking back' : ''}`,
    ),
  ]
}

/** Of the 700 lines of the first answer, a summary may quote some. */
const MOST_QUOTED_LINES = 350

/** Whether the first answer is gone from the first request after the compaction. */
const isCompacted = ({ after: [first] }: Seen): boolean =>
  first !== undefined && (first.texts.join('\n').match(/Module 1\.\d{1,3} of/g) ?? []).length < MOST_QUOTED_LINES
