import type { Services } from '../../jobs/services.ts'
import type { UseCaseHandler } from '../use-case.ts'
import { Compressor } from './compressor.ts'

/** Starts what answers `POST /v1/compress`: a compressor, which prepares summaries for later requests. */
export function openCompressor(services: Services): UseCaseHandler {
  const compressor = new Compressor(services)
  return {
    async answer({ received, budget, headers }) {
      const isBypassed = String(headers['x-headroom-bypass']).trim().toLowerCase() === 'true'
      const { reply, outcome, result } = await compressor.compress({ received, budget, isBypassed })
      const { tokensBefore, tokensAfter } = outcome
      services.metrics.compressed.inc({ result })
      return { body: reply, facts: { compressed: result, tokensBefore, tokensAfter } }
    },
  }
}
