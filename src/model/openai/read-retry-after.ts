/**
 * Reads how long a server asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as a date (RFC 9110, 10.2.3).
 * @returns milliseconds, at least 0; undefined where it does not say
 */
export function readRetryAfterMs(headers: Headers | undefined, nowMs: number): number | undefined {
  const ms = Number.parseFloat(headers?.get('retry-after-ms') ?? '')
  if (Number.isFinite(ms)) return Math.max(0, ms)
  const value = headers?.get('retry-after') ?? ''
  const seconds = /^\s*\d+(?:\.\d+)?\s*$/.test(value) ? Number(value) : NaN
  const waitMs = Number.isNaN(seconds) ? Date.parse(value) - nowMs : seconds * 1000
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}
