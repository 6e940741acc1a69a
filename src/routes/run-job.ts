import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { wrongParameter } from '../errors.ts'
import type { CollectedBody } from '../http/parse-bodies.ts'
import type { RequestBudget } from '../http/request-budget.ts'
import { parametersFor } from '../ingest/read-query.ts'
import type { ReceivedRequest } from '../jobs/job-runner.ts'
import type { PreparedContext, Reply } from '../jobs/protocol.ts'
import { runRequest, type JobBudget } from '../jobs/run-request.ts'
import { workContextOf, type Services } from '../jobs/services.ts'
import { chooseSummarizer, type Summarizer } from '../model/summarizer.ts'
import type { ReplyMetrics } from '../observe/metrics.ts'
import { FormatQuerySchema } from '../schemas/format.ts'
import { meantName } from '../text/near-name.ts'
import { isSession, type UseCase } from '../use-cases/use-case.ts'
import { USE_CASES } from '../use-cases/use-cases.ts'

/** Runs the job of a request. @throws Problem; `ClientDisconnected` */
export async function runJob(useCase: UseCase, running: RunningRequest, services: Services): Promise<Reply> {
  const { received, onHeld, summarizer } = receive(useCase, running, services)
  const step = await runRequest(received, { ...services, summarizer }, { ...running.budget, onHeld })
  onHeld(step.body.length)
  if (step.reported !== undefined) recordReport(running.request, step.reported)
  return step
}

/** Returns a request as its jobs read it, and a function for the bytes that it takes once a job has read its body. */
export function receive(
  useCase: UseCase,
  { request, budget }: RunningRequest,
  services: Services,
): { received: ReceivedRequest; onHeld: (bytes: number) => void; summarizer: Summarizer } {
  const parts = { headers: request.headers, query: request.query as Record<string, unknown> }
  refuseMisspelt(useCase.path, parts.query)
  const { candidate, query } = readCandidate(useCase, parts.query)
  const summarizer = chooseSummarizer(services.summarizer, candidate)
  const body = takeBody(request)
  const head = {
    hasBody: body !== undefined,
    isLines: body?.isLines === true,
    boundary: body?.boundary,
    query,
    wantsPlan: budget.onPlan !== undefined,
    startedAt: budget.startedAt,
    modes: useCase.readModes?.(parts) ?? {},
    path: useCase.path,
    requestId: request.id,
  }
  const chosen = { ...services, summarizer }
  const prepared = useCase.usesPrepared && { prepared: preparedFor(chosen, budget.caller) }
  const context = { ...workContextOf(chosen, Date.now()), ...prepared }
  const onHeld = (bytes: number): void => {
    // A job has read the body, which is not needed any more while the model works.
    body?.chunks.splice(0)
    request.memory.replace(bytes)
  }
  return { received: { head, chunks: body?.chunks ?? [], context, load: useCase.load }, onHeld, summarizer }
}

/** Returns under whom the prepared summaries of a request are. */
function preparedFor({ settings, summarizer, prompts, hooks }: Services, caller: string): PreparedContext {
  const candidates = summarizer.name === 'embedded' ? [] : summarizer.candidates
  // An update of the service may change some prompts.
  const owner = ['owner 2', caller, candidates, settings.model?.reasoningEffort, prompts.templates, hooks?.digest]
  return { owner: createHash('sha256').update(JSON.stringify(owner)).digest('base64url'), keys: [] }
}

/** Where `candidate` is not declared, it is a parameter that is not read, and the report says so. */
function readCandidate({ query: declared }: UseCase, { candidate, ...query }: Record<string, unknown>) {
  if (declared?.properties['candidate'] !== undefined || candidate === undefined) return { candidate, query }
  return { candidate: undefined, query: { ...query, candidate } }
}

export interface RunningRequest {
  request: FastifyRequest
  budget: RequestBudget & Pick<JobBudget, 'onPlan' | 'onProgress'>
}

/** The request does not keep its body: it is in memory only until a job has read it. */
function takeBody(request: FastifyRequest): CollectedBody | undefined {
  const body = request.body as CollectedBody | undefined
  request.body = undefined
  return body
}

/** Records the names and counts of a result's report, for the log line of its request and for the metrics. */
function recordReport(request: FastifyRequest, reported: ReplyMetrics): void {
  const { report, tokensBefore, tokensAfter, tokensOutside } = reported
  const { model, strategy, windows, calls, usage, degraded, redactions, checks, prepared } = report
  request.reported = reported
  Object.assign(request.facts, {
    model,
    strategy,
    windows,
    calls,
    ...usage,
    redactions,
    ...(degraded ? { degraded } : {}),
    ...(prepared === undefined ? {} : { prepared: prepared.use }),
    ...(checks === undefined ? {} : { repairs: checks.repaired }),
    ...(tokensBefore === undefined ? {} : { tokensBefore, tokensAfter, tokensOutside }),
  })
}

function parametersOf({ body, query }: UseCase): string[] {
  const ofSession = isSession(body) ? { ...body.forms.entries.properties, ...FormatQuerySchema.properties } : {}
  return parametersFor({ ...ofSession, ...query?.properties }).filter((name) => name !== 'entries')
}

const PARAMETERS = new Map(USE_CASES.map((useCase) => [useCase.path, parametersOf(useCase)]))

/** A client may send the same parameters to all routes: each of them ignores those of others. */
const OF_ANY_ROUTE = new Set([...PARAMETERS.values()].flat())

/** Refuses a query parameter whose name is nearly that of one that the use case has. @throws Problem that names it */
function refuseMisspelt(path: string, query: Readonly<Record<string, unknown>>): void {
  const known = PARAMETERS.get(path) ?? []
  for (const name of Object.keys(query)) {
    const meant = OF_ANY_ROUTE.has(name) ? undefined : meantName(name, known)
    if (meant !== undefined) throw wrongParameter(name, `is not known on this route; use \`${meant}\``)
  }
}
