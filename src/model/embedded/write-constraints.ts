import { demandsOfRequest, findLastingDemands, isDemandOf } from '../../extract/demands.ts'
import { isForRequest } from '../../extract/demand-notes.ts'
import { beginsWithError } from '../../extract/error-lines.ts'
import { withLaterWords } from '../../extract/later-on-demands.ts'
import { newestWordings } from '../../extract/newest-wordings.ts'
import { isProjectRule } from '../../extract/project-rules.ts'
import type { ParsedSummary } from '../../text/summary-parts.ts'
import { cutOffBefore } from './earlier-work.ts'
import type { SessionFacts } from './facts.ts'
import { bullets, merge, type Statement } from './ranked-lines.ts'

/** The newest demands stay, so that an extract stays readable. */
const MAX_CONSTRAINTS = 60

/**
 * Returns the demands of an earlier summary with the new ones, each once in its newest wording. A demand for one request ends with that
 * request; if the request was cut off, it stays while the request is open. Lines of errors are left out. All others stay: whoever wrote
 * that summary has judged that they last. Demands in the requests that it quotes stand only there.
 */
export function writeConstraints(
  { constraints, said, newestRequest, work: { rules = [], items } }: SessionFacts,
  previous: ParsedSummary | undefined,
): Statement[] {
  const { wholeRequest = '' } = previous ?? {}
  const cutOff = newestRequest === undefined ? [] : cutOffBefore(previous?.statements, items)
  const isOfCutOff = (text: string): boolean => cutOff.some((name) => isDemandOf(text, name))
  const stated = (previous?.statements.constraints ?? []).filter(
    (text) =>
      (newestRequest === undefined || !isForRequest(text) || isOfCutOff(text)) &&
      (rules.length === 0 || !isProjectRule(text)) &&
      !beginsWithError(text.replace(/^- /, '')),
  )
  const own = demandsOfRequest(wholeRequest).filter(isOfCutOff)
  const quoted = [...findLastingDemands(wholeRequest), ...own]
  const before = [...stated, ...quoted.map((text) => `- ${text}`)]
  const all = merge(before, bullets(constraints))
  // Short rules of one file differ in few words.
  const kept = new Set(newestWordings(all.flatMap(({ head }) => (isProjectRule(head) ? [] : [head]))))
  const standing = all.filter(({ head }) => kept.has(head) || isProjectRule(head)).slice(-MAX_CONSTRAINTS)
  const heads = withLaterWords(
    standing.map(({ head }) => head),
    said,
  )
  return [...bullets(rules), ...standing.map((one, index) => ({ ...one, head: heads[index] ?? one.head }))]
}
