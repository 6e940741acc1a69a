import type { Rule, Secret } from '../rule.ts'
import { decodeBase64, endOf, matchAt } from '../scan.ts'

/** The first bytes of PEM, of its Base64, and of the Base64 of that. */
const HEADS = ['-----B', 'LS0tLS', 'TFMwdE'].map((head) => Buffer.from(head))

/** The bytes of a line, and the address before them, as `xxd`, `xxd -p`, `xxd -i`, `hexdump -C` and `od -t x1` write them. */
const LINE =
  /(?:(?<=\n)[ \t]{0,8}(?:[0-9a-fA-F]{4,10}:? {1,3})?)?(?<cells>(?:(?:0x)?(?:[0-9a-fA-F]{2}){1,8000}(?:, ?|:| {1,2}|(?=\s|["'|]|$))){1,400})/y

const hexOf = (bytes: Buffer, digits: number, between: string): string =>
  bytes.toString('hex').replaceAll(new RegExp(`.{${digits}}(?=.)`, 'g'), `$&${between}`)

/** Returns the ways in which programs write the first bytes of a key. */
const hintsOf = (bytes: Buffer): string[] => [
  ...[2, 4, 8, 16].map((digits) => hexOf(bytes, digits, ' ')),
  hexOf(bytes, 2, ':'),
  `0x${hexOf(bytes, 2, ', 0x')}`,
]

/** The text behind the bytes of a line, such as the letters that repeat them, and the line end. */
const REST = /(?<rest>[^\n"'`]{0,160})(?<newline>(?:["'`][^\n]{0,160})?\n)?/y

/** Returns where the lines of a dump end, and its first bytes. */
function readDump(text: string, at: number): { end: number; bytes: string } {
  let [end, bytes] = [at, '']
  for (let next = at; ;) {
    const row = matchAt(LINE, text, next)
    if (row !== undefined) {
      next = end = endOf(row)
      const cells = (row.groups?.['cells'] ?? '').slice(0, 8 * LABEL_BYTES)
      if (bytes.length < LABEL_BYTES)
        bytes += Buffer.from(cells.replaceAll(/0x|[^\da-f]/gi, ''), 'hex').toString('latin1')
      continue
    }
    const match = next === end ? matchAt(REST, text, next) : undefined
    end += match?.groups?.['rest']?.length ?? 0
    if (match?.groups?.['newline'] === undefined) return { end, bytes }
    next = endOf(match)
  }
}

/** A key as the bytes of a file, as dumps write them. The beginning decides, since each of many lines may begin so. */
const DUMP_RULE: Rule = {
  hints: HEADS.flatMap(hintsOf),
  isAnyCase: true,
  find(text, at) {
    if (!isKey(readDump(text.slice(at, at + 8 * LABEL_BYTES), 0).bytes)) return []
    return secretOf(text, at, readDump(text, at).end)
  },
}

const secretOf = (text: string, start: number, end: number): Secret[] => [
  { start, end: start + text.slice(start, end).trimEnd().length, kind: 'private-key' },
]

/** The first bytes of DER (X.690) behind its length, in PKCS #8 (RFC 5958) and PKCS #1 (RFC 8017); and short keys, with their length. */
const BEHIND_LENGTH = ['02010030', '02010002']
const DER_HEADS = [...BEHIND_LENGTH, '30818702', '30770201', '302e0201', '30540201'].map((head) =>
  Buffer.from(head, 'hex'),
)

const LENGTH = /(?:0x)?30(?:, 0x|[ :]?)82(?:(?:, 0x|[ :]?)[0-9a-f]{2}){2}(?:, |[ :])?$/i

/** A key in hexadecimal whose bytes are those of DER. */
const DER_RULE: Rule = {
  hints: DER_HEADS.flatMap(hintsOf),
  isAnyCase: true,
  find(text, at) {
    const isWhole = /^(?:0x)?30/.test(text.slice(at, at + 4))
    const length = isWhole ? '' : LENGTH.exec(text.slice(Math.max(0, at - 26), at))?.[0]
    if (length === undefined || /[0-9a-f]$/i.test(text.slice(Math.max(0, at - length.length - 1), at - length.length)))
      return []
    const start = at - length.length
    const { end } = readDump(text, start)
    return end - start < LEAST_DIGITS ? [] : secretOf(text, start, end)
  },
}

/** The shortest key has 48 bytes. */
const LEAST_DIGITS = 92

/** The first label of a key stands in so many bytes. No dump needs more than eight signs for one. */
const LABEL_BYTES = 100

const isKey = (bytes: string): boolean =>
  [bytes, decodeBase64(bytes), decodeBase64(decodeBase64(bytes))].some((one) => one.includes('PRIVATE KEY'))

export const DUMP_RULES: readonly Rule[] = [DUMP_RULE, DER_RULE]
