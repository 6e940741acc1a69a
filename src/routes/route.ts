import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Settings } from '../settings.ts'
import type { Admission, OnRefused } from '../http/admission.ts'
import type { HookRunner } from '../jobs/hook-runner.ts'
import type { JobRunner } from '../jobs/job-runner.ts'
import type { Summarizer } from '../model/summarizer.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { ReplacedTemplates } from '../prompt/load-prompts.ts'
import type { Templates } from '../prompt/templates.ts'
import type { StartTimer } from '../runtime/abort.ts'
import type { SharedMemory } from '../runtime/redis.ts'

/** Creates the plugin of one route, or of a few that belong together. */
export type Route = (services: RouteServices) => FastifyPluginAsyncTypebox

/** Everything that the routes need. */
export interface RouteServices {
  summarizer: Summarizer
  templates: Templates
  /** Those that the operator has replaced. */
  replaced?: ReplacedTemplates | undefined
  jobs: JobRunner
  /** The operator's hooks, if there are any. */
  hooks?: HookRunner | undefined
  /** The cap: the upper limit of any summary, in tokens. */
  maxSummaryTokens: number
  /** The budget of a transcript, in tokens, for requests that set none. */
  transcriptTokens: number
  /** Whether secrets are replaced. */
  redact: boolean
  deadlineMs: number
  bodyLimitBytes: number
  /** The limits of `POST /v1/compress`. */
  compress: Settings['compress']
  /** How often a waiting JSON reply sends a space; 0: never. */
  heartbeatMs: number
  admission: Admission
  onRefused: OnRefused
  startTimer?: StartTimer | undefined
  metrics: Metrics
  page: PageOptions
  /** The Redis connection, if replicas share one. */
  shared?: SharedMemory | undefined
}

/** What the page at `/` has to know. */
export interface PageOptions {
  isOn: boolean
  tokensRequired: boolean
  /** The models that can be chosen, in order of preference; empty without a model server. */
  candidates: readonly string[]
}
