import type { Rule, Secret } from '../rule.ts'
import { decodeBase64, endOf, matchAt } from '../scan.ts'

/** How a program writes bytes as numbers or signs. */
interface Dump {
  /** The first bytes of a key as it writes them; of some that it writes in one order only. */
  hint: (bytes: Buffer) => string[]
  /** The bytes of a line, and the address before them. */
  line: RegExp
  /** Returns the bytes of a line without blanks and commas. */
  read: (line: string) => Buffer
}

/** The first bytes of PEM, of its Base64, and of the Base64 of that. */
const HEADS = ['-----B', 'LS0tLS', 'TFMwdE'].map((head) => Buffer.from(head))

const ADDRESS = String.raw`(?:(?<=\n)[ \t]{0,8}(?:[0-9a-fA-F]{4,10}:? {1,3})?)?`
const line = (cells: string): RegExp => new RegExp(`${ADDRESS}(?<cells>${cells})`, 'y')

const hexOf = (bytes: Buffer, digits: number, between: string): string =>
  bytes.toString('hex').replaceAll(new RegExp(`.{${digits}}(?=.)`, 'g'), `$&${between}`)
const inGroups = (bytes: Buffer): string[] => [2, 4, 8, 16].map((digits) => hexOf(bytes, digits, ' '))
const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16()

const readHex = (cells: string): Buffer => Buffer.from(cells.replaceAll(/[^\da-f]/gi, ''), 'hex')

/** `xxd`, `xxd -p`, `xxd -i`, `hexdump -C`, `od -t x1`. */
const HEXADECIMAL: Dump = {
  hint: (bytes) => [...inGroups(bytes), hexOf(bytes, 2, ':'), `0x${hexOf(bytes, 2, ', 0x')}`],
  line: line(String.raw`(?:(?:0x)?(?:[0-9a-fA-F]{2}){1,8000}(?:, ?|:| {1,2}|(?=\s|["'|]|$))){1,400}`),
  read: (cells) => readHex(cells.replaceAll('0x', '')),
}

const OTHERS: readonly Dump[] = [
  // `hexdump`, `od -x`: words of two bytes, the second one first.
  {
    hint: (bytes) => [1, 2].map((blanks) => hexOf(swapped(bytes), 4, ' '.repeat(blanks))),
    line: line('(?:[0-9a-f]{4} {0,4}){1,40}'),
    read: (cells) => swapped(readHex(cells)),
  },
  // `od -b`.
  {
    hint: (bytes) => [Array.from(bytes, (byte) => byte.toString(8).padStart(3, '0')).join(' ')],
    line: line('(?:[0-3][0-7]{2} ?){1,80}'),
    read: (cells) => Buffer.from(cells.match(/\d{3}/g)?.map((one) => Number.parseInt(one, 8)) ?? []),
  },
  // `od -c`, `od -a`.
  {
    hint: (bytes) => [bytes.toString().split('').join('   ')],
    line: line(String.raw`(?: {0,3}[!-~](?= |\n|$)| {1,2}(?:\\[abefnrtv0]|nl|sp|cr)| \d{3}| {4}){1,80}`),
    read: (cells) =>
      Buffer.from(
        cells
          .replaceAll(/ {1,2}(?:\\n|nl)/g, ' \n')
          .replaceAll(/ {2}sp| {4}/g, '\0')
          .replaceAll(/ {1,3}(?=\S|\n)/g, '')
          .replaceAll('\0', ' '),
      ),
  },
]

/** The text behind the bytes of a line, such as the letters that repeat them, and the line end. */
const REST = /(?<rest>[^\n"'`]{0,160})(?<newline>(?:["'`][^\n]{0,160})?\n)?/y

/** Returns where the lines of a dump end, and its first bytes. */
function readDump(text: string, at: number, { line, read }: Dump): { end: number; bytes: string } {
  let [end, bytes] = [at, '']
  for (let next = at; ;) {
    const row = matchAt(line, text, next)
    if (row !== undefined) {
      next = end = endOf(row)
      const cells = (row.groups?.['cells'] ?? '').slice(0, 8 * LABEL_BYTES)
      if (bytes.length < LABEL_BYTES) bytes += read(cells).toString('latin1')
      continue
    }
    const match = next === end ? matchAt(REST, text, next) : undefined
    end += match?.groups?.['rest']?.length ?? 0
    if (match?.groups?.['newline'] === undefined) return { end, bytes }
    next = endOf(match)
  }
}

/** A key as the bytes of a file, as dumps write them. The beginning decides, since each of many lines may begin so. */
const ruleOf = (dump: Dump): Rule => ({
  hints: HEADS.flatMap(dump.hint),
  isAnyCase: true,
  find(text, at) {
    if (!isKey(readDump(text.slice(at, at + 8 * LABEL_BYTES), 0, dump).bytes)) return []
    return secretOf(text, at, readDump(text, at, dump).end)
  },
})

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
  hints: DER_HEADS.flatMap((head) => [...inGroups(head), hexOf(head, 2, ':'), `0x${hexOf(head, 2, ', 0x')}`]),
  isAnyCase: true,
  find(text, at) {
    const isWhole = /^(?:0x)?30/.test(text.slice(at, at + 4))
    const length = isWhole ? '' : LENGTH.exec(text.slice(Math.max(0, at - 26), at))?.[0]
    if (length === undefined || /[0-9a-f]$/i.test(text.slice(Math.max(0, at - length.length - 1), at - length.length)))
      return []
    const start = at - length.length
    const { end } = readDump(text, start, HEXADECIMAL)
    return end - start < LEAST_DIGITS ? [] : secretOf(text, start, end)
  },
}

/** The shortest key has 48 bytes. */
const LEAST_DIGITS = 92

/** The first label of a key stands in so many bytes. No dump needs more than eight signs for one. */
const LABEL_BYTES = 100

const isKey = (bytes: string): boolean =>
  [bytes, decodeBase64(bytes), decodeBase64(decodeBase64(bytes))].some((one) => one.includes('PRIVATE KEY'))

/** Rules for keys in dumps. */
export const DUMP_RULES: readonly Rule[] = [...[HEXADECIMAL, ...OTHERS].map(ruleOf), DER_RULE]
