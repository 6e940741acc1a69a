/**
 * Reads how long a server asks to wait: `retry-after-ms`, or `Retry-After` in seconds or as a date (RFC 9110, 10.2.3).
 * @returns milliseconds, at least 0; undefined where it does not say
 */
export function readRetryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const ms = Number.parseFloat(headers.get('retry-after-ms') ?? '')
  if (Number.isFinite(ms)) return Math.max(0, ms)
  const value = headers.get('retry-after') ?? ''
  if (/^\d+(?:\.\d+)?$/.test(value)) return Number(value) * 1000
  // Date.parse makes a date of almost anything, `-5` included; the RFC's dates name the month.
  const atMs = /[a-z]{3}/i.test(value) ? Date.parse(value) : NaN
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}
