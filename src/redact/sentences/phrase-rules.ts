import { placeRule, type Rule } from '../rule.ts'
import { isCertainPassword, isProsePassword, QUOTE, WORD_VALUE } from '../values/sentence-values.ts'

/** The word for a password in other languages. */
const PASSWORD_WORDS = [
  ...['passwort', 'kennwort', 'mot de passe', 'contraseña', 'contrasena', 'clave', 'senha', 'palavra-passe', 'parola'],
  ...['wachtwoord', 'lösenord', 'hasło', 'heslo', 'salasana', 'adgangskode', 'şifre', 'parolă', 'jelszó', 'kata sandi'],
  ...[
    'пароль',
    '密码',
    '密碼',
    '口令',
    'パスワード',
    '비밀번호',
    'mật khẩu',
    'κωδικός',
    "parola d'ordine",
    'parola chiave',
  ],
]

/** The words for a key. */
const KEY_WORDS = [
  ...['api key', 'secret key', 'access key', 'access token', 'api token', 'auth token', 'api-schlüssel', 'clé api'],
  ...["clé d'api", 'clave de api', 'clave api', 'chiave api', 'chave da api', 'chave de api', 'chave api'],
  ...[
    'klucz api',
    'api-sleutel',
    'ключ api',
    'the token',
    'the secret',
    'client secret',
    'app secret',
    'signing secret',
    'webhook secret',
    'license key',
  ],
]

/** Words between the word for a password and its value, in the languages above. */
const IS = String.raw`(?:[:：=]|->|=>|→|[—–-]|(?:ist|lautet|heißt|heisst|is|was|now|es|est|é|è|jest|to|на|auf|in|a|on|är|er|это|είναι|it's|it’s|c'est|c’est|with|mit|avec|con|com|en|auf):?(?= )|は|是|为|為|는|은)`
const OF = '(?:for|of|to|on|at|für|von|zu|zum|zur|du|de|des|del|della|do|da|dla|от|для|к|van|voor|para|pour|per)'
const NEXT_WORD = String.raw` [^\s.,:;=!?"'${'`'}«»<>()[\]{}|/\\]{1,24},?`

/** A value at the end of the text before a hint. */
const valueBefore = (links: string): string =>
  `(?<=(?:^|[\\s"'\`“«(*:])(?<secret>[^\\s"'\`“”«»,;:<>()|*]{6,100})[.,"'\`”»*)]{0,4} ${links})`

const escaped = (words: readonly string[]): string => words.join('|')

/** Returns the rules for a kind of word: with a verb behind it, and with its value at once. */
function rulesFor(kind: string, words: readonly string[], { before }: { before?: RegExp } = {}): Rule[] {
  const common = { kind, hints: words, isAnyCase: true, ...(before === undefined ? {} : { before }) }
  const word = `(?:${escaped(words.map((one) => one.trim()))})[*"'\`]{0,3}`
  return [
    placeRule({
      ...common,
      pattern: `${word} {0,2}${IS}${QUOTE}{0,3} {0,3}${WORD_VALUE}`,
      accepts: isProsePassword,
      source: 'sentences of users: "the password is x"',
    }),
    placeRule({
      ...common,
      pattern: `${word}(?:${NEXT_WORD}){1,7}? ?${IS} ${WORD_VALUE}`,
      accepts: isCertainPassword,
      source: 'sentences of users: "the password for the server is x", "was changed to x"',
    }),
    placeRule({
      ...common,
      pattern: `${word}(?: ${OF}(?:${NEXT_WORD}){1,3}?)? \\(?(?=\\S{0,80}\\d|[\`"'“«]?[a-z]{3,14}-[a-z]{3,14}-[a-z]{3,14}-[a-z])${WORD_VALUE}`,
      accepts: isCertainPassword,
      source: 'sentences of users: "user joe, password x"',
    }),
  ]
}

/** What a value is said to be, behind it. */
const NAMES = [
  ...['password', 'passphrase', 'passwort', 'kennwort', 'wachtwoord', 'mot de passe', 'contraseña', 'clave', 'senha'],
  ...['hasło', 'parola', 'пароль', 'api key', 'token', 'secret', 'basic auth'],
]

/** The words before such a name: `x as the password`, `x is my password`, `x (password for the box)`. */
const LINKS = [
  ...[
    'as',
    'as the',
    'as a',
    'as my',
    'work as a',
    'works as a',
    'work as the',
    'as your',
    'is the',
    'is my',
    'is your',
    "that's the",
    'that is the',
    "that's my",
    'als',
    'ist das',
    'comme',
    'est le',
  ],
  ...['como', 'es la', 'é a', 'come', 'è la', 'jako', 'to', 'как'],
]

/** Words for a user and his password together. */
const CREDENTIALS = [
  'credentials',
  'creds',
  'zugangsdaten',
  'identifiants',
  'credenciales',
  'credenziali',
  'credenciais',
]

/** Rules for sentences in many languages; the words are tables. */
export const PHRASE_RULES: readonly Rule[] = [
  ...rulesFor('password', PASSWORD_WORDS),
  ...rulesFor('password', ['password ', "password's ", 'passphrase ', 'passwd ', 'pw ', 'mdp '], {
    before: /(?:^|[^\w$.])$|\b(?:db|my|the)[-_ ]$/i,
  }),
  ...rulesFor('secret', KEY_WORDS, { before: /(?:^|[^\w$.-])$/ }),
  placeRule({
    kind: 'password',
    hints: ['(password', ...NAMES.map((name) => ` ${name}`)],
    pattern: `${valueBefore(`(?:(?:${LINKS.join('|')})(?: [a-z]{2,12}){0,2}|(?=\\())`)}[ (](?:${NAMES.join('|')})`,
    isAnyCase: true,
    accepts: isCertainPassword,
    source: 'sentences of users: "use x as the password"',
  }),
  placeRule({
    kind: 'password',
    hints: [...CREDENTIALS, 'log in with ', 'login with ', 'user/pass'],
    pattern: `(?:${CREDENTIALS.join('|')}|log ?in with|user/pass(?:word)?)(?: ?:| are| sind| sont| son| sono)? ${QUOTE}{0,3}[\\w.@+-]{1,60}${QUOTE}{0,3}(?: ?[/:|,] ?| and | und | et | y | e )${WORD_VALUE}`,
    isAnyCase: true,
    accepts: isProsePassword,
    source: 'sentences of users: "credentials: joe / x"',
  }),
  placeRule({
    kind: 'password',
    hints: ['password', 'passphrase'].flatMap((name) => [`${name}\n`, `${name}:\n`]),
    pattern: `(?:password|passphrase):?\\n(?:[=-]{3,40})?\\n?[ \\t]{0,8}${WORD_VALUE}(?=["'\`]?[ \\t]{0,8}(?:\\n|$|["']))`,
    isAnyCase: true,
    accepts: isCertainPassword,
    source: 'a value on a line of its own',
  }),
  placeRule({
    kind: 'secret',
    hints: ['mnemonic', 'seed phrase', 'recovery phrase', 'seed words', 'secret phrase'],
    pattern: `(?:mnemonic|(?:seed|recovery|secret) (?:phrase|words))s?(?: phrase)?(?: is| are)?(?:\\\\{0,3}["'])? ?[:=]? ?\\\\{0,3}["'\`]?(?<secret>(?:[a-z]{3,8}[ ,]{1,2}){11}(?:(?:[a-z]{3,8}[ ,]{1,2}){3}){0,4}[a-z]{3,8})`,
    isAnyCase: true,
    source: 'BIP 39: 12 to 24 words',
  }),
]
