import type { SessionForPage } from '../../src/jobs/services.ts'
import type { HookRunner } from '../../src/jobs/hook-runner.ts'
import type { JobRunner } from '../../src/jobs/job-runner.ts'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { Writable } from 'node:stream'
import type { Test } from 'tap'
import { buildApp, type AppOptions } from '../../src/app.ts'
import { readSettings, type Settings } from '../../src/settings.ts'
import { defineMetrics, type Metrics } from '../../src/observe/metrics.ts'
import type { StartTimer } from '../../src/runtime/abort.ts'
import type { SharedMemory } from '../../src/runtime/redis.ts'
import type { Prompts } from '../../src/prompt/load-prompts.ts'
import type { Summarizer } from '../../src/model/summarizer.ts'
import { fakeSummarizer } from './fake-summarizer.ts'
import { noteAuthorization, noteContent, noteWritten } from './ledger.ts'
import { templates } from './templates.ts'

export { templates }

export interface StartOptions {
  summarizer?: Summarizer
  settings?: Partial<Settings>
  shared?: SharedMemory
  startTimer?: StartTimer
  metrics?: Metrics
  jobs?: JobRunner
  /** The hooks of the operator; closed with the app. */
  hooks?: HookRunner
  /** The prompts of the operator. */
  prompts?: Prompts
  sessionForPage?: SessionForPage
}

/** Builds the service with a fake summarizer, and closes it with the test. `log()` is all that it has logged. */
export async function startApp(
  t: Test,
  {
    summarizer = fakeSummarizer(),
    settings = {},
    shared,
    startTimer,
    metrics = defineMetrics(),
    jobs,
    hooks,
    prompts = { templates },
    sessionForPage,
  }: StartOptions = {},
) {
  const lines: string[] = []
  const logTo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      noteWritten(chunk.toString())
      done()
    },
  })
  const options: AppOptions = {
    settings: { ...readSettings({}), logLevel: 'trace', ...settings },
    summarizer,
    prompts,
    hooks,
    shared,
    sessionForPage,
    ...(startTimer && { startTimer }),
    metrics,
    // How busy the machine is decides no test.
    maxEventLoopDelayMs: Infinity,
    logTo,
    ...(jobs === undefined ? {} : { jobs }),
  }
  const app = await buildApp(options)
  t.teardown(() => app.close())
  watch(app)
  return { app, log: () => lines.join('') }
}

/** Notes what goes in and what comes out; on a socket only the log is. */
function watch(app: FastifyInstance): void {
  const inject = app.inject.bind(app) as (options: InjectOptions | string) => Promise<LightMyRequestResponse>
  const watched = async (options: InjectOptions | string): Promise<LightMyRequestResponse> => {
    if (typeof options !== 'string') {
      noteContent(options.payload)
      noteAuthorization(options.headers?.authorization)
    }
    const response = await inject(options)
    const type = String(response.headers['content-type'])
    // Metrics have the version of their format; a summary may be text too.
    if (/problem|text\/plain; version=/.test(type)) noteWritten(response.body)
    return response
  }
  Object.assign(app, { inject: watched })
}

/** The same on a real socket of 127.0.0.1. */
export async function listenApp(t: Test, options: StartOptions = {}) {
  const started = await startApp(t, options)
  const url = await started.app.listen({ host: '127.0.0.1', port: 0 })
  return { ...started, url }
}
