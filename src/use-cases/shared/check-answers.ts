import type { Answers, FollowUp, WorkContext } from '../../jobs/protocol.ts'
import { writeExtract } from '../../model/embedded/write-extract.ts'
import { addTally, emptyTally, type Draft, type RedactedTexts, type Tally } from '../../model/summarizer.ts'
import { buildRepair } from '../../prompt/build-prompts.ts'
import type { Assignment } from '../../prompt/build-tasks.ts'
import type { Segments } from '../../prompt/task.ts'
import type { Templates } from '../../prompt/templates.ts'
import { resumeRedaction } from '../../redact/redaction.ts'
import { expectationsOf, type ExpectedSections, type Expectations } from '../../summary/checks/expectations.ts'
import { describeFaults } from '../../summary/checks/inspect-summary.ts'
import { keepsFacts } from '../../summary/checks/keeps-facts.ts'
import { repairByCode } from '../../summary/checks/repair-by-code.ts'
import { checkDraft, checkText, type CheckedDraft } from '../../summary/draft.ts'
import { HEADINGS } from '../../text/summary-headings.ts'
import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import type { Material } from './pipeline.ts'

type Checked = { drafts: Segments<CheckedDraft> } | { followUp: FollowUp; first: Answers }

interface Given {
  answers: Answers
  first?: Answers | undefined
}

/**
 * Checks the drafts of a material. Missing content and a text over its limit are repaired by one further
 * model call: at most one per request. Code repairs everything else: it adds empty sections, shortens what is still too
 * long, and marks unknown facts. `findings` lists the faults. They never fail the request.
 * @param given the answers; after a repair, also the first ones
 * @returns the drafts; or the demand for a repair, if there was none yet
 */
export function checkAnswers(
  material: Material,
  { answers, first }: Given,
  { templates, redact }: Pick<WorkContext, 'templates' | 'redact'>,
): Checked {
  const drafts: Segments<CheckedDraft> = {}
  const { drafts: written, mayRepair: mayAsk } = first ?? answers
  // A repair of one segment is the only one.
  let mayRepair = mayAsk
  for (const segment of ['history', 'turnPrefix'] as const) {
    const assignment = material.assignments[segment]
    if (assignment === undefined) continue
    const check = redactFirst(checkOf(assignment, material, templates), { material, redact })
    const draft = check.read(givenDraft(material) ?? draftOf(assignment, written[segment]))
    const faults = mayRepair && draft.model !== 'embedded' ? describeFaults(draft.findings, templates) : []
    if (faults.length > 0 && first === undefined) {
      const text = buildRepair({ draft: draft.text, faults, templates })
      return { followUp: { segment, text, tokens: estimateTextTokens(text) }, first: answers }
    }
    const second = answers.second?.segment === segment ? answers.second : undefined
    mayRepair &&= second === undefined
    drafts[segment] = check.finish(second === undefined ? draft : pickBetter(draft, second, { check, templates }))
  }
  return { drafts }
}

/** Returns the draft of a model, or an extract where there is none. */
function draftOf(assignment: Assignment, answer: Draft | 'degraded' | undefined): Draft {
  if (typeof answer === 'object') return answer
  const extract = { text: writeExtract(assignment), model: 'embedded', chunks: 1, ...emptyTally() }
  return answer === 'degraded' ? { ...extract, isDegraded: true } : extract
}

/** Returns the summary that the request or a hook brought as a draft. */
const givenDraft = ({ given, givenBy }: Material): Draft | undefined =>
  given === undefined ? undefined : { text: given, model: givenBy ?? 'caller', chunks: 0, ...emptyTally() }

interface Check {
  read: (draft: Draft) => CheckedDraft
  finish: (draft: CheckedDraft) => CheckedDraft
}

/**
 * Returns a check that sees no secret of the request: its findings quote the draft, and a repair sends it to the model. A
 * summary that the request or a hook brought keeps its text.
 */
function redactFirst(check: Check, { material, redact }: { material: Material; redact: boolean }): Check {
  const read = (draft: Draft): CheckedDraft => {
    const redaction = resumeRedaction(redact, { values: material.redaction.values, count: 0 })
    const text = redaction.text(draft.text)
    if (text === draft.text) return check.read(draft)
    if (material.given !== undefined) return { ...check.read({ ...draft, text }), text: draft.text }
    return check.read({ ...draft, text, redactions: draft.redactions + redaction.count() })
  }
  return { ...check, read }
}

/**
 * Returns texts that a model wrote, with the secrets replaced that rules have found elsewhere in the request: those that the
 * rules recognize have been replaced already.
 */
export function redactDrafts({ redaction: { values } }: Material, drafts: readonly string[]): RedactedTexts {
  const redaction = resumeRedaction(values.length > 0, { values, count: 0 })
  return { texts: drafts.map(redaction.text), redactions: redaction.count() }
}

/** Returns the expectations for a summary that is written from a material in our own form. */
export function ownExpectations(
  assignment: Assignment,
  { guidance, inputs, files }: Pick<Material, 'guidance' | 'inputs' | 'files'>,
  templates: Templates,
): Expectations {
  const { history = [], turnPrefix = [], kept = [], earlierRequest, previousSummary } = inputs ?? {}
  return expectationsOf(assignment, assignment.kind === 'turn-prefix' ? {} : guidance, {
    templates,
    messages: [...history, ...turnPrefix, ...kept],
    earlierRequest,
    files,
    previous: previousSummary,
  })
}

/** Returns how a draft is checked. The text of a client's own prompt is only compared with what that prompt asks for. */
function checkOf(assignment: Assignment, material: Material, templates: Templates): Check {
  const { asked, given } = material
  if (assignment.kind === 'prompt') {
    const sections = asked === undefined || asked.headings.length === 0 ? undefined : asked
    const expected = sections === undefined ? {} : { sections: { ...sections, needsModel: NEEDS_GOAL } }
    return { read: (draft) => checkText(draft, expected), finish: (draft) => draft }
  }
  const own = ownExpectations(assignment, material, templates)
  // The caller's own words stay as they are.
  if (given !== undefined) return { read: (draft) => checkText(draft, own), finish: (draft) => draft }
  if (asked === undefined) return checkBy(own, own)
  // Code adds nothing to a form that a client has chosen, and cuts nothing off.
  const { sections: _sections, size: _size, ...expected } = own
  return checkBy({ ...expected, sections: { ...asked, needsModel: NEEDS_GOAL } }, expected)
}

/** Of a form that is not ours, only the goal is certain to have something. */
const NEEDS_GOAL: NonNullable<ExpectedSections['needsModel']> = (isMissing) => isMissing([HEADINGS.goal])

const checkBy = (expected: Expectations, repaired: Expectations): Check => ({
  read: (draft) => checkDraft(draft, expected),
  finish: (draft) => ({ ...draft, ...repairByCode(draft, repaired) }),
})

/**
 * The first draft stays if the second one has as many faults, has lost facts, or did not arrive. The repair's call is counted
 * in either case.
 */
function pickBetter(
  first: CheckedDraft,
  { draft, tally }: NonNullable<Answers['second']>,
  { check, templates }: { check: Check; templates: Templates },
): CheckedDraft {
  const second = draft === undefined ? undefined : check.read(draft)
  const faultsOf = ({ findings }: CheckedDraft): number => describeFaults(findings, templates).length
  const isBetter = second !== undefined && faultsOf(second) < faultsOf(first) && keepsFacts(first, second)
  const best = isBetter ? second : first
  const { calls, usage, redactions } = first
  const total: Tally = { calls, usage: { ...usage }, redactions }
  addTally(total, tally)
  // The secrets that the check replaced.
  if (second !== undefined) total.redactions += second.redactions - (draft?.redactions ?? 0)
  // An equal repair may be cached.
  return { ...best, ...total, chunks: first.chunks, repairs: Math.min(1, tally.calls) }
}
