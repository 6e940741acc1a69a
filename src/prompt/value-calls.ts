import type { Message, ToolCallBlock } from '../session/message.ts'
import type { PairedMessages } from '../extract/runs.ts'
import { factsOf, listRuns, type RunFacts } from './call-facts.ts'
import type { PieceValue } from './transcript-piece.ts'

/** A tool call, or a command that the user ran, and what became of it. */
export interface ValuedCall {
  /** What its arguments are worth. */
  arguments: PieceValue
  /** What its output is worth. */
  output: PieceValue
  /** True if a newer output has the same text. */
  isDuplicate: boolean
}

/** The values of calls, by the object of the call, of its result, or of the user's command. */
export type CallValues = ReadonlyMap<ToolCallBlock | Message, ValuedCall>

/**
 * Finds out what the calls of a conversation are worth to somebody who continues it: which outputs and versions of files
 * were replaced by newer ones, which are plans, specifications, errors or files, and which have the same text as a newer
 * one.
 */
export function valueCalls(paired: PairedMessages): CallValues {
  const newer = new NewerRuns()
  const values = new Map<ToolCallBlock | Message, ValuedCall>()
  for (const shown of listRuns(paired).toReversed()) {
    const { run } = shown
    const valued = newer.value(factsOf(shown), run.result !== undefined)
    if (run.call !== undefined) values.set(run.call, valued)
    if (run.result !== undefined) values.set(run.result, valued)
  }
  return values
}

/** Shorter outputs cost no more than the note that would replace them. */
const MIN_REPLACED_CHARACTERS = 200

/** Of longer outputs the middle may have been left out when they were read, so that they only look equal. */
const MAX_COMPARED_CHARACTERS = 100_000

/** What the newer calls did; asked from the newest call to the oldest. */
class NewerRuns {
  readonly #requests = new Set<string>()
  readonly #wholeReads = new Set<string>()
  readonly #writes = new Set<string>()
  readonly #planTools = new Set<string>()
  readonly #outputs = new Set<string>()
  #hasResults = false

  value(facts: RunFacts, hasResult: boolean): ValuedCall {
    // The client stopped a call that newer ones follow, or its result was lost: then all results are.
    const isStopped = !hasResult && this.#hasResults
    this.#hasResults ||= hasResult
    const isSuperseded = isStopped || this.#hasNewer(facts)
    const isCompared = facts.output.length >= MIN_REPLACED_CHARACTERS && facts.output.length <= MAX_COMPARED_CHARACTERS
    const isDuplicate = isCompared && this.#outputs.has(facts.output)
    if (isCompared) this.#outputs.add(facts.output)
    if (!facts.hasFailed && !isStopped) this.#add(facts)
    // The arguments are a version of a file or of a list. Those of a command are what was run.
    const isVersion = facts.kind === 'change' || facts.planTool !== undefined
    return {
      arguments: !isSuperseded || !isVersion ? argumentValue(facts) : 'old-version',
      output: isSuperseded ? 'superseded' : outputValue(facts),
      isDuplicate,
    }
  }

  #hasNewer({ kind, path, request, planTool }: RunFacts): boolean {
    if (planTool !== undefined && this.#planTools.has(planTool)) return true
    if (kind === 'change') return path !== undefined && this.#writes.has(path)
    if (this.#requests.has(request)) return true
    return kind === 'read' && path !== undefined && (this.#writes.has(path) || this.#wholeReads.has(path))
  }

  #add({ kind, path, request, planTool, isWrite, isWhole }: RunFacts): void {
    if (planTool !== undefined) this.#planTools.add(planTool)
    if (kind === 'change') {
      if (path !== undefined && isWrite) this.#writes.add(path)
      return
    }
    this.#requests.add(request)
    if (kind === 'read' && path !== undefined && isWhole) this.#wholeReads.add(path)
  }
}

function argumentValue({ kind, isPlan, isCommand }: RunFacts): PieceValue {
  if (isPlan) return 'plan'
  if (kind === 'change') return 'file'
  return isCommand ? 'command' : 'argument'
}

function outputValue({ hasFailed, isInstructions, isDocument, isPlan, isReading, kind }: RunFacts): PieceValue {
  if (hasFailed) return 'error'
  if (kind === 'change') return 'receipt'
  if (isInstructions) return 'instructions'
  if (isDocument) return 'specification'
  if (isPlan) return 'plan'
  return isReading ? 'reading' : 'output'
}
