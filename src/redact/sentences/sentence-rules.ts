import { PHRASE_RULES } from './phrase-rules.ts'
import { placeRule, type Rule } from '../rule.ts'
import { isProsePassword, QUOTE, WORD_VALUE } from '../values/sentence-values.ts'
import { isMixed, isPlaceholder, isRandom, isWordy } from '../values/secret-values.ts'

const isKey = (value: string): boolean =>
  isMixed(value) && isRandom(value) && !isWordy(value) && !isPlaceholder(value) && !value.includes('://')

/** Rules for secrets in sentences. */
export const SENTENCE_RULES: readonly Rule[] = [
  ...PHRASE_RULES,
  placeRule({
    kind: 'password',
    hints: ['password ', 'passphrase ', 'passwd ', 'pwd ', 'pass is ', 'pass was ', 'pass -> ', 'pass => '],
    pattern: String.raw`(?:pass(?:word|phrase|wd)?|pwd) (?:(?:for|of) (?:the )?\S{1,40} )?(?<verb>(?:is|was|are|to|=|:|->|=>|-|–):? (?:now )?)?${WORD_VALUE}`,
    isAnyCase: true,
    before: /(?:^|[^-\w$.])$|\b(?:db|my|the)[-_ ]$/i,
    accepts: (value, { groups }) =>
      (groups?.['verb'] !== undefined || groups?.['quote'] !== '') && isProsePassword(value),
    source: 'sentences of users: "the password is x"',
  }),
  placeRule({
    kind: 'password',
    hints: ['password ', 'passphrase '],
    pattern: String.raw`(?:password|passphrase) [^\n:="'${'`'}\\]{1,60}: ${QUOTE}{0,2}(?<secret>[^\s"'${'`'}\\<>]{8,100})(?=[ \t"'${'`'}]{0,20}(?:\r?\n|\\{1,4}[rn]|$))`,
    isAnyCase: true,
    accepts: isProsePassword,
    source: 'programs that print a new password: "Password for user joe: x"',
  }),
  placeRule({
    kind: 'secret',
    hints: [
      ...['key', 'token', 'secret'].flatMap((name) => [`${name} is `, `${name} - `]),
      'key was ',
      'token was ',
      'key => ',
    ],
    pattern: String.raw`(?:key|token|secret) (?:is|was|-|=>):? (?:now )?${QUOTE}{0,3}(?<secret>[A-Za-z0-9_.+/=-]{16,400})`,
    isAnyCase: true,
    before: /^(?!.*(?:cache|public|primary|foreign|partition|sort|host|object|idempotency|query|this|commit)[ -]$)/is,
    accepts: isKey,
    source: 'sentences of users: "the API key is x"',
  }),
  placeRule({
    kind: 'secret',
    hints: ['token created', 'token generated', 'key created', 'key generated', 'unseal key '],
    pattern: String.raw`(?:(?:token|key) (?:created|generated)|unseal key \d{1,2})(?: successfully)?: ${QUOTE}{0,3}(?<secret>[A-Za-z0-9_.+/=-]{16,400})`,
    isAnyCase: true,
    accepts: isKey,
    source: 'programs that print a new token; vault operator init',
  }),
  placeRule({
    kind: 'password',
    hints: ['pin is ', 'pin code is '],
    pattern: String.raw`pin (?:code )?is ${QUOTE}{0,3}(?<secret>\d{4,8})(?!\w|\.\d)`,
    isAnyCase: true,
    before: /(?:^|[^\w-])$/,
    source: 'sentences of users: "the PIN is 1234"',
  }),
  placeRule({
    kind: 'secret',
    hints: ['recovery code', 'backup code', 'rescue code'],
    pattern: String.raw`(?:recovery|backup|rescue) codes?(?:["'${'`'}*]{0,3}\s?[:=]| is| are) ?${QUOTE}{0,3}(?<secret>(?=[a-z0-9-]{0,60}\d)[a-z0-9]{4,12}(?:-[a-z0-9]{4,12}){1,5})`,
    isAnyCase: true,
    source: 'docs.github.com, "recovery codes"',
  }),
]
