import { endOf, type Secret } from './rule.ts'

/** How often a text may be encoded: an address in an address in an address. */
const MAX_DEPTH = 3

const CODE = /%[0-9A-Fa-f]{2}/g

/** The sign of a variable of Windows, `%DB_PASSWORD%`, or of a format. */
const OTHER_PERCENT = /%(?![0-9A-Fa-f]{2})/

/** What encoded text has beside its codes: no blank, quote or bracket. */
const RUN = /[^\s"'`<>[\]\\]{1,10000}/y
const IN_RUN = /[^\s"'`<>[\]\\]/

/**
 * Returns the secrets of a text, and those that only its percent encoding hides (RFC 3986): `%22password%22%3A%22x%22`. Each
 * run of encoded text is decoded and searched once.
 * @param find finds the secrets of a text as it is
 */
export function findDecoded(text: string, find: (text: string) => Secret[], depth = 0): Secret[] {
  const secrets = find(text)
  if (depth === MAX_DEPTH) return secrets
  // A pattern would take several times as long to find the first sign.
  for (let at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at)) {
    const start = startOfRun(text, at)
    at = endOf(RUN, text, at)
    const run = text.slice(start, at)
    const found = OTHER_PERCENT.test(run) ? [] : findDecoded(decodePercent(run), find, depth + 1)
    if (found.length === 0) continue
    const offsets = offsetsOf(run)
    for (const one of found)
      secrets.push({ ...one, start: start + (offsets[one.start] ?? 0), end: start + (offsets[one.end] ?? run.length) })
  }
  return secrets
}

function startOfRun(text: string, at: number): number {
  let start = at
  while (start > 0 && IN_RUN.test(text.charAt(start - 1))) start -= 1
  return start
}

/** Returns a text without its percent encoding, each byte as one unit. In a form, a blank is `+`. */
export function decodePercent(run: string): string {
  const spaced = run.includes('BEGIN+') ? run.replaceAll('+', ' ') : run
  return spaced.replaceAll(CODE, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}

/** Returns where each unit of the decoded text stands in its run. */
function offsetsOf(run: string): Uint32Array {
  const offsets = new Uint32Array(run.length + 1)
  let unit = 0
  let at = 0
  for (const { index } of run.matchAll(CODE)) {
    while (at <= index) offsets[unit++] = at++
    at = index + 3
  }
  while (at <= run.length) offsets[unit++] = at++
  return offsets
}
