import type { CompactionReply, PlanEvent } from '../client/client.ts'
import { count, counted, describeKept, describeOutside, OUTSIDE, percent } from '../text/numbers.ts'
import { writeAge } from './write-age.ts'

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
    keep && `Kept: ${describeKept(keep)}`,
  ].filter((line) => line !== undefined)
}

/** Returns whether a compaction would not make the context smaller. */
const isNotWorthIt = ({ tokensBefore, tokensAfter, tokensOutside = 0 }: CompactionReply): boolean =>
  tokensBefore !== undefined && tokensAfter !== undefined && tokensAfter >= tokensBefore - tokensOutside

/** Returns the tokens before and after, and what the provider counts beyond them. */
function describeSizes(reply: CompactionReply): string {
  const { tokensBefore, tokensAfter, tokensOutside = 0, lastTokensOutside = tokensOutside } = reply
  if (tokensBefore === undefined || tokensAfter === undefined) return ''
  const before = tokensBefore - tokensOutside
  const change = percent(Math.abs(before - tokensAfter), before)
  const outside = lastTokensOutside > 0 ? `${describeOutside(lastTokensOutside)} (${OUTSIDE})` : ''
  return `${count(before)} -> ${counted(tokensAfter, 'token')} in messages (${change} % ${tokensAfter > before ? 'more' : 'less'})${outside}. `
}

/**
 * Returns the whole context before and after, as the provider counts: what is replaced has more of its tokens than of ours. Undefined
 * if no answer since the last compaction has usage.
 */
export function describeTotal(reply: CompactionReply): string | undefined {
  const { tokensBefore = 0, tokensAfter, tokensOutside = 0, report } = reply
  if (tokensAfter === undefined || tokensOutside === 0) return undefined
  const saved = (tokensBefore - tokensOutside - tokensAfter) * (report.keep?.ratio ?? 1)
  const after = Math.round(Math.max(tokensAfter, tokensBefore - saved))
  const change = percent(Math.abs(tokensBefore - after), tokensBefore)
  return `In all, as the provider counts: ${count(tokensBefore)} -> about ${counted(after, 'token')} (${change} % ${after > tokensBefore ? 'more' : 'less'}).`
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
