import { BASE64, BEGIN, END, endOfKey, isKeyText } from './key-lines.ts'
import { endOf, type Rule, type Secret } from './rule.ts'

/** What a line may have before a key, so that it is compared with the lines that follow. */
const PREFIX_CHARACTERS = 200

/** Returns what stands before a key on its line; nothing if that is too long. */
function prefixOf(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - PREFIX_CHARACTERS), at)
  const [newline, escaped] = [before.lastIndexOf('\n') + 1, before.lastIndexOf('\\n') + 2]
  const start = Math.max(newline, escaped === 1 ? 0 : escaped)
  return start === 0 && before.length === PREFIX_CHARACTERS ? '' : before.slice(start)
}

const secretOf = (start: number, end: number | undefined): Secret[] =>
  end === undefined ? [] : [{ start, end, kind: 'private-key' }]

/**
 * The keys between labels, cut ones too. Only text of a key belongs to it, so that a mention of the label deletes
 * nothing.
 */
export const PEM_RULE: Rule = {
  hints: ['-----BEGIN '],
  isAnyCase: false,
  find(text, at) {
    BEGIN.lastIndex = at
    return BEGIN.test(text) ? secretOf(at, endOfKey(text, BEGIN.lastIndex, prefixOf(text, at))) : []
  },
}

/** How far before a closing label the lines of a key are searched whose beginning was cut off. */
const TAIL_CHARACTERS = 8_000

/** What may stand around the text of a key on its line. */
const SUFFIX_CHARACTERS = 120

/** Between two lines of a key, also as elements of a list and as members of objects in a list. */
const LINE_BREAK =
  /(?:\\{1,4}[rn]){0,2}\\{0,3}["'][ \t]{0,4},\s{0,40}\\{0,3}["']|\},(?=[ \t]{0,4}\{)|\r?\n|(?:\\{1,4}r)?\\{1,4}n/

/** The end of a key whose first label was cut off, as `tail` prints it. */
export const PEM_END_RULE: Rule = {
  hints: ['-----END '],
  isAnyCase: false,
  find(text, at, from) {
    END.lastIndex = at
    if (!END.test(text)) return []
    const { lastIndex: end } = END
    const lines = text.slice(Math.max(from, at - TAIL_CHARACTERS), at).split(LINE_BREAK)
    // What stands before the label on its line.
    const isAlone = isPrefix(lines.pop() ?? '')
    let start: number | undefined
    let before = at
    for (const [index, line] of lines.reverse().entries()) {
      before = text.lastIndexOf(line, before - 1)
      const run = longestRun(line)
      // Only the last line of a key is short, and the first one if it was cut.
      const isFirst = /["'`]$/.test(line.slice(0, -run.length)) || (before === 0 && line === run)
      const isCut = isFirst && line.endsWith(run) && start !== undefined
      const isLast = isAlone && index === 0 && isLastLine(line, run)
      if (line.length > run.length + SUFFIX_CHARACTERS || (index > 0 && !isKeyText(run) && !isCut)) break
      if (isKeyText(run) || isCut || isLast) start = before + line.indexOf(run)
    }
    return start === undefined ? [] : secretOf(start, end)
  },
}

/** Returns whether a line has only a run of Base64 between numbers, signs and quotes: a short one is no word. */
const isLastLine = (line: string, run: string): boolean =>
  run.length >= 4 &&
  /[\d+/=]|[a-z][A-Z]/.test(run) &&
  isPrefix(line.slice(0, line.indexOf(run))) &&
  !/[\w<>]/.test(line.slice(line.indexOf(run) + run.length))

const isPrefix = (text: string): boolean => /^[^A-Za-z<]*$|["'`]$/.test(text)

const longestRun = (line: string): string =>
  Array.from(line.matchAll(/[A-Za-z0-9+/=]{2,4000}/g), ([run]) => run).reduce(
    (longest, run) => (run.length > longest.length ? run : longest),
    '',
  )

/** PuTTY's format has the number of lines in place of labels. */
export const PUTTY_RULE: Rule = {
  hints: ['Private-Lines: '],
  isAnyCase: false,
  find(text, at) {
    const start = /(?:\\{1,4}n|\n)/g
    start.lastIndex = at
    const match = start.exec(text.slice(0, at + 100))
    if (match === null) return []
    const prefix = prefixOf(text, at)
    return secretOf(match.index + match[0].length, endOfKey(text, match.index, prefix))
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
export const ENCODED_KEY_RULE: Rule = {
  hints: [ENCODED, ENCODED_TWICE, ...ENCODED_LABELS],
  isAnyCase: false,
  find(text, at) {
    if (text.startsWith(ENCODED, at) && !isPrivate(decode(text.slice(at, at + HEAD_CHARACTERS)))) return []
    if (text.startsWith(ENCODED_TWICE, at) && !isPrivate(decode(decode(text.slice(at, at + HEAD_CHARACTERS)))))
      return []
    // The label `-----BEGIN ENCRYPTED PRIVATE KEY-----` has at most 28 letters of Base64 before its last words.
    const head = /[A-Za-z0-9+/]{0,60}$/.exec(text.slice(Math.max(0, at - 60), at))?.[0] ?? ''
    const start = at - head.length
    // A mention of the label in Base64 has no key.
    if (endOf(BASE64, text, start) - start < HEAD_LEAST) return []
    const end = endOfKey(text, start, prefixOf(text, start))
    return end === undefined || end - start < 2 * HEAD_LEAST ? [] : secretOf(start, end)
  },
}

/** The first line of a key in Base64 has more. */
const HEAD_LEAST = 40

const decode = (text: string): string => Buffer.from(text, 'base64').toString('latin1')
const isPrivate = (text: string): boolean => text.includes('PRIVATE KEY')

/**
 * The first bytes of keys without a label, in Base64: what follows their length. PKCS #8 (RFC 5958) for RSA, P-256 and
 * P-384, encrypted PKCS #8, PKCS #1 (RFC 8017), SEC 1 (RFC 5915), Ed25519 (RFC 8410), and OpenSSH.
 */
const BODIES = [
  ...['IBADANBg', 'AgEAMBMG', 'AgEAMBAG', 'MFcGCSqG', 'kiG9w0BBQ', 'IBAAKCA'],
  ...['MHcCAQEE', 'MC4CAQAw', 'b3BlbnNzaC1rZXkt'],
]

/** The text of a key without its labels: as a variable, or without its first line. */
export const BARE_KEY_RULE: Rule = {
  hints: BODIES,
  isAnyCase: false,
  find(text, at) {
    const head = /(?<![A-Za-z0-9+/])MI[A-Za-z0-9+/]{1,14}$/.exec(text.slice(Math.max(0, at - 17), at))?.[0] ?? ''
    const isWhole = /^(?:MHc|MC4|b3B)/.test(text.slice(at, at + 3))
    if (!isWhole && head === '') return []
    const start = at - head.length
    if (endOf(BASE64, text, start) - start < BARE_LEAST) return []
    return secretOf(start, endOfKey(text, start, prefixOf(text, start)))
  },
}

const BARE_LEAST = 40

/** `-----BEGIN` in hexadecimal, as `xxd`, `hexdump -C` and `xxd -p` write it. */
const DUMPS = ['2d2d 2d2d 2d42 4547', '2d 2d 2d 2d 2d 42 45 47', '2d2d2d2d2d424547']

/** The hexadecimal digits of one line, and what stands between them and those of the next one. */
const DUMPED = /(?:[0-9a-f]{2} {0,2}){1,80}/iy
const DUMP_BREAK = /[^\n\\]{0,80}?(?:\n|(?:\\{1,4}r)?\\{1,4}n)(?:[0-9a-f]{4,10}:? {1,2})?/iy

/** A key in a hexadecimal dump. */
export const DUMP_RULE: Rule = {
  hints: DUMPS,
  isAnyCase: false,
  find(text, at) {
    let digits = ''
    let end = at
    for (let next = at; ;) {
      DUMPED.lastIndex = next
      const line = DUMPED.exec(text)?.[0]
      if (line === undefined) break
      end = next + line.trimEnd().length
      if (digits.length < LABEL_DIGITS) digits += line.replaceAll(' ', '')
      // Each line of a dump may begin with such digits: the others are not read for each of them.
      if (digits.length >= LABEL_DIGITS && !isDumpedKey(digits)) return []
      DUMP_BREAK.lastIndex = next + line.length
      const isNext = DUMP_BREAK.test(text)
      // The column of letters repeats the key.
      end = Math.max(end, columnEnd(text, next + line.length))
      if (!isNext) break
      next = DUMP_BREAK.lastIndex
    }
    return isDumpedKey(digits) ? secretOf(at, end) : []
  },
}

/** The first label of a key stands in so many digits. */
const LABEL_DIGITS = 200

const isDumpedKey = (digits: string): boolean => isPrivate(Buffer.from(digits, 'hex').toString('latin1'))

/** The letters that a dump repeats behind the digits of a line, up to the end of the line or of the text in quotes. */
const COLUMN = /[^\S\r\n]{0,160}[|>]?[^\r\n\\|"'`]{1,64}[|<]?(?=["'`\r\n]|\\{1,4}["'nr]|$)/y

/** Returns where that column ends; `at` if a line has no such column. */
function columnEnd(text: string, at: number): number {
  COLUMN.lastIndex = at
  return COLUMN.test(text) ? COLUMN.lastIndex : at
}
