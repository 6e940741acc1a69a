import { STRING_QUOTE } from '../pattern-parts.ts'
import { isChosen } from '../values/chosen-words.ts'
import { isPassword } from '../values/password-values.ts'
import { placeRule, type Rule } from '../rule.ts'
import {
  isBasicCredentials,
  isMixed,
  isNoPlaceholder,
  isRandom,
  isRandomLetters,
  isSigned,
  isToken,
  isWordy,
} from '../values/secret-values.ts'
import { isCertainPassword } from '../values/sentence-values.ts'

const NEWLINE = String.raw`(?:\r?\n|\\{1,4}n)`

/** An argument of a call, before the one that is secret. */
const ARGUMENT = String.raw`\s?(?:${STRING_QUOTE}[^"'\n\\]{0,100}${STRING_QUOTE}|[^"'(),\n\\]{1,60})\s?,`

/** A value in quotes. */
const QUOTED = String.raw`\s?b?${STRING_QUOTE}(?<secret>[^"'\n\\]{4,200})${STRING_QUOTE}`

/** Calls by the number of their arguments before the password. */
const CALLS: readonly [count: string, names: readonly string[]][] = [
  [
    '1',
    [
      'login(',
      'signin(',
      'sign_in(',
      'signIn(',
      'authenticate(',
      'auth=(',
      'auth = (',
      'BasicAuth(',
      'set_secret(',
      'setSecret(',
      'NetworkCredential(',
      'credentials(',
      'auth(',
    ],
  ],
  ['1,2', ['mysqli_connect(', 'mysqli(', 'PDO(', 'getConnection(', 'mysql_connect(', 'sp_addlogin ', 'Sequelize(']],
  ['4', ['sp_addlinkedsrvlogin ']],
  [
    '0',
    ['new Stripe(', "require('stripe')(", 'Hash::make(', 'password_hash(', 'hashpw(', 'set_password(', 'setPassword('],
  ],
  ['1', ['pgp_sym_decrypt(', 'pgp_sym_encrypt(', 'AES_ENCRYPT(', 'AES_DECRYPT(']],
  ['1', ['jwt.sign(', 'jwt.verify(', 'jwt.encode(', 'jwt.decode(', 'createHmac(', 'HMAC(', 'check_password(']],
]

const isArgument = (value: string): boolean =>
  isPassword(value) &&
  (isSigned(value) ||
    isChosen(value) ||
    isRandomLetters(value) ||
    (isMixed(value) && isRandom(value) && value.length >= 8)) &&
  !isWordyPath(value) &&
  (isRandom(value) || !value.includes('/'))

const isWordyPath = (value: string): boolean => /^[\w.]+@[\w-]+\.[a-z]+$/.test(value)

const CALL_RULES = CALLS.map(([count, names]) =>
  placeRule({
    kind: 'password',
    hints: names,
    pattern: `(?:${names.map((name) => name.replaceAll(/[()]/g, '\\$&').replace(/^auth ?= ?/, 'auth ?= ?')).join('|')})(?:${ARGUMENT}){${count}}${QUOTED}`,
    isAnyCase: true,
    accepts: isArgument,
    source: 'the documentation of smtplib, requests, PHP, JDBC and pgcrypto: positional passwords',
  }),
)

/** Names of values that are tokens of a session, and have none of the words by which others are found. */
const SESSION_NAMES = ['sessionid', 'connect.sid', 'jsessionid', 'phpsessid', 'sid']
const SHORT_NAMES = ['auth', 'bearer', 'pepper', 'salt']

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const isSessionValue = (value: string): boolean =>
  isNoPlaceholder(value) && !UUID.test(value) && (isArgument(value) || isToken(value))

/** Returns the rule for values of such names. */
const namedRule = (kind: string, names: readonly string[]): Rule =>
  placeRule({
    kind,
    hints: names.flatMap((name) => ['=', '"', "'", ': ', '\\"', '>'].map((mark) => name + mark)),
    pattern: String.raw`(?:${names.join('|').replace('.', '\\.')})(?:${STRING_QUOTE})?\s{0,3}(?:[=:]|,\s{0,3}${STRING_QUOTE}value${STRING_QUOTE}\s?:|>)\s{0,3}(?:${STRING_QUOTE})?(?<secret>[^\s"'\\,;<>&(){}[\]]{8,200})(?=["'\\;,)}<]|\s|$)`,
    isAnyCase: true,
    before: /(?:^|[^A-Za-z])$|\\n$/,
    // Programs write the ids of their sessions as `sessionId` or `sessionID`.
    accepts: (value, { 0: all }) =>
      !/^[a-z]{1,12}I[dD]/.test(all) && isSessionValue(value) && !isBasicCredentials(value),
    source: 'the names of cookies and of settings',
  })

/** Rules for values that only their position shows to be secret. */
export const POSITION_RULES: readonly Rule[] = [
  ...CALL_RULES,
  namedRule('cookie', SESSION_NAMES),
  namedRule('secret', SHORT_NAMES),
  placeRule({
    kind: 'cookie',
    hints: ['\tTRUE\t', '\tFALSE\t', '\\tTRUE\\t', '\\tFALSE\\t'],
    pattern: String.raw`(?:\t|\\{1,4}t)(?:TRUE|FALSE)(?:\t|\\{1,4}t)\d{1,12}(?:\t|\\{1,4}t)[\w.%-]{1,100}(?:\t|\\{1,4}t)(?<secret>[^\s"'\\]{8,4000})`,
    accepts: (value) => isNoPlaceholder(value) && isMixed(value) && !isWordy(value),
    source: 'curl.se, "Netscape cookie file format"',
  }),
  placeRule({
    kind: 'secret',
    hints: ['_auth='],
    pattern: '_auth=(?<secret>[A-Za-z0-9+/!@#$%^&*._-]{8,200}={0,2})',
    accepts: isArgument,
    source: 'docs.npmjs.com, .npmrc',
  }),
  placeRule({
    kind: 'password',
    hints: ['echo ', 'printf '],
    pattern: String.raw`(?:echo (?:-[ne]{1,2} )?|printf (?:(?:--|'?%s(?:\\n)?'?|"%s(?:\\n)?") ){0,2})(?:${STRING_QUOTE})?(?<secret>[^\s"'|\\<>$${'`'}]{4,200})(?:${STRING_QUOTE})? ?>{1,2} ?[^\s|;&<>]{0,100}(?:passw(?:or)?d|\.pass|passphrase|token|secret|api[_-]?key)(?:\.txt|\.key)?(?=["'\s\\;&)${'`'}]|$)`,
    isAnyCase: true,
    accepts: isCertainPassword,
    source: 'commands that write a file of a secret',
  }),
  placeRule({
    kind: 'password',
    hints: ['send "', "send '", 'send \\"', 'send -- '],
    pattern: String.raw`send (?:-- )?${STRING_QUOTE}(?<secret>[^"'\n\\]{4,100})(?:\\{1,4}[rn]){1,2}${STRING_QUOTE}`,
    before: new RegExp(String.raw`pass(?:word|phrase)[^\n"']{0,20}${STRING_QUOTE}\s?\{?(?:${NEWLINE}|;|\s){1,8}$`, 'i'),
    accepts: isPassword,
    source: 'expect(1)',
  }),
  placeRule({
    kind: 'secret',
    hints: ['::add-mask::'],
    pattern: '::add-mask::(?<secret>[^\\s"\'$\\\\]{4,400})',
    accepts: isNoPlaceholder,
    source: 'docs.github.com, "Workflow commands": masking a value',
  }),
  placeRule({
    kind: 'password',
    hints: ['question'],
    pattern: String.raw`question${STRING_QUOTE}\s{0,3}:\s{0,3}${STRING_QUOTE}[^"'\n\\]{0,200}(?:password|passphrase|token|api key|secret)\??\s?${STRING_QUOTE},\s{0,20}${STRING_QUOTE}(?:answer|response|reply|value)${STRING_QUOTE}\s{0,3}:${QUOTED}`,
    isAnyCase: true,
    accepts: isPassword,
    source: 'tools that ask the user',
  }),
  placeRule({
    kind: 'private-key',
    hints: ['private key 0x', 'private key: 0x', 'private key is 0x', 'private key `0x', 'privkey 0x'],
    pattern: String.raw`(?:private key|privkey)(?: is|:)? ${STRING_QUOTE}?${'`'}?(?<secret>0x[0-9a-f]{64})(?![0-9a-f])`,
    isAnyCase: true,
    source: 'ethereum.org, "Accounts"',
  }),
]
