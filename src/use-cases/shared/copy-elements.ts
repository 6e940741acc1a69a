import { isUtf8 } from 'node:buffer'
import { findElements } from '../../ingest/split-elements.ts'
import type { ByteRange } from '../../session/entry.ts'

/**
 * Returns a reply as JSON, whose list has elements that are JSON already: a parser would change their large numbers.
 * @param rest the other fields, at least one
 */
export const writeListReply = (name: string, elements: readonly Buffer[], rest: object): Buffer =>
  Buffer.concat([
    Buffer.from(beginList(name)),
    ...withCommas(elements),
    Buffer.from(`],${JSON.stringify(rest).slice(1)}`),
  ])

const beginList = (name: string): string => `{"${name}":[`

/** Returns the number of bytes before the first element of such a reply. */
export const bytesBeforeList = (name: string): number => Buffer.byteLength(beginList(name))

const COMMA = Buffer.from(',')

/** Returns elements of a list with the commas between them. */
export const withCommas = (elements: readonly Buffer[]): Buffer[] =>
  elements.flatMap((element, index) => (index === 0 ? [element] : [COMMA, element]))

/** Returns a part of a body as it came; bytes that are not UTF-8 become U+FFFD, because JSON is UTF-8 (RFC 8259, section 8.1). */
export function copyBytes(body: Buffer, { start, end }: ByteRange): Buffer {
  const bytes = body.subarray(start, end)
  return isUtf8(bytes) ? bytes : Buffer.from(bytes.toString())
}

interface Changed {
  /** The name of the list. */
  name: string
  /** The elements as they were read from the body, and as they are written; those that are the same object are copied. */
  original: readonly unknown[]
  values: readonly unknown[]
}

/** Returns the elements of a list as JSON: as they came, unless other values replace them. */
export const copyUnchanged = (body: Buffer, { name, original, values }: Changed): Buffer[] =>
  findElements(body, name).map((range, index) =>
    values[index] === original[index] ? copyBytes(body, range) : Buffer.from(JSON.stringify(values[index])),
  )
