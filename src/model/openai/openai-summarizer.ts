import { Problem } from '../../errors.ts'
import { joinSummaries, withTranscript } from '../../prompt/chunk-prompt.ts'
import { splitHere, type Split } from '../../prompt/split-conversation.ts'
import type { SummaryTask } from '../../prompt/task.ts'
import { startTimer as startRealTimer, wait as realWait } from '../../runtime/abort.ts'
import { FairPlaces } from '../../runtime/fair-limit.ts'
import type { ModelSettings, Candidate } from '../../model-settings.ts'
import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import { UNOBSERVED, type ModelObserver } from '../observer.ts'
import { createMemoryStore, type ResultStore } from '../sharing/result-store.ts'
import { createSingleFlight, type CachedResult } from '../sharing/single-flight.ts'
import { type ModelSummarizer, emptyTally, type ModelDraft } from '../summarizer.ts'
import { ServerState, type CallContext, type ModelAnswer } from './call-context.ts'
import { createEndpoints, type EndpointSettings } from './endpoints.ts'
import { LearnedWindows } from './learned-facts.ts'
import { LearnedSupport } from './parameter-support.ts'
import { tryCandidates } from './try-candidates.ts'

export interface OpenAiOptions extends ModelSettings, EndpointSettings {
  /** The cap: the upper limit of any summary, in tokens. */
  maxSummaryTokens: number
  /** Who answers when every candidate has failed (`PRECIS_ON_FAILURE`); default: none. */
  onFailure?: ModelSummarizer['onFailure']
  onDegraded?: ModelSummarizer['onDegraded']
  /** Model calls at the same time, over all tasks (`PRECIS_MODEL_CONCURRENCY`). */
  concurrency: number
  /** Appended to the prompt after a reply that was too long. */
  brevityDemand: string
  /** The hash of the prompts that the operator has replaced. */
  promptsDigest?: string | undefined
  /** The cache of answers for equal tasks; without it, none are cached. */
  store?: ResultStore<CachedResult<ModelAnswer[]>>
  observer?: ModelObserver
  /** Replaces secrets in what models write; without it, none are replaced. */
  redact?: CallContext['redact']
  /** Splits transcripts that are longer than a window; default: in this process. */
  split?: Split
  fetch?: typeof fetch
  /** Time and randomness, which tests control. */
  wait?: CallContext['wait']
  startTimer?: CallContext['startTimer']
  random?: CallContext['random']
  now?: CallContext['now']
}

/** The parts that the calls of all tasks share. */
type SharedContext = Omit<CallContext, 'budget' | 'failed'>

/**
 * Creates the summarizer that calls an OpenAI-compatible chat-completions server: its candidates in order, each with
 * retries, until one has returned a checked summary.
 */
export function createOpenAiSummarizer(options: OpenAiOptions): ModelSummarizer {
  const { candidates, observer = UNOBSERVED, wait = realWait, random = Math.random, now = Date.now } = options
  const { startTimer = startRealTimer } = options
  const places = new FairPlaces(options.concurrency)
  const shared: SharedContext = {
    endpointOf: createEndpoints(options, options.fetch),
    maxSummaryTokens: options.maxSummaryTokens,
    brevityDemand: options.brevityDemand,
    support: new LearnedSupport(options.reasoningEffort, now),
    server: new ServerState(now),
    windows: new LearnedWindows(now),
    limit: (call, ticket) => places.run(call, ticket),
    partsAtOnce: options.concurrency,
    singleFlight: createSingleFlight({
      store: options.store ?? createMemoryStore({ entries: 0, ttlMs: 0 }),
      onLookup: observer.lookedUp,
    }),
    observer,
    cacheNamespace: cacheNamespaceOf(options),
    redact: options.redact ?? ((text) => ({ text, redactions: 0 })),
    split: options.split ?? splitHere,
    wait,
    startTimer,
    random,
    now,
  }
  return { ...summarizerOf(candidates, options, shared), only: (model) => onlyCandidate(model, options, shared) }
}

/** The answers of all candidates and those of one are cached apart: `shared` names what decides an answer. */
function onlyCandidate(model: string, options: OpenAiOptions, shared: SharedContext): ModelSummarizer | undefined {
  const candidates = options.candidates.filter((candidate) => candidate.model === model)
  const cacheNamespace = cacheNamespaceOf({ ...options, candidates })
  return candidates.length === 0 ? undefined : summarizerOf(candidates, options, { ...shared, cacheNamespace })
}

const summarizerOf = (
  candidates: readonly Candidate[],
  { onFailure = 'error', onDegraded }: OpenAiOptions,
  shared: SharedContext,
): ModelSummarizer => ({
  name: 'openai',
  onFailure,
  onDegraded,
  candidates: candidates.map(({ model }) => model),
  unreachable: () => shared.server.unreachable(),
  windowTokens: () => (candidates[0] === undefined ? 0 : shared.windows.of(candidates[0])),
  summarize: (task, budget) => {
    const { tally = emptyTally() } = budget
    return summarizeInChunks(task, candidates, {
      ...shared,
      budget: { ...budget, tally },
      failed: new AbortController(),
    })
  },
})

/** Returns what decides an answer besides its task: services with an equal namespace may share a store. */
const cacheNamespaceOf = ({
  baseUrl = '',
  candidates,
  reasoningEffort = '',
  maxSummaryTokens,
  redact,
  promptsDigest = '',
}: OpenAiOptions): string =>
  JSON.stringify([baseUrl, candidates, reasoningEffort, maxSummaryTokens, redact !== undefined, promptsDigest])

/**
 * Returns one summary. The chunks of a transcript that is larger than a window are summarized in parallel and merged by
 * one more call; when there are too many for that, neighbours are merged first, level by level.
 * @throws Problem, or the reason of the budget's signal, as `tryCandidates` does
 */
async function summarizeInChunks(
  task: SummaryTask,
  candidates: readonly Candidate[],
  context: CallContext,
): Promise<ModelDraft> {
  let answers = await tryCandidates(task, candidates, context)
  let { prompt, promptTokens } = task
  const chunks = answers.length
  while (answers.length > 1) {
    context.budget.onProgress?.({ done: chunks, total: chunks + 1, phase: 'merge' })
    const text = joinSummaries(await textsForMerge(answers, context))
    const merge = withTranscript(task, { text, tokens: estimateTextTokens(text), place: 'merge' })
    prompt = merge.prompt
    promptTokens = merge.promptTokens
    const merged = await tryCandidates(merge, candidates, context)
    if (merged.length >= answers.length)
      throw new Problem(
        'prompt-too-large',
        'The instructions and the previous summary leave too little of the context window for the conversation. ' +
          'Shorten them, or configure a model with a larger context window.',
      )
    answers = merged
  }
  const [answer] = answers
  if (answer === undefined) throw new Error('A task has at least one answer.')
  return { ...answer, ...context.budget.tally, chunks, lastPrompt: { prompt, promptTokens } }
}

/**
 * Returns the texts of answers without the secrets of the request. A model may have repeated one that is recognizable only
 * where it has its name, in another chunk.
 */
async function textsForMerge(answers: readonly ModelAnswer[], { budget }: CallContext): Promise<readonly string[]> {
  const written = answers.map(({ text }) => text)
  if (budget.redact === undefined) return written
  const { texts, redactions } = await budget.redact(written)
  budget.tally.redactions += redactions
  return texts
}
