import { openModelServer, type ModelServer, type Reply } from '../../test/support/model-server.ts'
import { createRandom } from './create-random.ts'

/** A mark that identifies a client's request in any text made from it. */
export const MARK = /\bMARK-\d+-\d+\b/g

const FAILURES: readonly Reply[] = [
  { status: 500 },
  { status: 503, headers: { 'retry-after': '0.2' } },
  { status: 429, headers: { 'retry-after': '0.3' } },
  { drop: 'before' },
  { drop: 'in-body' },
  { hang: 'before' },
  { hang: 'in-body' },
  { text: '' },
  { status: 200, body: '<html>busy</html>' },
]
const FAILURE_SHARE = 0.1

/**
 * Opens a model server that takes 50 to 300 ms, and fails a tenth of the calls in different ways. Its summary repeats
 * every mark of its prompt, so that a mark of another client is detected.
 */
export function openSoakModel(seed: number): Promise<ModelServer> {
  const random = createRandom(seed)
  return openModelServer(({ body }) => {
    if (random.next() < FAILURE_SHARE) return random.pick(FAILURES)
    const marks = new Set(JSON.stringify(body['messages']).match(MARK))
    const text = `## Goal\nThe importer skips rows: ${[...marks].join(' ')}\n\n## Progress\n(none)`
    return { text, delayMs: random.integer(50, 300) }
  })
}
