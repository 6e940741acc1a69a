import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import { createYielder, type Yielder, runCooperatively, type Cooperative } from '../runtime/cooperative.ts'
import { hangUpSignal } from './request-budget.ts'

/** The minimum length of a piece except the last one, in UTF-16 code units. */
const PIECE_LENGTH = 65_536

const EMPTY = Buffer.alloc(0)

/**
 * Sends the result of work without a model as JSON, which may be as large as the session in the request. It yields to the
 * event loop meanwhile, and ends when the client disconnects. The whole reply is serialized before its first byte is sent, so
 * that an error in between becomes a problem.
 * @throws what the work throws; RangeError if a value is nested too deeply to serialize; `ClientDisconnected`
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
    .send(pieces.length === 1 ? pieces[0] : Readable.from(drain(pieces)))
}

/** Returns what `JSON.stringify` would, and yields after each element of the lists in an object's fields. */
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

/** Yields the pieces, and drops each one so that its memory can be freed. */
function* drain(pieces: Buffer[]): Generator<Buffer> {
  for (const [index, piece] of pieces.entries()) {
    pieces[index] = EMPTY
    yield piece
  }
}
