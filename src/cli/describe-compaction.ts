import type { CompactionReply, PlanEvent } from '../client/client.ts'
import { count, counted, describeKept, OUTSIDE, percent } from '../text/numbers.ts'
import { writeAge } from './table-cells.ts'

/** Returns what is about to be sent to the summarizer. */
export const describePlan = ({ promptTokens, windows }: PlanEvent): string =>
  `Summarizing ${counted(promptTokens, 'token')} in ${counted(windows, 'part')} ...`

/** Returns what a user must know of a compaction besides its summary, as sentences. */
export function sentencesAbout(reply: CompactionReply): string[] {
  const { keep } = reply.report
  return [
    `${describeSizes(reply)}${describeWriter(reply)}`,
    describeTotal(reply),
    describeMissing(reply),
    isNotWorthIt(reply)
      ? 'It is not worth it: the context would not become smaller, and --write would refuse it. (--keep TOKENS)'
      : undefined,
    warnOfKept(reply) ?? (keep && `Kept: ${describeKept(keep)}`),
  ].filter((line) => line !== undefined)
}

/** Returns a warning of a compaction that leaves nearly nothing of what was to stay: one large message is all that was in the way. */
export function warnOfKept({ report: { keep } }: CompactionReply): string | undefined {
  if (keep === undefined || keep.kept * keep.ratio * 4 >= keep.asked) return undefined
  return `Only ${counted(keep.kept, 'token')} of ${count(keep.asked)} stay word for word: the summary replaces the rest. ${keep.why} (--keep TOKENS)`
}

/** Returns whether a compaction would not make the context smaller. */
const isNotWorthIt = ({ tokensBefore, tokensAfter, tokensOutside = 0 }: CompactionReply): boolean =>
  tokensBefore !== undefined && tokensAfter !== undefined && tokensAfter >= tokensBefore - tokensOutside

function describeSizes(reply: CompactionReply): string {
  const { tokensBefore, tokensAfter, tokensOutside = 0 } = reply
  if (tokensBefore === undefined || tokensAfter === undefined) return ''
  const before = tokensBefore - tokensOutside
  const change = percent(Math.abs(before - tokensAfter), before)
  return `${count(before)} -> ${counted(tokensAfter, 'token')} in messages (${change} % ${tokensAfter > before ? 'more' : 'less'}). `
}

/**
 * Returns the whole context before and after, as the provider counts. Undefined if it has not counted any context of this session.
 */
export function describeTotal(reply: CompactionReply): string | undefined {
  const { tokensBefore = 0, tokensAfter, tokensOutside = 0, lastTokensOutside } = reply
  const outside = lastTokensOutside ?? tokensOutside
  if (tokensAfter === undefined || outside === 0) return undefined
  const before = tokensBefore - tokensOutside + outside
  const after = tokensAfter + (reply.tokensOutsideAfter ?? outside)
  const change = percent(Math.abs(before - after), before)
  const about = lastTokensOutside === undefined ? '' : 'about '
  return `In all, as the provider counts (${OUTSIDE}): ${about}${count(before)} -> about ${counted(after, 'token')} (${change} % ${after > before ? 'more' : 'less'}).`
}

/** Returns who has written a summary, in which time, and which prepared summary was used. */
export function describeWriter({ report: { model, durationMs, prepared } }: Pick<CompactionReply, 'report'>): string {
  const writer =
    model === 'caller' ? 'Edited by you' : `Written by ${model === 'embedded' ? 'the embedded summarizer' : model}`
  const seconds = `${(durationMs / 1000).toFixed(1)} s`
  if (prepared === undefined) return `${writer} in ${seconds}.`
  const age = writeAge(prepared.ageMs)
  const when = age === 'now' ? 'less than a minute ago' : `${age} ago`
  if (prepared.use === 'whole') return `${writer}, prepared ${when}: no model was called now (${seconds}).`
  return `${writer} in ${seconds}, from a summary that was prepared ${when}: the model has read only what came after it.`
}

/** Returns what a model has left out of its summary, also when it was asked for it; undefined if it has all sections. */
export function describeMissing({ report: { checks, model } }: Pick<CompactionReply, 'report'>): string | undefined {
  const { sections: { missing = [] } = {}, repaired = 0 } = checks ?? {}
  if (missing.length === 0 || repaired === 0) return undefined
  const names = missing.map((heading) => heading.replace(/^#+ /, '')).join(', ')
  return `${model} left out ${counted(missing.length, 'section')}, also when it was asked for them: ${names}. Read the summary before you use it.`
}
