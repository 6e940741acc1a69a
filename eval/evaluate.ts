import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Environment } from '../src/environment.ts'
import { createAsk } from './ask-model.ts'
import { CallLog, openByHand } from './call-log.ts'
import { callByHand, callByHttp } from './call-model.ts'
import { answerProbes, judgeAnswers } from './examine.ts'
import { openLookUps, ReaderLookUps } from './look-ups.ts'
import type { EvalOptions, ModelOption } from './options.ts'
import { loadProbes, prepareProbes } from './prepare-probes.ts'
import { Relay, type Target } from './relay.ts'
import { writeHtml } from './report-html.ts'
import { summarizeResult, type EvalResult, type WrittenSummary } from './result.ts'
import { planCut } from './service.ts'
import { findCut, readSessionFile, type SessionCut, type SessionFile } from './session.ts'
import { planSummaries, type PlannedSummary } from './systems.ts'

/** What an evaluation needs from outside. */
export interface EvalContext {
  env: Environment
  /** Prints a line of progress. */
  print: (line: string) => void
  /** How often reply files of people are looked for; default: every second. */
  pollMs?: number
}

interface Run extends EvalContext {
  options: EvalOptions
  folder: string
  file: SessionFile
  cut: SessionCut
  relay: Relay
  targetOf: (model: ModelOption | undefined) => Target
}

/**
 * Evaluates summaries of one session at one cut: probes are written, each system writes its summaries, a reader answers
 * from each summary, and a judge grades the answers without names. All files are in the folder of the run.
 * @throws Error that names the fault and its remedy
 */
export async function evaluate(options: EvalOptions, context: EvalContext): Promise<EvalResult> {
  const { env, print } = context
  const file = readSessionFile(options.session, env['PRECIS_REDACT'] !== 'false', options.format)
  const cut = options.cut === undefined ? await planCut(file, env) : findCut(file, options.cut)
  const folder = options.out ?? join('precis-eval', basename(options.session).replace(/\.jsonl?$/, ''))
  mkdirSync(join(folder, 'summaries'), { recursive: true })
  print(`Session ${file.name}, ${file.branch.length} entries; the first entry that is not summarized: ${cut.id}`)
  const relay = new Relay()
  await relay.open()
  try {
    const targetOf = targets(options, folder, context)
    return await examine({ ...context, options, folder, file, cut, relay, targetOf })
  } finally {
    await relay.close()
  }
}

/** Returns the function that finds where the calls to a model go. */
function targets(options: EvalOptions, folder: string, { env, print, pollMs = 1000 }: EvalContext): Run['targetOf'] {
  const log = new CallLog(folder)
  const { byHand } = options
  const handLog = byHand === undefined ? undefined : openByHand(byHand)
  return (model) => {
    if (model !== undefined) {
      const name = `${model.url} ${model.model}`
      return { name, call: callByHttp(model.url, env['OPENAI_API_KEY']), log, isByHand: false }
    }
    if (byHand === undefined || handLog === undefined) throw new Error('--by-hand DIR is missing.')
    const call = callByHand({ folder: byHand, log: handLog, print, pollMs })
    return { name: 'by hand', call, log: handLog, isByHand: true }
  }
}

async function examine(run: Run): Promise<EvalResult> {
  const { options, file, cut, relay, targetOf, print } = run
  const { judge, seed, price } = options
  const planned = planSummaries(options, run)
  for (const { system, check } of planned) await check().catch(nameSystem(system))
  const given = options.probes === undefined ? undefined : loadProbes(options.probes)
  const { url } = relay.addLane(targetOf(judge), { repeats: false })
  const ask = createAsk({ baseUrl: url, model: judge?.model ?? 'by-hand' })
  const asking = prepareProbes(given, run, ask)
  const writing = planned.map((plan, index) => writeSummary(plan, index, run))
  const answering = writing.flatMap((written, index) =>
    readersOf(run).map(async (open) => {
      const [probes, summary] = await Promise.all([asking, written])
      const reader = open()
      const answers = await answerProbes({ summary: summary.text, lookUps: reader }, probes, ask)
      const by = reader === undefined ? '' : ` and ${reader.tally.calls} look-ups`
      print(`The reader has answered from summary ${index + 1} of ${planned.length}${by}`)
      return { summary: reader === undefined ? summary : withLookUps(summary, reader), answers }
    }),
  )
  const tasks = [asking, ...answering] as const
  const [probes, ...read] = await Promise.all(tasks).catch(async (error: unknown) => {
    print('The run has failed, and ends when the models have answered what they were asked')
    relay.dismissPeople()
    await Promise.allSettled([...tasks, ...writing])
    throw error
  })
  const answers = read.map((one) => one.answers)
  const graded = await judgeAnswers(answers, probes, { ask, seed })
  const head = { session: file.name, cut: cut.id, judge: judge?.model ?? 'by hand', seed }
  const summaries = read.map(({ summary }) => summary)
  return save(summarizeResult(head, { probes, summaries, answers, graded, price }), run)
}

/** Returns the readers of each summary: one that only reads it, and one that may look things up too, if that is wanted. */
function readersOf({ options: { lookUps }, file, cut, env }: Run): (() => ReaderLookUps | undefined)[] {
  const alone = () => undefined
  if (lookUps === undefined) return [alone]
  const answer = openLookUps(file, cut, env['PRECIS_REDACT'] !== 'false')
  return [alone, () => new ReaderLookUps(answer, lookUps)]
}

const withLookUps = (summary: WrittenSummary, { tally }: ReaderLookUps): WrittenSummary => ({
  ...summary,
  system: `${summary.system}, with look-ups`,
  lookUps: tally,
})

const nameSystem =
  (system: string) =>
  (cause: unknown): never => {
    throw new Error(`${system}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }

async function writeSummary(
  { system, write }: PlannedSummary,
  index: number,
  { folder, print }: Run,
): Promise<WrittenSummary> {
  const summary = await write().catch(nameSystem(system))
  writeFileSync(join(folder, 'summaries', `${index + 1}.md`), `${summary.text}\n`)
  print(`Summary ${index + 1} is written: ${system}, ${summary.tokens} tokens`)
  return summary
}

function save(result: EvalResult, { folder, print }: Run): EvalResult {
  writeFileSync(join(folder, 'result.json'), `${JSON.stringify(result, undefined, 2)}\n`)
  writeFileSync(join(folder, 'report.html'), writeHtml(result))
  print(`Result: ${join(folder, 'result.json')} and ${join(folder, 'report.html')}`)
  return result
}
