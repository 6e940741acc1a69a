import type { Grade, GradedProbe, ProbeAnswer } from './examine.ts'
import { PROBE_KINDS, type Probe, type ProbeKind } from './probes.ts'
import type { LookUpTally } from './look-ups.ts'
import type { LaneTally } from './relay.ts'

/** One summary, and what it took to write it. */
export interface WrittenSummary {
  /** The name of the system. */
  system: string
  text: string
  tokens: number
  /** Undefined if a finished summary was read from a file. */
  work?: LaneTally
  /** What the reader has looked up; undefined if it may not. */
  lookUps?: LookUpTally
}

export type PointsByKind = Record<ProbeKind, number>

/** The figures of one system: means over its summaries. */
export interface SystemResult {
  name: string
  points: number
  /** The points of each summary. */
  pointsOfEach: number[]
  byKind: PointsByKind
  confidentErrors: number
  summaryTokens: number
  calls: number | null
  inputTokens: number | null
  outputTokens: number | null
  /** How often the reader has looked something up, and the tokens of the calls and their answers; null if it may not. */
  lookUps: number | null
  lookUpTokens: number | null
  /** Null if people answered, or nothing was called. */
  seconds: number | null
  price: number | null
}

interface AnswerResult extends ProbeAnswer {
  system: string
  grade: Grade
  letter: string
}

/** One probe with all answers. */
export interface ProbeResult extends Probe {
  answers: AnswerResult[]
  reason: string
}

/** The result of an evaluation, as in `result.json`. */
export interface EvalResult {
  session: string
  cut: string
  judge: string
  seed: string
  maxPoints: number
  maxByKind: PointsByKind
  systems: SystemResult[]
  probes: ProbeResult[]
}

export interface Examined {
  probes: readonly Probe[]
  summaries: readonly WrittenSummary[]
  /** The answers from each summary. */
  answers: readonly ReadonlyMap<string, ProbeAnswer>[]
  graded: readonly GradedProbe[]
  price: { input: number; output: number } | undefined
}

/** The most points that one answer gets. */
const FULL_POINTS = 2

/** Returns the figures of all systems, and all probes with their answers. */
export function summarizeResult(
  head: Pick<EvalResult, 'session' | 'cut' | 'judge' | 'seed'>,
  examined: Examined,
): EvalResult {
  const { probes, summaries } = examined
  const names = [...new Set(summaries.map(({ system }) => system))]
  return {
    ...head,
    maxPoints: FULL_POINTS * probes.length,
    maxByKind: byKind((kind) => FULL_POINTS * probes.filter((probe) => probe.kind === kind).length),
    systems: names.map((name) => resultOf(name, examined)),
    probes: probes.map((probe) => probeResult(probe, examined)),
  }
}

const byKind = (points: (kind: ProbeKind) => number): PointsByKind =>
  Object.fromEntries(PROBE_KINDS.map((kind) => [kind, points(kind)])) as PointsByKind

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const mean = (numbers: readonly number[]): number => Number((sum(numbers) / Math.max(1, numbers.length)).toFixed(2))

function resultOf(name: string, { probes, summaries, graded, price }: Examined): SystemResult {
  const own = [...summaries.keys()].filter((index) => summaries[index]?.system === name)
  const gradesOf = (index: number, kind?: ProbeKind): Grade[] =>
    probes.flatMap((probe, at) => (kind === undefined || probe.kind === kind ? (graded[at]?.grades[index] ?? 0) : []))
  const works = own.flatMap((index) => summaries[index]?.work ?? [])
  const ofWork = (field: (work: LaneTally) => number): number | null =>
    works.length === 0 ? null : mean(works.map(field))
  const lookUps = own.flatMap((index) => summaries[index]?.lookUps ?? [])
  const times = works.flatMap(({ ms, calls }) => (ms === undefined || calls === 0 ? [] : ms / 1000))
  const input = ofWork(({ inputTokens }) => inputTokens)
  const output = ofWork(({ outputTokens }) => outputTokens)
  return {
    name,
    points: mean(own.map((index) => sum(gradesOf(index)))),
    pointsOfEach: own.map((index) => sum(gradesOf(index))),
    byKind: byKind((kind) => mean(own.map((index) => sum(gradesOf(index, kind))))),
    confidentErrors: mean(own.map((index) => gradesOf(index).filter((grade) => grade === -1).length)),
    summaryTokens: Math.round(mean(own.map((index) => summaries[index]?.tokens ?? 0))),
    calls: ofWork(({ calls }) => calls),
    inputTokens: input === null ? null : Math.round(input),
    outputTokens: output === null ? null : Math.round(output),
    lookUps: lookUps.length === 0 ? null : mean(lookUps.map(({ calls }) => calls)),
    lookUpTokens: lookUps.length === 0 ? null : Math.round(mean(lookUps.map(({ tokens }) => tokens))),
    seconds: times.length === 0 ? null : mean(times),
    price: price === undefined || input === null || output === null ? null : priceOf({ input, output }, price),
  }
}

const MILLION = 1_000_000

const priceOf = (tokens: { input: number; output: number }, price: { input: number; output: number }): number =>
  Number(((tokens.input * price.input + tokens.output * price.output) / MILLION).toFixed(6))

function probeResult(probe: Probe, { probes, summaries, answers, graded }: Examined): ProbeResult {
  const grades = graded[probes.indexOf(probe)]
  return {
    ...probe,
    answers: summaries.map(({ system }, index) => ({
      system,
      ...(answers[index]?.get(probe.id) ?? { text: '', isGuess: false }),
      grade: grades?.grades[index] ?? 0,
      letter: grades?.letters[index] ?? '',
    })),
    reason: grades?.reason ?? '',
  }
}
