import type { Rule, Secret } from '../rule.ts'
import { endOf, matchAt } from '../scan.ts'

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
const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16()

const readHex = (cells: string): Buffer => Buffer.from(cells.replaceAll(/[^\da-f]/gi, ''), 'hex')

const DUMPS: readonly Dump[] = [
  // `xxd`, `xxd -p`, `xxd -i`, `hexdump -C`, `od -t x1`.
  {
    hint: (bytes) => [...[2, 4, 8, 16].map((digits) => hexOf(bytes, digits, ' ')), `0x${hexOf(bytes, 2, ', 0x')}`],
    line: line(String.raw`(?:(?:0x)?(?:[0-9a-fA-F]{2}){1,40}(?:, ?| {1,2}|(?=\s|["'|]|$))){1,40}`),
    read: (cells) => readHex(cells.replaceAll('0x', '')),
  },
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

/** What stands behind the bytes of a line, such as the letters that repeat them, and the line end. */
const REST = /(?<rest>[^\n"'`]{0,160})(?<newline>["',`]{0,2}\n)?/y

/** A key as the bytes of a file, as dumps write them. */
const ruleOf = ({ hint, line, read }: Dump): Rule => ({
  hints: HEADS.flatMap(hint),
  isAnyCase: true,
  find(text, at) {
    let bytes = ''
    let end = at
    for (let next = at; ;) {
      const row = matchAt(line, text, next)
      if (row !== undefined) {
        const cells = row.groups?.['cells'] ?? ''
        next = end = endOf(row)
        if (bytes.length < LABEL_BYTES) bytes += read(cells.slice(0, 8 * LABEL_BYTES)).toString('latin1')
        // Each line of a dump may begin with such digits: the others are not read for each of them.
        if (bytes.length >= LABEL_BYTES && !isKey(bytes)) return []
        continue
      }
      const match = next === end ? matchAt(REST, text, next) : undefined
      if (match === undefined) break
      end += match.groups?.['rest']?.length ?? 0
      if (match.groups?.['newline'] === undefined) break
      next = endOf(match)
    }
    return isKey(bytes) ? secretOf(at, text.slice(at, end).trimEnd().length) : []
  },
})

const secretOf = (start: number, length: number): Secret[] => [{ start, end: start + length, kind: 'private-key' }]

/** The first label of a key stands in so many bytes. No dump needs more than eight signs for one. */
const LABEL_BYTES = 100

const decode = (text: string): string => Buffer.from(text, 'base64').toString('latin1')
const isKey = (bytes: string): boolean =>
  [bytes, decode(bytes), decode(decode(bytes))].some((one) => one.includes('PRIVATE KEY'))

/** Rules for keys in dumps. */
export const DUMP_RULES: readonly Rule[] = DUMPS.map(ruleOf)
