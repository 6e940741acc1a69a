import { createHash } from 'node:crypto'

/** Returns the SHA-256 of a text, in hexadecimal digits. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Returns the first 32 of some hexadecimal digits in the form of a UUID of version 4 (RFC 9562, section 5.4). */
export const toUuid = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-')
