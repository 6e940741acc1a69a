import { type Rule, rulesOf, type Secret } from '../rule.ts'
import { endAt, endOf, matchAt } from '../scan.ts'
import { isMixed, isNoPlaceholder, isPlaceholder, isRandom, isToken, isWordy } from '../values/secret-values.ts'

const COOKIES =
  /(?:cookies?(?:(?:\(\))?\.(?:set|add))?\\{0,3}["']?\]?\s{0,3}(?:[:=,(]|=>)\s{0,3}[[({]{0,2}\s{0,20}|--cookie |(?<=\bcurl\b[^\n]{0,200}) -b )\\{0,3}["']?/iy
/** A pair of a header, of an object or of a call: `session=x;`, `"session": "x",`, `"session", "x"`. */
const COOKIE =
  /\s{0,3}(?<name>[\w.%-]{1,100})(?<mark>=|\\{0,3}["']\s?(?::|,(?<=\(\\{0,3}["'][\w.%-]{1,100}\\{0,3}["']\s?,))\s?\\{0,3}["'])(?<value>[^\s;"'\\,=]{0,4000}(?:=[^\s;"'\\,=]{0,400}){0,3})(?:;|\\{0,3}["'],\s{0,20}\\{0,3}["']|(?=["'\s\\,]|$))/y
/** These have no value. */
const FLAGS = /(?:\s{0,3}(?:secure|httponly|partitioned);?){0,3}/iy
const ATTRIBUTES = /^(?:path|domain|expires|max-age|samesite|priority)$/i

/** The values of cookies that identify somebody: in the headers `Cookie` and `Set-Cookie`, and of `curl -b`. */
const COOKIE_RULE: Rule = {
  hints: ['cookie', ' -b '],
  isAnyCase: true,
  find(text, at) {
    const secrets: Secret[] = []
    let next = endAt(COOKIES, text, text.startsWith('--', at - 2) ? at - 2 : at)
    while (next !== undefined && secrets.length <= 100) {
      const match = matchAt(COOKIE, text, next)
      if (match === undefined) break
      const { name = '', mark = '', value = '' } = match.groups ?? {}
      const start = match.index + match[0].indexOf(mark) + mark.length
      if (isCookieSecret(name, value)) secrets.push({ start, end: start + value.length, kind: 'cookie' })
      next = endAt(FLAGS, text, endOf(match))
    }
    return secrets
  },
}

const isCookieSecret = (name: string, value: string): boolean =>
  !ATTRIBUTES.test(name) &&
  !isPlaceholder(value) &&
  ((value.length >= 16 && isRandom(value)) ||
    (value.length >= 8 && isMixed(value) && /sess|sid|auth|token|csrf|xsrf|jwt|remember/i.test(name)))

/** Rules for the values of cookies. */
export const COOKIE_RULES: readonly Rule[] = [
  COOKIE_RULE,
  ...rulesOf({
    // curl.se, "Netscape cookie file format".
    cookie: [
      // Cookies as browsers export them.
      [
        '"name":"|"name": "|name: "|name:"|\'name\': \'|name: \'',
        /[\w.-]{0,40}(?:sess|sid|auth|token|csrf|xsrf|jwt|remember)[\w.-]{0,80}["'],(?:\s{0,20}["']?\w{1,20}["']?: ?(?:"[^"\n]{0,60}"|'[^'\n]{0,60}'|\w{1,20}),){0,4}\s{0,20}["']?value["']?: ?["'](?<secret>[^\s"']{16,4000})["']/i,
        isToken,
      ],
      [
        '\tTRUE\t|\tFALSE\t|\\tTRUE\\t|\\tFALSE\\t',
        /\d{1,12}(?:\t|\\{1,4}t)[\w.%-]{1,100}(?:\t|\\{1,4}t)(?<secret>[^\s"'\\]{8,4000})/,
        (value) => isNoPlaceholder(value) && isMixed(value) && !isWordy(value),
      ],
    ],
  }),
]
