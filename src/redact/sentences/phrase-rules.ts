import { type Judge, type Rule, rulesOf } from '../rule.ts'
import { isChosen, isNumberedWords, isProgramWord } from '../values/chosen-words.ts'
import { isMixed, isPlaceholder, isRandom, isWordy } from '../values/secret-values.ts'
import { isCertainOrPhrase, isStatedPassword } from '../values/stated-passwords.ts'
import { OPENING_QUOTE, WORD_VALUE, isCertainPassword, isProsePassword } from '../values/passwords.ts'

/** The word for a password in other languages. */
const PASSWORD_WORDS =
  'passwort|kennwort|mot de passe|mot_de_passe|motdepasse|contraseña|contrasena|clave|senha|palavra-passe|parola|wachtwoord|lösenord|hasł|heslo|' +
  'passord|lozink|geslo|slaptažod|parool|contrasenya|pasahitza|kata laluan|كلمة السر|암호|暗号|' +
  'salasana|adgangskode|şifre|parolă|phrase secrète|jelszó|kata sandi|парол|лозинк|密码|密碼|口令|パスワード|비밀번호|비번|mật khẩu|κωδικός|पासवर्ड|كلمة المرور|סיסמה|รหัสผ่าน|' +
  "parola d'ordine|parola chiave|code secret|phrase de passe|frase de contraseña|frase de acceso|frase-senha|frase secreta|" +
  "кодовая фраза|кодовую фразу|секретная фраза|ключевая фраза|パスフレーズ|暗証番号|통과 구문|code d'accès|code d’accès|" +
  'zugangscode|código de acceso|código de acesso|codice di accesso|codice d’accesso|kod dostępu|код доступа'

const KEY_WORDS =
  "api key|secret key|access key|access token|api token|auth token|api-schlüssel|clé api|clé d'api|clave de api|clave api|" +
  'chiave api|chave da api|chave de api|chave api|klucz api|api-sleutel|ключ api|the token|the secret|client secret|' +
  'app secret|signing secret|webhook secret|license key|encryption key|bot token|session cookie|wlan key|wifi key|wi-fi key|' +
  "jeton d'accès|jeton d’accès|jeton d'api|zugangstoken|zugriffstoken|zugriffsschlüssel|geheimnis|токен|ключ доступа|" +
  '令牌|密钥|密鑰|apiキー|アクセストークン|トークン|토큰|api 키|' +
  'tajny klucz|clé secrète|clave secreta|chave secreta|chiave segreta|geheimer schlüssel|secret client|secreto|segredo|segreto|geheim|секрет|シークレット|시크릿|секретный ключ'

/** Words between the word for a password and its value, in the languages above. */
const IS = String.raw`(?:[:：=＝]|->|=>|→|[—–-]|(?:ist|lautet|heißt|heisst|is|be|was|now|es|est|é|è|je|jest|to|на|auf|in|a|on|är|er|это|είναι|este|és|yra|là|adalah|هي|היא|it's|it’s|c'est|c’est|with|mit|avec|con|com|en|auf):?(?= )|は|คือ|是|(?:改|设)?[为為]|改成了?|는|은)`
/** Words behind them. */
const NOW = '(?: (?:now|again|currently|jetzt|nun|neu|ahora|ora|agora|maintenant|désormais|nu|teraz|теперь|тепер))?'
const OF =
  '(?:for|of|to|on|at|für|fürs|von|vom|beim|im|zu|zum|zur|du|de|des|del|della|do|da|dla|от|для|к|van|voor|para|pour|per)'
const NEXT_WORD = String.raw` (?:[a-zA-Z]{1,4}['’](?=\S))?[^\s.,:;=!?"'${'`'}«»<>()[\]{}|/\\]{1,24},?`

/** Words with a number or a mark between them, or a long run of letters: the beginning of a value. */
const LIKELY = '(?=(?:« ?)?\\S{0,80}\\d|[`"\'“«]?[a-z]{3,14}(?:[-_.+][a-z]{3,14}){2}[-_.+][a-z]|[`"\'“«]?[a-z]{12})'

/** Endings of the words, as in `Lösenordet`, `parolası`, `пароля`. */
const ENDING = '[a-z\u00df-\u017f\u0430-\u044f]{0,4}'

/** A word for "is" or a mark, before a value. */
const OUTRIGHT =
  /(?:[:：=＝是为為는은はคือ→>—–-]|\b(?:ist|lautet|heißt|heisst|is|was|now|est|es|jest|это|είναι|este|yra|adalah|jetzt|nun|ahora|teraz)|[\sа-яё](?:é|è|är|er|là|это))[*"'`“«„ ]{0,8}$/u

/** Returns whether a value is a password, or one where the text says that it is. */
const isOutright: Judge = (value, { 0: all }) =>
  isProsePassword(value) || (isStatedPassword(value) && OUTRIGHT.test(all.slice(0, all.lastIndexOf(value))))

/** The text between a word and its value, and how sure the value must be. */
const LINKS: readonly (readonly [link: string, accepts: Judge])[] = [
  // "the password is x"
  [` {0,2}${IS}${NOW}${OPENING_QUOTE}{0,3} {0,3}`, isOutright],
  // "the password for the server is x", "was changed to x"
  [
    `,?(?:${NEXT_WORD}){0,7}?(?: \\([^()\\n]{1,30}\\))? ?(?<![a-zß-ÿ](?=[a-z]))${IS}${NOW} ${LIKELY}`,
    isCertainOrPhrase,
  ],
  // "user joe, password x"
  [`(?: ${OF}(?:${NEXT_WORD}){1,3}?)? \\(?${LIKELY}`, isCertainOrPhrase],
]

/** Returns the rules for the words of one kind, behind what a pattern looks at. */
const wordRules = (kind: string, words: string, before?: string): Rule[] => {
  const start = before === undefined ? '' : `${before}(?:${words.replaceAll(/[ :](?=\||$)/g, '')})`
  return rulesOf({
    [kind]: LINKS.map(([link, accepts]) => [words, `${start}${ENDING}[*"'\`]{0,3}${link}${WORD_VALUE}`, accepts]),
  })
}

/** Names of secrets behind a value. */
const NAMES =
  'password|passphrase|passwort|kennwort|wachtwoord|mot de passe|contraseña|clave|senha|hasł|heslo|lösenord|adgangskode|şifre|salasana|parola|парол|api key|token|secret|basic auth|encryption key|signing key|secret key|access key|license key|master key|deploy key|recovery key|account key|unseal key|psk'

/** The words before such a name: `x as the password`, `x is my password`. */
const BEFORE_NAME =
  "as|for the|for my|for your|as the|as a|as my|work as a|works as a|work as the|as your|is the|is my|is your|that's the|that is the|that's my|" +
  'als|ist das|comme|est le|como|es la|é a|come|è la|jako|to|как'

/** A value at the end of the text before a hint. */
const VALUE_BEFORE =
  '(?:^|[\\s"\'`“«(*:])(?<secret>(?:[^\\s"\'`“”«»,;:<>()|*]|\\*(?=[\\w!#%&?~+=-])){6,100})[.,"\'`”»*)]{0,4}'

/** Words in quotes that say something of a password, or of a field for one. */
const STATES =
  /(?:ed|ing|ory|able|ible|al|less|ent|ive|ée?|[aiu][dt][oa])$|^(?:ver|ge|be|er).*[nt]$|^(?:empty|null|hidden|wrong|short|secure|string|number|password|plaintext|letters|digits)$/i

const isSaidPassword = (value: string): boolean => !STATES.test(value) && !isProgramWord(value) && !isPlaceholder(value)

const isNumberedTitle = (value: string): boolean => /^[A-Z]/.test(value) && !value.split(' ').some(isProgramWord)

/** Words for a user and his password together. */
const CREDENTIALS =
  'credentials|creds|zugangsdaten|anmeldedaten|identifiants|credenciales|credenziali|credenciais|dane logowania|' +
  'ログイン情報|認証情報|登录信息|登录凭据|账号密码|帐号密码|登入資訊|로그인 정보|계정 정보|' +
  'учётные данные|учетные данные|inloggegevens|inloggningsuppgifter|přihlašovací údaje'

const isKey = (value: string): boolean =>
  value.length >= 16 &&
  isMixed(value) &&
  isRandom(value) &&
  !isWordy(value) &&
  !isPlaceholder(value) &&
  !value.includes('://')

const KEY_VALUE = `${OPENING_QUOTE}{0,3}(?<secret>[A-Za-z0-9_.+/=-]{10,400})`

/** Rules for sentences of users in many languages, and for those that programs print; the words are tables. */
export const PHRASE_RULES: readonly Rule[] = [
  ...wordRules('password', PASSWORD_WORDS),
  ...wordRules(
    'password',
    "password |password's |passphrase |passwd |pw |mdp |mdp:|sudo pass |root pass |admin pass |db pass |wifi pass |pass del |pass de |pass for |pass für ",
    '(?<!const |let |var |[A-Za-z\\d$.]|(?<!\\b(?:db|my|the))_)',
  ),
  ...wordRules('secret', KEY_WORDS, '(?<![\\w$.-])'),
  ...rulesOf({
    password: [
      // "use x as the password", "x (password for the box)"
      [
        `(password| ${NAMES.replaceAll('|', '| ')}`,
        `(?<=${VALUE_BEFORE}(?: (?:[a-z]{2,9} ){0,3}(?:${BEFORE_NAME})(?: [a-z]{2,12}){0,2}| (?=\\()| (?:that|this)(?= password)))[ (](?:${NAMES})`,
        (value) => isCertainPassword(value),
      ],
      // "the password is `Sommerregen`": a word in quotes.
      [
        `password|passphrase|${PASSWORD_WORDS}`,
        `(?<![\\w$.-])(?:password|passphrase|${PASSWORD_WORDS})(?: for [\\w ]{1,30})? (?:is|was|ist|lautet|est|es|è|é|jest)(?: now| set to)? (?<quote>["'\`“«])(?<secret>[A-Za-z\u00c0-\u024f]{6,40})["'\`”»]`,
        isSaidPassword,
      ],
      // Words in quotes.
      [
        `password |passphrase |pw |${PASSWORD_WORDS}`,
        `(?<![\\w$.-])(?:password|passphrase|pw|${PASSWORD_WORDS}):? ?(?:(?:${OF}(?:${NEXT_WORD}){1,3}? )?${IS} )?["'\`“«„](?<secret>[a-zß-ÿ]{3,14}(?: [a-zß-ÿ]{3,14}){3,8}(?: \\d{1,4})?|(?:[A-Z][a-zß-ÿ]{2,13} ){2,5}\\d{1,4})["'\`”“»]`,
        (value) => isChosen(value.replace(/ \d+$/, '').replaceAll(' ', '-')) || isNumberedTitle(value),
      ],
      // Languages without blanks: the value follows at once, or behind a particle.
      [
        '密码|密碼|口令|パスワード|パスフレーズ|暗証番号|비밀번호|비번',
        `(?:を|は|が|로|를|을|는|[:：=＝])?[ \u3000]?(?=[“「『（"'\`]?[!-~])${LIKELY}${WORD_VALUE}`,
        isCertainOrPhrase,
      ],
      // "credentials: joe / x"
      [
        `${CREDENTIALS}|log in with|login with|user/pass|basic auth|login:|login is`,
        `(?:word)?(?<!login is(?! [\\w.@+-]{1,60} ?/))(?: ${OF}(?: [^\\s:]{1,40}){1,3})?(?:： ?|は ?|(?: ?:| are| sind| sont| son| sono)? )${OPENING_QUOTE}{0,3}[\\w.@+-]{1,60}${OPENING_QUOTE}{0,3}(?: ?[/／:|,] ?| and | und | et | y | e )${WORD_VALUE}`,
        isProsePassword,
      ],
      // A value on a line of its own.
      [
        'password\n|password:\n|passphrase\n|passphrase:\n',
        `(?:[=-]{3,40})?\\n?[ \\t]{0,8}${WORD_VALUE}(?=["'\`]?[ \\t]{0,8}(?:\\n|$|["']))`,
        isCertainPassword,
      ],
      // "the password is x"
      [
        'password |passphrase |passwd |pwd |pass is |pass was |pass -> |pass => ',
        String.raw`(?<!const |let |var |[A-Za-z\d$.]|(?<!\b(?:db|my|the))[-_])(?:pass(?:word|phrase|wd)?|pwd) (?:(?:for|of) (?:the )?\S{1,40} )?(?<verb>(?:is|was|are|to|=|:|->|=>|-|–):? (?:now )?)?${WORD_VALUE}`,
        (value, { groups }) =>
          (/^(?!to)/.test(groups?.['verb'] ?? 'to') && isStatedPassword(value)) ||
          ((groups?.['verb'] !== undefined || groups?.['quote'] !== '') && isProsePassword(value)),
      ],
      // "Password for user joe: x"
      [
        'password |passphrase ',
        String.raw`[^\n:="'${'`'}\\]{1,80}: ${OPENING_QUOTE}{0,2}(?<secret>[^\s"'${'`'}\\<>]{8,100})(?=[ \t"'${'`'}]{0,20}(?:\r?\n|\\{1,4}[rn]|[,)}\]]|$))`,
        isProsePassword,
      ],
      // "door code: 1234"
      [
        ' code: | code is | code = | pin: | pin = ',
        /(?<=\b(?:door|gate|entry|alarm|security|unlock|lock|safe|pairing|setup|verification|2fa|mfa|otp|one-time|card|sim|voicemail))(?: access)? (?:code|pin)(?::| is| =) ["'`]?(?<secret>\d{4,10})(?![\w.])/i,
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
        (value) => isKey(value) || isNumberedWords(value),
      ],
      // "set API_TOKEN to x"
      [
        ['secret', 'token', 'key', 'password', 'passwd', 'passphrase', 'pwd', 'psk', '_pass']
          .flatMap((name) => ['', '"', "'", '`'].map((quote) => `${name}${quote} to `))
          .join('|'),
        `(?<=\\b(?:set|change|update) (?:the )?["'\`]?[\\w.-]{0,40})\\w{3,10}["'\`]? to ${WORD_VALUE}`,
        (value) => isKey(value) || isCertainPassword(value),
      ],
      // Programs that print a new token; vault operator init.
      [
        'token created|token generated|key created|key generated|unseal key ',
        `(?:\\d{1,2})?(?: successfully)?: ${KEY_VALUE}`,
        isKey,
      ],
    ],
  }),
]
