import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import { createYielder, type Yielder, runCooperatively, type Cooperative } from '../runtime/cooperative.ts'
import { hangUpSignal } from './request-budget.ts'

/** How long a piece is at least, but for the last one, in UTF-16 code units: each takes a turn of the socket. */
const PIECE_LENGTH = 65_536

const EMPTY = Buffer.alloc(0)

/**
 * Does work without a model, and sends as JSON what comes of it, which may be as large as the session that was asked about:
 * others get their turn meanwhile, and all of it ends with its client. The reply is written before its first byte goes out, so
 * that what cannot be written is told by a problem.
 * @throws what the work throws; RangeError where something is nested too deeply to be written; `ClientDisconnected`
 */
export async function sendLargeJson(
  reply: FastifyReply,
  work: (yieldIfDue: Yielder) => Promise<object>,
): Promise<FastifyReply> {
  const yieldIfDue = createYielder(hangUpSignal(reply))
  const pieces = await runCooperatively(stringifyCooperatively(await work(yieldIfDue)), yieldIfDue)
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0)
  return reply
    .headers({ 'content-type': 'application/json; charset=utf-8', 'content-length': bytes })
    .send(pieces.length === 1 ? pieces[0] : Readable.from(handOut(pieces)))
}

/** Writes what `JSON.stringify` would, each element of the lists in an object's fields in a step of its own. */
export function* stringifyCooperatively(value: object): Cooperative<Buffer[]> {
  const pieces: Buffer[] = []
  let text = ''
  for (const part of partsOf(value)) {
    text += part
    if (text.length >= PIECE_LENGTH) {
      pieces.push(Buffer.from(text))
      text = ''
    }
    yield
  }
  return [...pieces, Buffer.from(text)]
}

function* partsOf(value: object): Generator<string> {
  let before = '{'
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    if (Array.isArray(field)) yield* elementsOf(field)
    else yield JSON.stringify(field)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

function* elementsOf(list: readonly unknown[]): Generator<string> {
  let before = '['
  for (const element of list) {
    yield before + JSON.stringify(element)
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

/** What has been handed out is held no longer. */
function* handOut(pieces: Buffer[]): Generator<Buffer> {
  for (const [index, piece] of pieces.entries()) {
    pieces[index] = EMPTY
    yield piece
  }
}
