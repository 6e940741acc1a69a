import { VALUE, isPassword } from '../values/password-values.ts'
import { placeRule, type Rule, type Secret } from '../rule.ts'
import { kindOfValue, QUOTED_VALUE } from './secret-names.ts'
import { isMixed } from '../values/secret-values.ts'

const INSERT =
  /insert\s{1,3}(?:ignore\s{1,3})?into\s{1,3}[\w."`\\[\]]{1,100}\s{0,3}\((?<columns>[^()]{1,600})\)\s{0,20}values\s{0,20}/iy
/** Each alternative begins with another sign: where a row has no end, it is read once. A doubled quote is two texts here. */
const ROW = /\s{0,20}\((?<values>(?:'(?:[^'\\\n]|\\.){0,400}'|[^'()]|\([^()']{0,60}\)){1,2000})\)\s{0,3},?/y
const FIELD =
  /\s{0,10}N?(?:'(?<text>(?:[^'\\\n]|''|\\.){0,400})'|"(?<quoted>[^"\\\n]{0,400})"|(?:[^'",()]|\([^()']{0,60}\)){1,100})\s{0,10}(?:,|$)/y

/** The number of rows that are read of a statement. */
const ROWS = 100

/** The values of columns whose names say that they are secret: `INSERT INTO users (name, password) VALUES ('joe', 'x')`. */
const INSERT_RULE: Rule = {
  hints: ['insert into ', 'insert ignore into '],
  isAnyCase: true,
  find(text, at) {
    INSERT.lastIndex = at
    const columns = INSERT.exec(text)?.groups?.['columns']?.split(',') ?? []
    const names = columns.map((column) => column.replaceAll(/[^\w]/g, ''))
    const secrets: Secret[] = []
    if (!names.some((name) => SECRET_COLUMN.test(name))) return []
    ROW.lastIndex = INSERT.lastIndex
    for (let row = 0; row < ROWS; row++) {
      const match = ROW.exec(text)
      if (match === null) break
      const values = match.groups?.['values'] ?? ''
      const start = match.index + match[0].indexOf('(') + 1
      for (const [index, field] of fieldsOf(values).entries()) {
        const kind = kindOfValue(field.text, { ...QUOTED_VALUE, name: names[index] ?? '' })
        if (SECRET_COLUMN.test(names[index] ?? '') && kind !== undefined)
          secrets.push({ start: start + field.at, end: start + field.at + field.text.length, kind })
      }
    }
    return secrets
  },
}

const SECRET_COLUMN = /pass|pwd|secret|token|api_?key/i

/** Returns the texts of a row; an empty one for every other value. */
function fieldsOf(values: string): { text: string; at: number }[] {
  const fields: { text: string; at: number }[] = []
  FIELD.lastIndex = 0
  for (let match = FIELD.exec(values); match !== null && match[0] !== ''; match = FIELD.exec(values))
    fields.push({
      text: match.groups?.['text'] ?? match.groups?.['quoted'] ?? '',
      at: match.index + match[0].search(/['"]/) + 1,
    })
  return fields
}

/** Rules for statements of SQL, and of what is written like them. */
export const SQL_RULES: readonly Rule[] = [
  INSERT_RULE,
  placeRule({
    kind: 'password',
    hints: ['IDENTIFIED BY ', 'IDENTIFIED WITH '],
    pattern: String.raw`IDENTIFIED (?:WITH \\?["'${'`'}]?\w{1,40}\\?["'${'`'}]? )?(?:BY|AS) (?:PASSWORD )?(?:VALUES )?${VALUE}`,
    isAnyCase: true,
    accepts: (value, { 0: all }) => isPassword(value) && (isMixed(value) || /["']/.test(all)),
    source: 'the manuals of MySQL, MariaDB, Oracle and ClickHouse',
  }),
  placeRule({
    kind: 'password',
    hints: ['SET PASSWORD', 'PRAGMA key', 'PRAGMA rekey', 'PRAGMA hexkey', 'ATTACH DATABASE'],
    pattern: String.raw`(?:SET PASSWORD[^=\n]{0,80}= ?(?:PASSWORD\()?|PRAGMA (?:re|hex)?key ?= ?|ATTACH DATABASE [^;\n]{1,200}? KEY )(?=\\{0,3}["'])${VALUE}`,
    isAnyCase: true,
    accepts: isPassword,
    source: 'the manuals of MySQL and SQLCipher',
  }),
  placeRule({
    kind: 'password',
    hints: ['ConvertTo-SecureString ', 'requirepass ', 'masterauth '],
    pattern: String.raw`(?:ConvertTo-SecureString (?:-String )?|(?:requirepass|masterauth) )${VALUE}`,
    isAnyCase: true,
    accepts: isPassword,
    source: 'the manuals of PowerShell and Redis',
  }),
]
