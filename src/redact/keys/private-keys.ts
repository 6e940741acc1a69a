import { DUMP_RULES } from './key-dumps.ts'
import { BASE64, BEGIN, END, endOfKey, isKeyText } from './key-lines.ts'
import type { Rule, Secret } from '../rule.ts'
import { decodeBase64, endAt, endOf, endOfRun } from '../scan.ts'
import { isRandom } from '../values/secret-values.ts'

const secretOf = (start: number, end: number | undefined): Secret[] =>
  end === undefined ? [] : [{ start, end, kind: 'private-key' }]

/**
 * The keys between labels, cut ones too. Only text of a key belongs to it, so that a mention of the label deletes
 * nothing.
 */
const PEM_RULE: Rule = {
  hints: ['-----BEGIN '],
  isAnyCase: false,
  find(text, at) {
    const start = endAt(BEGIN, text, at)
    return start === undefined ? [] : secretOf(at, endOfKey(text, start))
  },
}

/** How far before a closing label the lines of a key are searched whose beginning was cut off. */
const TAIL_CHARACTERS = 8_000

/** How far from each other, and from the label, two lines of a key are at most. */
const GAP_CHARACTERS = 120

/** The end of a key whose first label was cut off, as `tail` prints it. */
const PEM_END_RULE: Rule = {
  hints: ['-----END '],
  isAnyCase: false,
  find(text, at, from) {
    const end = endAt(END, text, at)
    if (end === undefined) return []
    const first = Math.max(from, at - TAIL_CHARACTERS)
    const head = text.slice(first, at)
    const start = startOfLines(head) ?? startOfLastLine(head)
    return start === undefined ? [] : secretOf(first + start, end)
  },
}

/** Returns where the lines of a key begin that end a text, whatever stands between them; undefined if the text does not end in such lines. */
function startOfLines(head: string): number | undefined {
  let start: number | undefined
  let gap = ''
  for (const { 0: run, index } of [...head.matchAll(RUNS)].reverse()) {
    const behind = head.slice(index + run.length, start)
    // The last line of a key is short.
    if (behind.length > GAP_CHARACTERS + (start === undefined ? 80 : 0) || behind.includes('-----')) break
    if (!isKeyText(run)) continue
    if (start !== undefined) gap = behind
    start = index
  }
  if (start === undefined) return undefined
  return start - cutLine(head.slice(Math.max(0, start - 200), start), gap === '' ? '\n' : gap).length
}

const RUNS = /[A-Za-z0-9+/]{40,4000}={0,2}/g

/** Returns the rest of a line of which the beginning was cut off, with the gap behind it. */
function cutLine(before: string, gap: string): string {
  if (!before.endsWith(gap)) return ''
  const line = /[A-Za-z0-9+/]{1,80}$/.exec(before.slice(0, -gap.length))?.[0] ?? ''
  const rest = before.slice(0, -(line + gap).length)
  const isWhole = rest === '' || /[\n"'`]$/.test(rest) || rest.endsWith(gap)
  return isWhole && line.length >= 4 && (isRandom(line) || rest === '') ? line + gap : ''
}

/** Returns where the last line begins, between signs and quotes: no word is before the label; undefined if no line begins so. */
function startOfLastLine(head: string): number | undefined {
  const from = Math.max(0, head.length - LAST_CHARACTERS)
  const last = [...head.slice(from).matchAll(LAST_RUN)].at(-1)
  if (last === undefined) return undefined
  const start = from + last.index
  const behind = head.slice(start + last[0].length)
  const line = head.slice(head.lastIndexOf('\n', start - 1) + 1, start)
  return isPrefix(line) && !behind.includes('-----') && (isPrefix(behind) || /^\\{0,3}["'`]/.test(behind))
    ? start
    : undefined
}

/** How far before a label its last line is searched. */
const LAST_CHARACTERS = 200
const LAST_RUN =
  /(?<![A-Za-z0-9+/=])(?=[A-Za-z+/]{0,76}(?:[\d+/=]|[a-z][A-Z]))[A-Za-z0-9+/]{4,76}={0,2}(?![A-Za-z0-9+/=])/g

const isPrefix = (text: string): boolean => /^[^A-Za-z<]*$|["'`]$/.test(text)

/** PuTTY's format has the number of lines in place of labels. */
const PUTTY_RULE: Rule = {
  hints: ['Private-Lines: '],
  isAnyCase: false,
  find(text, at) {
    const match = /\\{1,4}n|\n/.exec(text.slice(at, at + 100))
    return match === null ? [] : secretOf(at + endOf(match), endOfKey(text, at + match.index))
  },
}

/** How much of Base64 is read to know what it has: a key may follow a certificate. */
const HEAD_CHARACTERS = 4_000

/** `-----BEGIN `, and the same in Base64 twice. */
const ENCODED = 'LS0tLS1CRUdJTi'
const ENCODED_TWICE = 'TFMwdExTMUNSVWRK'

/** `PRIVATE KEY`, at each of the three places in a group of Base64. */
const ENCODED_LABELS = ['UFJJVkFURSBLRV', 'BSSVZBVEUgS0VZ', 'QUklWQVRFIEtFW']

/** A key whose PEM was written as Base64 again, in one line or in several, as in the settings of CI and of Kubernetes. */
const ENCODED_KEY_RULE: Rule = {
  hints: [ENCODED, ENCODED_TWICE, ...ENCODED_LABELS],
  isAnyCase: false,
  find(text, at) {
    if (text.startsWith(ENCODED, at) && !isPrivate(decodeBase64(text.slice(at, at + HEAD_CHARACTERS)))) return []
    if (
      text.startsWith(ENCODED_TWICE, at) &&
      !isPrivate(decodeBase64(decodeBase64(text.slice(at, at + HEAD_CHARACTERS))))
    )
      return []
    // The label `-----BEGIN ENCRYPTED PRIVATE KEY-----` has at most 28 letters of Base64 before its last words.
    const head = /[A-Za-z0-9+/]{0,60}$/.exec(text.slice(Math.max(0, at - 60), at))?.[0] ?? ''
    const start = at - head.length
    // A mention of the label in Base64 has no key.
    if (endOfRun(BASE64, text, start) - start < HEAD_LEAST) return []
    const end = endOfKey(text, start)
    return end === undefined || end - start < 2 * HEAD_LEAST ? [] : secretOf(start, end)
  },
}

/** The first line of a key in Base64 has more. */
const HEAD_LEAST = 40

const isPrivate = (text: string): boolean => text.includes('PRIVATE KEY')

/**
 * The first bytes of keys without a label, in Base64: what follows their length. PKCS #8 (RFC 5958) for RSA, P-256, and P-384
 * with P-521; encrypted PKCS #8 (by AES, by Triple DES, and of longer keys); PKCS #1 (RFC 8017) from 2048 bits on, and of 1024;
 * SEC 1 (RFC 5915) for P-384 and P-521; PKCS #12 (RFC 7292).
 */
const BODIES = [
  ...['IBADANBg', 'AgEAMBMG', 'AgEAMBAG'],
  ...['MFcGCSqG', 'ME4GCSqG', 'kiG9w0BBQ'],
  ...['IBAAKCA', 'IBAAKBg', 'AgEBBD', 'AgEBBE', 'IBAzCC'],
] as const

/**
 * The first bytes of short keys, with their length: SEC 1 for P-256, RFC 8410 for Ed25519 and X25519, and for Ed448, and OpenSSH.
 * PKCS #8 without the public key, as Java writes it, for P-256, P-384 and P-521.
 */
const HEADS = [
  ...['MHcCAQEE', 'MC4CAQAw', 'MEcCAQAw', 'b3BlbnNzaC1rZXkt'],
  ...['MEECAQAw', 'ME4CAQAw', 'MGACAQAw'],
] as const

/** The beginnings by which a key without a label is found. */
export const KEY_BEGINNINGS = [...BODIES, ...HEADS] as const

/** The text of a key without its labels: as a variable, or without its first line. */
const BARE_KEY_RULE: Rule = {
  hints: KEY_BEGINNINGS,
  isAnyCase: false,
  find(text, at) {
    const head = /(?<![A-Za-z0-9+/])MI[A-Za-z0-9+/]{1,14}$/.exec(text.slice(Math.max(0, at - 17), at))?.[0] ?? ''
    const isWhole = HEADS.some((start) => text.startsWith(start, at))
    if (!isWhole && head === '') return []
    const start = at - head.length
    if (endOfRun(BASE64, text, start) - start < BARE_LEAST) return []
    return secretOf(start, endOfKey(text, start))
  },
}

const BARE_LEAST = 40

/** A file that gzip (RFC 1952) has made smaller. */
const GZIP_RULE: Rule = {
  hints: ['H4sI'],
  isAnyCase: false,
  find(text, at) {
    const names =
      text.slice(Math.max(0, at - 80), at).replace(/^[^]*\n(?=[^\n])/, '') + decodeBase64(text.slice(at, at + 80))
    const isOfKey = !/[A-Za-z0-9+/]/.test(text.charAt(at - 1)) && KEY_FILE.test(names)
    return isOfKey ? secretOf(at, endOfKey(text, at)) : []
  },
}

/** The ends of names of files with keys, and of variables with one. */
const KEY_FILE = /(?:[._-](?:key|pem|ppk|p12|pfx|jks|keystore)|id_(?:rsa|ed25519|ecdsa|dsa))(?![A-Za-z0-9]{3})/i

/** Rules for private keys, the more certain ones first. */
export const KEY_RULES: readonly Rule[] = [
  ...[PEM_RULE, PUTTY_RULE, PEM_END_RULE, BARE_KEY_RULE],
  ...DUMP_RULES,
  ...[ENCODED_KEY_RULE, GZIP_RULE],
]
