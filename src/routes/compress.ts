import { placeOf } from '../http/problems.ts'
import { sendJson } from '../http/stream-reply.ts'
import { Compressor } from '../use-cases/compress/compressor.ts'
import { CutStore } from '../model/sharing/cut-store.ts'
import { countReport } from '../observe/metrics.ts'
import { compress } from '../use-cases/compress/route.ts'
import { defineRoute, type Handler } from './define-route.ts'
import type { Route, RouteServices } from './route.ts'
import { receive } from './run-job.ts'
import type { FastifyBaseLogger } from 'fastify'

/** Answers `POST /v1/compress` with a compressor, which prepares summaries for later requests. */
export const compressRoute: Route = (services) => async (app) => {
  const compressor = createCompressor(services, app.log)
  services.metrics.preparing.watch(() => compressor.count())
  app.addHook('preClose', () => compressor.stop())
  const handler: Handler = async (request, reply) => {
    const { received, onHeld } = receive(compress, { request, budget: request.budget }, services)
    const isBypassed = String(request.headers['x-headroom-bypass']).trim().toLowerCase() === 'true'
    const {
      reply: answer,
      outcome,
      result,
    } = await compressor.compress({ received, budget: request.budget, isBypassed })
    onHeld(answer.body.length)
    const { tokensBefore, tokensAfter } = outcome
    Object.assign(request.facts, { compressed: result, tokensBefore, tokensAfter })
    services.metrics.compressed.inc({ result })
    return sendJson(reply, answer.body)
  }
  defineRoute(app, compress, { services, handler })
}

function createCompressor(services: RouteServices, log: FastifyBaseLogger): Compressor {
  const { metrics, shared, deadlineMs, bodyLimitBytes } = services
  const onError = (): void => {
    metrics.sharing.inc({ result: 'error' })
  }
  const store = new CutStore({ redis: shared?.client, onError, pendingMs: deadlineMs })
  metrics.cuts.watch(() => store.count())
  return new Compressor({
    ...services,
    ...services.compress,
    rules: [services.replaced?.digest, services.hooks?.digest]
      .map((digest) => (digest === undefined ? '' : ` ${digest}`))
      .join(''),
    store,
    maxHeldBytes: bodyLimitBytes,
    onPrepared: ({ outcome, ms, reported, problem, error }) => {
      metrics.prepared.inc({ outcome })
      if (reported !== undefined) countReport(metrics, compress.path, reported)
      const { model, calls, usage } = reported?.report ?? {}
      const level = error !== undefined ? 'error' : outcome === 'failed' || outcome === 'refused' ? 'warn' : 'info'
      const place = error === undefined ? {} : placeOf(error)
      log[level]({ outcome, ms, problem, model, calls, ...usage, ...place }, 'summary prepared')
    },
  })
}
