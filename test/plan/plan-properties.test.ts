import fc from 'fast-check'
import t from 'tap'
import { estimateMessageTokens } from '../../src/tokens/estimate-tokens.ts'
import { planCompaction, type CompactionPlan } from '../../src/plan/plan-compaction.ts'
import type { Entry } from '../../src/session/entry.ts'
import {
  assistant,
  bash,
  branchSummary,
  buildEntries,
  call,
  compaction,
  customMessage,
  customRole,
  excludedBash,
  label,
  modelChange,
  otherRole,
  reset,
  result,
  summaryRole,
  tokens,
  user,
} from '../support/build-entries.ts'
import { casesOf } from '../support/random-cases.ts'

/** Few ids, so that they come again, and results often stand without their call. */
const callId = fc.constantFrom('a', 'b', 'c')

const text = fc.oneof({ weight: 9, arbitrary: fc.nat(30) }, { weight: 1, arbitrary: fc.nat(400) }).map(tokens)

const usage = fc.record({ input: fc.nat(500), output: fc.nat(50), cacheRead: fc.nat(100), cacheWrite: fc.constant(0) })

const answer = fc
  .record({ text, calls: fc.array(callId, { maxLength: 3 }), usage: fc.option(usage, { nil: undefined, freq: 6 }) })
  .map(({ text, calls, usage }) =>
    assistant(
      text,
      calls.map((id) => call(id)),
      usage && { usage },
    ),
  )

const rare = fc.oneof(
  fc.constantFrom(modelChange(), label(), excludedBash(), reset(), otherRole(), customRole(), customMessage()),
  fc.constantFrom(summaryRole(), summaryRole('branchSummary'), branchSummary(), bash('ls', 'a')),
  fc
    .record({ firstKeptEntryId: fc.nat(60).map((index) => `e${index}`), isOpaque: fc.boolean() })
    .map((fields) => compaction(fields)),
)

const session = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: text.map((words) => user(words)) },
      { weight: 6, arbitrary: answer },
      { weight: 6, arbitrary: fc.tuple(callId, text).map(([id, words]) => result(id, words)) },
      { weight: 3, arbitrary: rare },
    ),
    { maxLength: 60, size: 'max' },
  )
  .map(buildEntries)

/** Checks what is true for every plan of every session. */
function forEveryPlan(check: (branch: Entry[], plan: CompactionPlan) => boolean): void {
  const property = fc.property(session, fc.nat(300), (branch, keepRecentTokens) =>
    check(branch, planCompaction(branch, { keepRecentTokens })),
  )
  fc.assert(property, { seed: 20_261_120, numRuns: casesOf(500) })
}

/** The rules once more, as simply as possible, to check a plan against. */
const isReadable = ({ compaction: fields }: Entry) => fields !== undefined && !fields.isOpaque
const resetOf = (branch: Entry[]) => branch.map(({ type }) => type).lastIndexOf('reset_boundary')
const sizeOf = (entries: readonly Entry[]) =>
  entries.reduce((sum, { message }) => sum + (message ? estimateMessageTokens(message) : 0), 0)

function startOf(branch: Entry[]): number {
  const playStart = resetOf(branch) + 1
  const previous = branch.map((entry, index) => isReadable(entry) && index >= playStart).lastIndexOf(true)
  if (previous < 0) return playStart
  const kept = branch.findIndex(({ id }) => id === branch[previous]!.compaction!.firstKeptEntryId)
  return playStart <= kept && kept < previous ? kept : previous + 1
}

/** The index of the call that a result answers: the nearest before it, in play, with its id. */
function callOf(branch: Entry[], at: number): number | undefined {
  const { message } = branch[at]!
  if (message?.role !== 'toolResult') return undefined
  for (let index = at - 1; index > resetOf(branch); index--) {
    const other = branch[index]!.message
    if (other?.role !== 'assistant') continue
    if (other.content.some((block) => block.type === 'toolCall' && block.id === message.toolCallId)) return index
  }
  return undefined
}

function isValidCut(branch: Entry[], cut: number): boolean {
  const role = branch[cut]?.message?.role
  if (role === undefined || role === 'toolResult' || role === 'other') return false
  return !branch.some((_, index) => index >= cut && (callOf(branch, index) ?? cut) < cut)
}

const validCuts = (branch: Entry[]) =>
  branch.flatMap((_, index) => (index >= startOf(branch) && isValidCut(branch, index) ? [index] : []))

const cutIndex = (branch: Entry[], { kept }: CompactionPlan) => branch.indexOf(kept[0]!)

t.test('no tool result is kept without its call', async () => {
  forEveryPlan((branch, { cut, kept }) =>
    kept.every((entry) => {
      const answered = callOf(branch, branch.indexOf(entry))
      return cut === null || answered === undefined || kept.includes(branch[answered] as (typeof kept)[number])
    }),
  )
})

t.test('rule 5: what is kept fits the budget, unless the newest group alone is larger', async () => {
  forEveryPlan((branch, { cut, kept, keep }) => {
    if (cut === null || sizeOf(kept) <= keep.budget) return true
    return branch.indexOf(kept[0]!) === validCuts(branch).at(-1)
  })
})

t.test('rule 5: one more group would not have fitted', async () => {
  forEveryPlan((branch, plan) => {
    const before = validCuts(branch).findLast((index) => index < cutIndex(branch, plan))
    return plan.cut === null || before === undefined || sizeOf(branch.slice(before)) > plan.keep.budget
  })
})

t.test('history, turn prefix and kept are what is considered, in its order', async () => {
  forEveryPlan((branch, { history, turnPrefix, kept, tokensKept }) => {
    const considered = branch.slice(startOf(branch)).filter(({ message }) => message !== undefined)
    const all = [...history, ...turnPrefix, ...kept]
    return (
      all.length === considered.length &&
      all.every((entry, index) => entry === considered[index]) &&
      tokensKept === sizeOf(kept)
    )
  })
})

t.test('rule 4: the cut is a valid cut point', async () => {
  forEveryPlan((branch, plan) => plan.cut === null || isValidCut(branch, cutIndex(branch, plan)))
})

t.test('rule 7: the first kept entry stands in the region, with no message between it and the cut', async () => {
  forEveryPlan((branch, plan) => {
    if (plan.cut === null) return true
    const first = branch.findIndex(({ id }) => id === plan.cut?.firstKeptEntryId)
    const metadata = branch.slice(first, cutIndex(branch, plan))
    return first >= startOf(branch) && metadata.every((entry) => entry.message === undefined && !isReadable(entry))
  })
})

t.test('rule 8: a turn prefix begins with a turn, and the cut begins none', async () => {
  const begins = ({ type, message }: Entry) =>
    message?.role === 'user' ||
    message?.role === 'bashExecution' ||
    type === 'custom_message' ||
    type === 'branch_summary'
  forEveryPlan((_, { cut, history, turnPrefix, kept }) => {
    if (cut === null) return turnPrefix.length === 0
    const isSplit = !begins(kept[0]!) && [...history, ...turnPrefix].some(begins)
    const beginnings = turnPrefix.filter(begins)
    return (
      cut.isSplitTurn === isSplit &&
      (isSplit
        ? beginnings.length === 1 && beginnings[0] === turnPrefix[0] && cut.turnStartEntryId === beginnings[0]?.id
        : turnPrefix.length === 0 && cut.turnStartEntryId === null)
    )
  })
})

t.test('there is nothing to compact only where no message stands before the cut that the rules choose', async () => {
  forEveryPlan((branch, { cut, keep }) => {
    const cuts = validCuts(branch)
    const at = cuts.find((index) => sizeOf(branch.slice(index)) <= keep.budget) ?? cuts.at(-1)
    const before = at === undefined ? [] : branch.slice(startOf(branch), at)
    return (cut === null) === before.every(({ message }) => message === undefined)
  })
})

t.test('each entry has one label, and the labels agree with the segments', async () => {
  forEveryPlan((branch, { regions, history, turnPrefix, kept, cut }) => {
    const labelled = (name: string) => branch.filter((_, index) => regions[index] === name)
    const same = (entries: readonly Entry[], others: readonly Entry[]) =>
      entries.length === others.length && entries.every((entry, index) => entry === others[index])
    const keptMessages = labelled('kept').filter(({ message }) => message !== undefined)
    const keptMetadata = labelled('kept').filter(({ message }) => message === undefined)
    return (
      regions.length === branch.length &&
      same(labelled('summarized'), history) &&
      same(labelled('turn-prefix'), turnPrefix) &&
      same(keptMessages, kept) &&
      keptMetadata.every(({ id }) => id === cut?.firstKeptEntryId) &&
      labelled('covered').every(
        (entry) => branch.indexOf(entry) < startOf(branch) && branch.indexOf(entry) > resetOf(branch),
      )
    )
  })
})
