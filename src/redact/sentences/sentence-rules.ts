import { type Rule, rulesOf } from '../rule.ts'
import { isMixed, isPlaceholder, isRandom, isWordy } from '../values/secret-values.ts'
import { OPENING_QUOTE, WORD_VALUE, isNearPassword, isProsePassword } from '../values/passwords.ts'

const isKey = (value: string): boolean =>
  isMixed(value) && isRandom(value) && !isWordy(value) && !isPlaceholder(value) && !value.includes('://')

const KEY_VALUE = `${OPENING_QUOTE}{0,3}(?<secret>[A-Za-z0-9_.+/=-]{16,400})`

const BEHIND_USE =
  ' to log in| to login| to sign in| to authenticate| to unlock| to get in| when it asks| when it prompts| when prompted| when asked| at the password prompt| at the login prompt'

/** Rules for secrets in the sentences of users, and in those that programs print. */
export const SENTENCE_RULES: readonly Rule[] = rulesOf({
  password: [
    // "the password is x"
    [
      'password |passphrase |passwd |pwd |pass is |pass was |pass -> |pass => ',
      String.raw`(?:(?<!(?:const |let |var |[-\w$.]))|(?<=\b(?:db|my|the)[-_ ]))(?:pass(?:word|phrase|wd)?|pwd) (?:(?:for|of) (?:the )?\S{1,40} )?(?<verb>(?:is|was|are|to|=|:|->|=>|-|–):? (?:now )?)?${WORD_VALUE}`,
      (value, { groups }) => (groups?.['verb'] !== undefined || groups?.['quote'] !== '') && isProsePassword(value),
    ],
    // "Password for user joe: x"
    [
      'password |passphrase ',
      String.raw`(?:password|passphrase) [^\n:="'${'`'}\\]{1,60}: ${OPENING_QUOTE}{0,2}(?<secret>[^\s"'${'`'}\\<>]{8,100})(?=[ \t"'${'`'}]{0,20}(?:\r?\n|\\{1,4}[rn]|$))`,
      isProsePassword,
    ],
    // "Use x to log in", "Type x when it asks for it"
    [
      BEHIND_USE,
      `(?<=\\b(?:use|type|enter|try) ${OPENING_QUOTE}?(?<secret>[^\\s"'\`]{8,100})["'\`”»]?)(?:${BEHIND_USE})`,
      isNearPassword,
    ],
    // "the PIN is 1234"
    [
      'pin ',
      String.raw`(?<![\w-])pin (?:code )?(?:(?:for|of|to) (?:[\w-]{1,15} ){1,3})?(?:is|ist|lautet|est|es|è|é):? ${OPENING_QUOTE}{0,3}(?<secret>\d{4,8})(?!\w|\.\d)`,
    ],
  ],
  secret: [
    // "the API key is x"
    [
      'key is |key - |token is |token - |secret is |secret - |key was |token was |key => ',
      `(?<!(?:cache|public|primary|foreign|partition|sort|host|object|idempotency|query|this|commit)[ -])(?:key|token|secret) (?:is|was|-|=>):? (?:now )?${KEY_VALUE}`,
      isKey,
    ],
    // Programs that print a new token; vault operator init.
    [
      'token created|token generated|key created|key generated|unseal key ',
      `(?:(?:token|key) (?:created|generated)|unseal key \\d{1,2})(?: successfully)?: ${KEY_VALUE}`,
      isKey,
    ],
  ],
})
