import { type Rule, rulesOf, type Secret } from '../rule.ts'
import { endOf, matchAt, QUOTE } from '../scan.ts'
import { VALUE, isNearPassword, isPassword } from '../values/passwords.ts'
import { kindOfValue, QUOTED_VALUE } from './secret-names.ts'
import { isMixed } from '../values/secret-values.ts'

const INSERT =
  /insert\s{1,3}(?:ignore\s{1,3})?into\s{1,3}[\w."`\\[\]]{1,100}(?:\s{0,3}\((?<columns>[^()]{1,600})\)|(?<=(?:user|account|member|admin|login|credential|customer)s?["`\]]?))\s{0,20}values\s{0,20}/iy
/** Each alternative begins with another sign: where a row has no end, it is read once. A doubled quote is two texts here. */
const ROW = /\s{0,20}\((?<values>(?:'(?:[^'\\\n]|\\.){0,400}'|[^'()]|\([^()']{0,60}\)){1,2000})\)\s{0,3},?/y
const FIELD =
  /\s{0,10}N?(?:'(?<text>(?:[^'\\\n]|''|\\.){0,400})'|"(?<quoted>[^"\\\n]{0,400})"|(?:[^'",()]|\([^()']{0,60}\)){1,100})\s{0,10}(?:,|$)/gy

/** The number of rows that are read of a statement. */
const ROWS = 100

/** The values of columns whose names say that they are secret: `INSERT INTO users (name, password) VALUES ('joe', 'x')`. */
const INSERT_RULE: Rule = {
  hints: ['insert into ', 'insert ignore into '],
  isAnyCase: true,
  find(text, at) {
    const insert = matchAt(INSERT, text, at)
    const names = (insert?.groups?.['columns'] ?? '').split(',').map((column) => column.replaceAll(/[^\w]/g, ''))
    const isNamed = names.some((name) => SECRET_COLUMN.test(name))
    if (insert === undefined || (insert.groups?.['columns'] !== undefined && !isNamed)) return []
    const secrets: Secret[] = []
    let row = matchAt(ROW, text, endOf(insert))
    for (let count = 0; count < ROWS && row !== undefined; count++, row = matchAt(ROW, text, endOf(row))) {
      const values = row.groups?.['values'] ?? ''
      const start = row.index + row[0].indexOf('(') + 1
      for (const [index, field] of fieldsOf(values).entries()) {
        const name = names[index] ?? ''
        const kind = isNamed
          ? SECRET_COLUMN.test(name)
            ? kindOfValue(field.text, { ...QUOTED_VALUE, name })
            : undefined
          : isNearPassword(field.text)
            ? 'password'
            : undefined
        if (kind !== undefined)
          secrets.push({ start: start + field.at, end: start + field.at + field.text.length, kind })
      }
    }
    return secrets
  },
}

/** Returns whether words are of a statement: in capitals, or behind those of one. */
const isStatement = (before: string, words: string): boolean =>
  /^IDENTIFIED/.test(words) || /\b(?:user|alter|grant|role|create)\b/i.test(before)

const SECRET_COLUMN = /pass|pwd|psk|secret|token|key/i

/** Returns the texts of a row; an empty one for every other value. */
function fieldsOf(values: string): { text: string; at: number }[] {
  return Array.from(values.matchAll(FIELD), (match) => ({
    text: match.groups?.['text'] ?? match.groups?.['quoted'] ?? '',
    at: match.index + match[0].search(/['"]/) + 1,
  }))
}

export const SQL_RULES: readonly Rule[] = [
  INSERT_RULE,
  ...rulesOf({
    password: [
      // The manuals of MySQL, MariaDB, Oracle and ClickHouse.
      [
        'IDENTIFIED BY |IDENTIFIED WITH ',
        String.raw`(?:(?<=WITH )\\?["'${'`'}]?\w{1,40}\\?["'${'`'}]? (?:BY|AS) |(?<=BY ))(?:PASSWORD )?(?:VALUES )?${VALUE}`,
        (value, { 0: all, index, input }) =>
          isPassword(value) &&
          (isMixed(value) || (/["']/.test(all) && isStatement(input.slice(index - 80, index), all))),
      ],
      // The manuals of MySQL and SQLCipher.
      [
        'SET PASSWORD|PRAGMA key|PRAGMA rekey|PRAGMA hexkey|ATTACH DATABASE',
        String.raw`(?:(?!\w)[^=\n]{0,80}= ?(?:PASSWORD\()?| [^;\n]{1,200}? KEY )(?=${QUOTE})${VALUE}`,
        isPassword,
      ],
    ],
  }),
]
