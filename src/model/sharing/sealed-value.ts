import { createHmac, timingSafeEqual } from 'node:crypto'

/** The characters of an HMAC with SHA-256 as base64url. */
const MAC_CHARACTERS = 43

/** Returns a value of a store with the HMAC of its key and its text before it. */
export const sealValue = (secret: string, key: string, text: string): string => macOf(secret, key, text) + text

/** Returns the text of such a value; undefined if another secret, or none, has sealed it, or if it was sealed for another key. */
export function openValue(secret: string, key: string, value: string): string | undefined {
  const text = value.slice(MAC_CHARACTERS)
  const [given, expected] = [value.slice(0, MAC_CHARACTERS), macOf(secret, key, text)].map((mac) => Buffer.from(mac))
  if (given === undefined || expected === undefined || given.length !== expected.length) return undefined
  return timingSafeEqual(given, expected) ? text : undefined
}

const macOf = (secret: string, key: string, text: string): string =>
  createHmac('sha256', secret).update(`${key}\n`).update(text).digest('base64url')
