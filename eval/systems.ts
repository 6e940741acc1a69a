import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Environment } from '../src/environment.ts'
import { estimateTextTokens } from '../src/tokens/estimate-tokens.ts'
import { compactByBaseline } from './baseline.ts'
import type { EvalOptions, SystemOption } from './options.ts'
import type { Lane, Relay, Target } from './relay.ts'
import type { WrittenSummary } from './result.ts'
import { AGENT_PACKAGES, installPackages } from './install-packages.ts'
import { checkCut, compactUpTo } from './service.ts'
import type { SessionCut, SessionFile } from './session.ts'

/** What a summary is made of. */
export interface WritingContext {
  file: SessionFile
  cut: SessionCut
  relay: Relay
  /** Returns where the calls to a model go; without one, to the people. */
  targetOf: (model: { url: string; model: string } | undefined) => Target
  env: Environment
  print: (line: string) => void
}

/** One summary that is still to be written. */
export interface PlannedSummary {
  system: string
  /** Finds faults that need no model: before the first prompt is written. @throws Error */
  check: () => Promise<void>
  write: () => Promise<WrittenSummary>
}

/** Returns the summaries of all systems, in the order of the options. */
export function planSummaries(options: EvalOptions, context: WritingContext): PlannedSummary[] {
  return options.systems.flatMap((system): PlannedSummary[] => {
    switch (system.kind) {
      case 'embedded':
        return [planEmbedded(context)]
      case 'file':
        return [planFile(system.path)]
      case 'baseline':
        return samples(options).map((sample) => planBaseline(system, { sample, options, context }))
      default:
        return budgets(options).flatMap((budget) =>
          samples(options).map((sample) => planModel(system, { sample, budget, context })),
        )
    }
  })
}

const samples = ({ writers }: EvalOptions): number[] => Array.from({ length: writers }, (_, sample) => sample)

const budgets = ({ transcriptTokens }: EvalOptions): (number | undefined)[] =>
  transcriptTokens.length === 0 ? [undefined] : transcriptTokens

const measured = (system: string, text: string): WrittenSummary => ({ system, text, tokens: estimateTextTokens(text) })

const NO_CALLS = { calls: 0, inputTokens: 0, outputTokens: 0, ms: 0 }

function planEmbedded({ file, cut, env }: WritingContext): PlannedSummary {
  const system = 'Précis, embedded'
  const request = { cut, env, settings: {} }
  const write = async (): Promise<WrittenSummary> => {
    const { summary } = await compactUpTo(file, request)
    return { ...measured(system, summary), work: NO_CALLS }
  }
  return { system, check: () => checkCut(file, request), write }
}

function planFile(path: string): PlannedSummary {
  const system = basename(path)
  const write = async (): Promise<WrittenSummary> => {
    const text = readText(path).trim()
    if (text === '') throw new Error(`The summary ${path} is empty.`)
    return measured(system, text)
  }
  const check = async (): Promise<void> => {
    await write()
  }
  return { system, check, write }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(
      `The summary ${path} cannot be opened (${String(code)}). --summarizer is embedded, by-hand, URL,MODEL or a file.`,
      { cause },
    )
  }
}

type ModelSystem = Extract<SystemOption, { kind: 'model' | 'by-hand' }>

interface ModelRun {
  sample: number
  budget: number | undefined
  context: WritingContext
}

function planModel(option: ModelSystem, { sample, budget, context }: ModelRun): PlannedSummary {
  const { file, cut, relay, targetOf, env } = context
  const model = option.kind === 'model' ? option : undefined
  const system = `Précis, ${model?.model ?? 'by hand'}${budget === undefined ? '' : `, ${budget} tokens`}`
  const settings: Record<string, number> = budget === undefined ? {} : { transcriptTokens: budget }
  const request = { cut, env, settings }
  const write = async (): Promise<WrittenSummary> => {
    const lane = relay.addLane(targetOf(model), { sample, repeats: true })
    const service = { baseUrl: lane.url, name: nameOf(model) }
    const { summary } = await compactUpTo(file, { ...request, model: service })
    return { ...measured(system, summary), work: lane.tally }
  }
  return { system, check: () => checkCut(file, request), write }
}

/** The context window that a baseline gets as a setting, in tokens. */
const DEFAULT_WINDOW = 200_000

type BaselineSystem = Extract<SystemOption, { kind: 'baseline' }>

interface BaselineRun {
  sample: number
  options: EvalOptions
  context: WritingContext
}

function planBaseline({ baseline }: BaselineSystem, { sample, options, context }: BaselineRun): PlannedSummary {
  const { file, cut, relay, targetOf, env, print } = context
  const model = options.systems.find((one) => one.kind === 'model')
  const write = async (): Promise<WrittenSummary> => {
    const lane: Lane = relay.addLane(targetOf(model), { sample, repeats: true })
    const server = { url: lane.url, model: nameOf(model) }
    const redact = env['PRECIS_REDACT'] !== 'false'
    const contextWindow = Number.parseInt(env['PRECIS_CONTEXT_WINDOW'] ?? '') || DEFAULT_WINDOW
    const summary = await compactByBaseline(baseline, { file, cut, server, contextWindow, redact, print })
    return { ...measured(baseline, summary), work: lane.tally }
  }
  const check = async (): Promise<void> => {
    installPackages(AGENT_PACKAGES[baseline], print)
  }
  return { system: baseline, check, write }
}

/** People get the same name for all systems: it is part of what identifies a call. */
const nameOf = (model: { model: string } | undefined): string => model?.model ?? 'by-hand'
