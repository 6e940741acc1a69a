import t from 'tap'
import { redactText } from '../../src/redact/redact-text.ts'
import { growthOf, MAX_GROWTH } from '../support/cpu-time.ts'
import { createRandom } from './corpus/random.ts'
import { printedKeys } from './corpus/secrets.ts'

const random = createRandom('cut keys')
const LINES = Array.from({ length: 4 }, () => random.base64(64))
/** A key without its last lines, as `head` prints it. */
const CUT = ['-----BEGIN PRIVATE KEY-----', ...LINES, ''].join('\n')

/** The number of characters in a row that count as a leak. */
const LEAK = 6

/** The pieces of a text's lines that are left after it has been redacted. */
function leftOf(written: string): string[] {
  const seen = redactText(written).text
  const pieces = LINES.flatMap((line) =>
    Array.from({ length: line.length - LEAK + 1 }, (_, at) => line.slice(at, at + LEAK)),
  )
  return pieces.filter((piece) => seen.includes(piece))
}

t.test('a key that was cut is replaced in each form in which programs print it', async (t) => {
  const forms = printedKeys(CUT)
  t.equal(forms.length, 24)
  for (const written of forms) {
    t.same(leftOf(written), [], written.slice(0, 120))
    t.same(leftOf(JSON.stringify({ output: written })), [], `in JSON: ${written.slice(0, 120)}`)
  }
})

t.test('lines of a key that was cut at both ends are replaced where nothing else stands', async (t) => {
  const cut = [LINES[0]?.slice(20), ...LINES.slice(1, 4), LINES[0]?.slice(0, 30)].join('\n')
  for (const written of [cut, `${cut}\n`, cut.replaceAll('\n', '\r\n'), JSON.stringify(cut).slice(1, -1)])
    t.same(leftOf(written), [], written.slice(0, 120))
  const hashes = Array.from({ length: 4 }, () => random.hex(64)).join('\n')
  for (const other of [LINES.join(' '), LINES.slice(0, 2).join('\n'), hashes, `See:\n${LINES.join('\n')}`])
    t.equal(redactText(other).text, other)
})

/** The end of a key, as `tail` prints it: its last line is short. */
const END = '-----END PRIVATE KEY-----'
const LAST = 'Ku3oQi6NtGhUyJxMwEaBpQ=='

t.test('the end of a key is replaced in a list on one line, whatever was cut off before', async (t) => {
  for (const lines of [[...LINES, LAST], [...LINES.slice(-1), LAST], [LAST]]) {
    const list = JSON.stringify([...lines, END])
    for (const [written, expected] of [
      [list, '["[redacted:private-key]"]'],
      [list.replaceAll(',', ', '), '["[redacted:private-key]"]'],
      [JSON.stringify({ output: list }), String.raw`{"output":"[\"[redacted:private-key]\"]"}`],
      [JSON.stringify([...lines, END].map((line) => `${line}\n`)), String.raw`["[redacted:private-key]\n"]`],
      [JSON.stringify([...lines, END].map((text, n) => ({ n, text }))), '[{"n":0,"text":"[redacted:private-key]"}]'],
      [[...lines, END].join('\n'), '[redacted:private-key]'],
    ] as const)
      t.equal(redactText(written).text, expected, written)
  }
})

/** What may stand between the lines of a key. */
const SEPARATORS: Record<string, string> = {
  semicolons: ';',
  'commas and blanks': ', ',
  bars: ' | ',
  tabs: '\t',
  blanks: ' ',
  'line breaks of HTML': '<br>',
  'references of HTML': '&#10;',
  'escaped line ends': '\\n',
  'line ends of old Macs': '\r',
  'line separators': '\u2028',
  'signs for a line end': ' ⏎ ',
  hyphens: ' -- ',
  underscores: '_',
  'two line ends': '\n\n',
  'cells of a table': '</td></tr><tr><td>',
  'members of objects': '"},{"n":7,"text":"',
  'lines of a log': '\n2026-11-22T10:00:01Z web-1 ',
}

for (const [name, separator] of Object.entries(SEPARATORS))
  t.test(`the end of a key is replaced, with ${name} between its lines`, async (t) => {
    for (const lines of [LINES.slice(1), LINES.slice(3)]) {
      const written = [...lines, LAST, END].join(separator)
      t.same(leftOf(`x: ${written} y`), [])
      t.same(leftOf(JSON.stringify({ output: written })), [])
    }
    t.same(leftOf([...LINES, LAST, END].join(separator).slice(20)), [], 'the first line is cut too')
    t.same(leftOf(['-----BEGIN PRIVATE KEY-----', ...LINES, LAST, END].join(separator)), [], 'the whole key')
  })

t.test('the whole lines of the Base64 of a key are replaced, with an object for each of them', async (t) => {
  const encoded = Buffer.from([CUT.trim(), LAST, END, ''].join('\n')).toString('base64').match(/.{76}/g) ?? []
  for (const list of [
    encoded.map((text, line) => ({ line: line + 1, text })),
    encoded.map((text) => ({ text, is: 'x' })),
  ])
    for (const written of [
      JSON.stringify(list),
      JSON.stringify(list, null, 2),
      list.map((one) => JSON.stringify(one)).join('\n'),
    ])
      t.same(
        encoded.filter((line) => redactText(written).text.includes(line.slice(0, 12))),
        [],
      )
})

t.test('words before the closing label of a key are no line of it', async (t) => {
  for (const text of [`It ends with\n${END}`, `["abc", "${END}"]`, `<b>a1b2</b>\n${END}`, `a1b2\nends with ${END}`])
    t.strictSame(redactText(text), { text, redactions: 0 })
})

t.test('the lines of a cut key behind the names of `grep -A` are replaced by one mark', async (t) => {
  const [first = '', ...others] = CUT.trim().split('\n')
  t.equal(
    redactText([`certs/key.pem:${first}`, ...others.map((line) => `certs/key.pem-${line}`)].join('\n')).text,
    'certs/key.pem:[redacted:private-key]',
  )
})

/** How a program dumps bytes. */
interface DumpStyle {
  /** The bytes of a line, and of a group of digits. */
  width: number
  group: number
  /** What stands behind the address, and around the letters. */
  address: string
  marks: [open: string, close: string]
}

const STYLES: Record<string, DumpStyle> = {
  xxd: { width: 16, group: 2, address: ': ', marks: ['', ''] },
  'xxd -c 32': { width: 32, group: 2, address: ': ', marks: ['', ''] },
  'hexdump -C': { width: 16, group: 1, address: '  ', marks: ['|', '|'] },
  'od -A x -t x1z': { width: 16, group: 1, address: ' ', marks: ['  >', '<'] },
}

/** A text as a program dumps it, with digits as wide in the last line as in the others. */
function dump(text: string, { width, group, address, marks: [open, close] }: DumpStyle): string[] {
  const bytes = Buffer.from(text)
  return Array.from({ length: Math.ceil(bytes.length / width) }, (_, row) => {
    const part = bytes.subarray(row * width, (row + 1) * width)
    const digits = (part.toString('hex').match(new RegExp(`.{1,${2 * group}}`, 'g')) ?? []).join(' ')
    const letters = part.toString('latin1').replaceAll('\n', '.')
    const offset = (row * width).toString(16).padStart(8, '0')
    return `${offset}${address}${digits.padEnd(2 * width + Math.ceil(width / group) - 1)}  ${open}${letters}${close}`
  })
}

/** What may stand around the output of a program. */
const AROUND: Record<string, (lines: string[]) => string> = {
  alone: (lines) => lines.join('\n'),
  'with a line end': (lines) => `${lines.join('\n')}\n`,
  'with line ends of Windows': (lines) => `${lines.join('\r\n')}\r\n`,
  'in JSON': (lines) => JSON.stringify({ output: lines.join('\n'), code: 0 }),
  'in JSON, with line ends of Windows': (lines) => JSON.stringify({ output: `${lines.join('\r\n')}\r\n`, code: 0 }),
  'in JSON in JSON': (lines) => JSON.stringify(JSON.stringify({ output: lines.join('\n') })),
  'in single quotes': (lines) => `printf '${lines.join('\n')}' | xxd -r`,
  'in a block of code': (lines) => `\`\`\`\n${lines.join('\n')}\n\`\`\``,
}

for (const [program, style] of Object.entries(STYLES))
  t.test(`no letters of a key stay in the column of a cut dump: ${program}`, async (t) => {
    const whole = dump(CUT, style)
    for (const [place, write] of Object.entries(AROUND))
      for (let rows = Math.ceil(64 / style.width); rows <= whole.length; rows++)
        t.same(leftOf(write(whole.slice(0, rows))), [], `${place}, ${rows} lines`)
    for (const bytes of [60, 75, 90, 105, 250])
      for (const [place, write] of Object.entries(AROUND))
        t.same(leftOf(write(dump(CUT.slice(0, bytes), style))), [], `${place}, ${bytes} bytes`)
  })

/** The bytes of a line as xxd writes them with its options; dumps of the program itself gave the same. */
const SIGNS: Record<string, (bytes: Buffer) => string> = {
  'xxd -p': (bytes) => bytes.toString('hex'),
  'xxd -i': (bytes) => Array.from(bytes, (byte) => ` 0x${byte.toString(16).padStart(2, '0')},`).join(''),
  'xxd -u': (bytes) => (bytes.toString('hex').toUpperCase().match(/.{4}/g) ?? []).map((one) => ` ${one}`).join(''),
}

for (const [program, write] of Object.entries(SIGNS))
  t.test(`a key and its Base64 are replaced in a dump of bytes: ${program}`, async (t) => {
    for (const text of [CUT, Buffer.from(CUT).toString('base64')]) {
      const bytes = Buffer.from(text.padEnd(Math.ceil(text.length / 16) * 16))
      const hasAddress = !/-[pi]/.test(program)
      const lines = Array.from({ length: bytes.length / 16 }, (_, row) =>
        write(bytes.subarray(16 * row, 16 * row + 16)),
      )
      const dumped = lines.map((line, row) => (hasAddress ? (16 * row).toString(8).padStart(7, '0') : '') + line)
      for (const written of [
        dumped.join('\n'),
        dumped.join('\r\n'),
        JSON.stringify({ output: `${dumped.join('\n')}\n` }),
      ]) {
        const seen = redactText(written).text
        t.same(
          lines.filter((line) => seen.includes(line.slice(0, 24))),
          [],
        )
      }
    }
  })

t.test('what follows a dump of a key stays', async (t) => {
  const lines = dump(CUT, STYLES['xxd']!)
  t.equal(
    redactText(JSON.stringify({ output: lines.join('\n'), code: 0 })).text,
    '{"output":"00000000: [redacted:private-key]","code":0}',
  )
  t.equal(
    redactText(`${lines.join('\n')}\nThe file is a key.`).text,
    '00000000: [redacted:private-key]\nThe file is a key.',
  )
})

t.test('dumps whose lines all begin as a key does take linear time', async (t) => {
  const linesOf = (count: number): string => '2d2d2d2d2d424547  -----BEG\n'.repeat(count)
  t.ok(growthOf({ work: redactText, short: linesOf(500), long: linesOf(2000) }) <= MAX_GROWTH)
})
