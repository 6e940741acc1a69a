import { Type } from '@sinclair/typebox'
import { placeOf } from '../http/problems.ts'
import { sendJson } from '../http/stream-reply.ts'
import { Compressor } from '../jobs/compress.ts'
import { CutStore } from '../model/sharing/cut-store.ts'
import { countReport } from '../observe/metrics.ts'
import { CompressReplySchema, CompressRequestSchema } from '../schemas/compress.ts'
import { Nullish } from '../schemas/typebox.ts'
import { compressProblemResponses } from './reply.ts'
import type { Route, RouteServices } from './route.ts'
import { receive } from './run-job.ts'
import type { FastifyBaseLogger } from 'fastify'

const URL = '/v1/compress'

/** `POST /v1/compress`: Headroom's contract, messages in and messages out. Gateways call it before each model request. */
export const compressRoute: Route = (services) => async (app) => {
  const compressor = createCompressor(services, app.log)
  services.metrics.preparing.watch(() => compressor.count())
  app.addHook('preClose', () => compressor.stop())
  app.post(URL, { schema: SCHEMA }, async (request, reply) => {
    const { received, onHeld } = receive('compress', { request, budget: request.budget }, services)
    const isBypassed = String(request.headers['x-headroom-bypass']).trim().toLowerCase() === 'true'
    const { step, result } = await compressor.compress({ received, budget: request.budget, isBypassed })
    onHeld(step.body.length)
    const { tokensBefore = 0, tokensAfter = 0 } = step.compressed ?? {}
    Object.assign(request.facts, { compressed: result, tokensBefore, tokensAfter })
    services.metrics.compressed.inc({ result })
    return sendJson(reply, step.body)
  })
}

const SCHEMA = {
  summary: 'Shorten the messages of a model request',
  description:
    'Below 80 % of the limit, the messages come back unchanged. Above the limit, a summary replaces the older ones. It is ' +
    'prepared in the background, so that no request waits for it. An equal beginning gets an equal summary.',
  tags: ['compaction'],
  security: [{ bearer: [] }, { headroomToken: [] }, { headroomProxyToken: [] }, {}],
  headers: Type.Object({
    'x-headroom-bypass': Nullish(Type.String({ description: '`true`: the messages come back unchanged.' })),
  }),
  body: CompressRequestSchema,
  response: { 200: CompressReplySchema, ...compressProblemResponses },
}

function createCompressor(services: RouteServices, log: FastifyBaseLogger): Compressor {
  const { metrics, shared, compress, deadlineMs, bodyLimitBytes } = services
  const onError = (): void => {
    metrics.sharing.inc({ result: 'error' })
  }
  const store = new CutStore({ redis: shared?.client, onError, pendingMs: deadlineMs })
  metrics.cuts.watch(() => store.count())
  return new Compressor({
    ...services,
    ...compress,
    rules: [services.replaced?.digest, services.hooks?.digest]
      .map((digest) => (digest === undefined ? '' : ` ${digest}`))
      .join(''),
    store,
    maxHeldBytes: bodyLimitBytes,
    onPrepared: ({ outcome, ms, reported, problem, error }) => {
      metrics.prepared.inc({ outcome })
      if (reported !== undefined) countReport(metrics, URL, reported)
      const { model, calls, usage } = reported?.report ?? {}
      const level = error !== undefined ? 'error' : outcome === 'failed' || outcome === 'refused' ? 'warn' : 'info'
      const place = error === undefined ? {} : placeOf(error)
      log[level]({ outcome, ms, problem, model, calls, ...usage, ...place }, 'summary prepared')
    },
  })
}
