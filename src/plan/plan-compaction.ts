import { collectFiles } from '../extract/collect-files.ts'
import { pairCalls, type ToolRuns } from '../extract/runs.ts'
import type { Entry, FileLists } from '../session/entry.ts'
import type { Message } from '../session/message.ts'
import { defined } from '../text/defined.ts'
import { chooseCut, cutBefore, findValidCutPoints, type Cut } from './choose-cut.ts'
import { measureContext, sumTokens, type ProviderCount, type TokensBetween } from './context-size.ts'
import { describeKeep, scaleKeepRecent, type Keep } from './keep-recent.ts'
import { findFileLists, findRegion, messagesWithoutList, type Region } from './region.ts'
import type { CompactionSettings } from './settings.ts'

export type MessageEntry = Entry & { message: Message }

/** A compaction of a session, as data. */
export interface CompactionPlan {
  /** Null where there is nothing to compact: then all considered messages are kept. */
  cut: { firstKeptEntryId: string; isSplitTurn: boolean; turnStartEntryId: string | null } | null
  /** The compaction before this one. */
  previousCompaction?: Entry
  /** Its summary without the file tags; left out where there is no summary, or only tags. */
  previousSummary?: string
  /** The messages to summarize; empty where the considered region begins with a split turn. */
  history: MessageEntry[]
  /** The beginning of the split turn, which gets a summary of its own; empty where no turn is split. */
  turnPrefix: MessageEntry[]
  kept: MessageEntry[]
  /** The runs of these messages. */
  runs: ToolRuns
  /** The files that the new summary names (planning rule 9). */
  files: FileLists
  /** The tokens of the context now (planning rule 10). */
  tokensBefore: number
  /** Those of them that are in no message: the system prompt and the tools, as far as a provider has counted them. */
  tokensOutside: number
  /** About how many there will be since the latest compaction; only if no usage is newer. */
  lastTokensOutside?: number
  /** The newest usage, also if a compaction is newer. */
  providerCount?: ProviderCount
  /** Those of them that are the summary of the compaction before this one. */
  previousSummaryTokens: number
  /** The estimated tokens of the kept messages. */
  tokensKept: number
  /** How many tokens were to be kept, how many are, and why (planning rules 5 and 6). */
  keep: Keep
  /** The region of each entry of the branch, in order. */
  regions: EntryRegion[]
}

const hasMessage = (entry: Entry): entry is MessageEntry => entry.message !== undefined

export const messagesOf = (...parts: readonly (readonly Pick<MessageEntry, 'message'>[])[]): Message[] =>
  parts.flat().map(({ message }) => message)

/**
 * Plans the compaction of a branch by the planning rules of docs/contract.md, without a call to a model.
 * @param branch the active branch, oldest entry first (planning rule 1)
 * @param cutAt the index of the first message to be kept, where a summary of those before it is there already
 */
export function planCompaction(branch: readonly Entry[], settings: CompactionSettings, cutAt?: number): CompactionPlan {
  const region = findRegion(branch)
  const tokens = sumTokens(region)
  const scaled = scaleKeepRecent(region, tokens, settings)
  const cut = cutAt === undefined ? chooseCut(region, tokens, scaled.budget) : cutBefore(region, cutAt)
  const keptFrom = cut?.at ?? region.start
  const size = measureContext(region, tokens)
  const tokensKept = tokens(keptFrom, branch.length)
  const messagesBetween = (from: number, to: number): MessageEntry[] => branch.slice(from, to).filter(hasMessage)
  const history = messagesBetween(region.start, cut?.turnStart ?? keptFrom)
  const turnPrefix = messagesBetween(cut?.turnStart ?? keptFrom, keptFrom)
  const kept = messagesBetween(keptFrom, branch.length)
  const messages = [...messagesWithoutList(region), ...messagesOf(history, turnPrefix)]
  // Without a cut, there is no summary.
  const runs = pairCalls(cut === undefined ? messages : [...messages, ...messagesOf(kept)])
  return {
    cut: nameCut(branch, cut),
    ...describePrevious(region),
    history,
    turnPrefix,
    kept,
    runs,
    files: collectFiles({ messages, runs }, findFileLists(region, keptFrom)),
    tokensBefore: size.total,
    tokensOutside: size.outside,
    ...defined({ lastTokensOutside: size.lastOutside, providerCount: size.providerCount }),
    previousSummaryTokens: size.previousSummary,
    tokensKept,
    keep: describeKeep(scaled, {
      all: tokens(region.start, branch.length),
      kept: tokensKept,
      summary: size.previousSummary,
      hasCut: cut !== undefined,
      nextKept: cut && keptWithNext(region, tokens, cut),
    }),
    regions: labelEntries(region, cut),
  }
}

/** Returns how many tokens would stay if the cut were before the next older message; undefined where nothing would be left to compact. */
function keptWithNext(region: Region, tokens: TokensBetween, { at }: Cut): number | undefined {
  const next = findValidCutPoints(region).findLast((point) => point < at)
  if (next === undefined || tokens(region.start, next) === 0) return undefined
  return tokens(next, region.branch.length)
}

function nameCut(branch: readonly Entry[], cut: Cut | undefined): CompactionPlan['cut'] {
  const firstKept = cut && branch[cut.firstKept]
  if (firstKept === undefined) return null
  const turnStart = cut?.turnStart === undefined ? undefined : branch[cut.turnStart]
  return {
    firstKeptEntryId: firstKept.id,
    isSplitTurn: turnStart !== undefined,
    turnStartEntryId: turnStart?.id ?? null,
  }
}

function describePrevious({ previous }: Region): Pick<CompactionPlan, 'previousCompaction' | 'previousSummary'> {
  if (previous === undefined) return {}
  const { entry, summary } = previous
  return { previousCompaction: entry, ...(summary === undefined ? {} : { previousSummary: summary }) }
}

/** The fate of an entry, in the words of `POST /compaction/plan`. */
type EntryRegion = 'summarized' | 'turn-prefix' | 'kept' | 'covered' | 'ignored'

/**
 * Returns the region of each entry of the branch, in order (openapi.yaml, `PlannedEntry`). An entry
 * without a message is ignored, unless the kept region begins with it.
 */
export function labelEntries({ branch, playStart, start }: Region, cut: Cut | undefined): EntryRegion[] {
  const keptFrom = cut?.at ?? start
  return branch.map(({ message }, index) => {
    if (index === cut?.firstKept) return 'kept'
    if (message === undefined || index < playStart) return 'ignored'
    if (index < start) return 'covered'
    if (index >= keptFrom) return 'kept'
    return index < (cut?.turnStart ?? keptFrom) ? 'summarized' : 'turn-prefix'
  })
}
