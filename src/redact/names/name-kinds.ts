import type { NamedValue } from './assignment.ts'

/** Returns whether a name ends with `pass` and names no password. */
export const isOtherPass = (name: string): boolean => OTHER_PASS.test(name) || name === 'sshpass'

/** Words that end with `pass` and name no password, and passes of a compiler, an encoder or a renderer. */
const OTHER_PASS =
  /(?:com|encom|sur|tres|by|buy|under|over)pass$|(?:^|[_.-])(?:boarding|render|shadow|depth|first|second|one|two|multi|single|compiler|opt)[-_]?pass$/i

/** The names of passwords. */
export const PASSWORD_NAME =
  /(?:[Pp][Aa][Ss][Ss](?:[Ww][Oo][Rr][Dd]|[Ww][Dd]|[Pp][Hh][Rr][Aa][Ss][Ee]|[Cc][Oo][Dd][Ee])s?|[Pp][Ww][Dd]|(?:^|[_.-])(?:(?:bind|root|admin|user|db|smtp|imap|pop3|remote|local|repo|ftp|mail|ldap|http|proxy|redis|mysql|pg|ssh|sudo|wp)?pass|psk|(?:bind|root|admin|user|db)?pw)|(?:^|[A-Z_])PW|(?:^|[_.-])PSK|^Pw|(?:[Rr]oot|[Bb]ind|[Aa]dmin)PW|[a-z]P(?:w|sk)|[Pp][Aa][Ss][Ss]_[Pp][Hh][Rr][Aa][Ss][Ee]|(?<!BY|COM|ASK)PASS|Pass)\d{0,2}$/

/** The names of PINs. */
export const PIN_NAME =
  /^(?:(?:.*[-_.])?(?:user|card|sim|door|device|admin|access|login|security|unlock|bank|account|voicemail|lock|alarm|gate|otp|wps|bluetooth|parental|master|customer|phone|hsm|token|piv|so|my|the|old|new|default|pairing|personal|safe|vault)[-_.]?)?pin(?:[-_]?(?:value|code))?\d?$/i

/** Kinds of keys that are secret, before the word `key`. */
export const SECRET_KEY =
  /(?:api|access|secret|private|shared|auth|validation|sign(?:ing)?|encrypt(?:ion)?|decryption|master|app|application|account|subscription|functions?|service|deploy|webhook|admin|hmac|crypto?|cipher|aes|jwt|recovery|unseal|wi-?fi|wlan|license|storage|session|client|consumer|integration|local|device|network|mesh|pre-?shared|stream|merchant|tacacs|radius|write|ingest|pairing|wallet|vault|sdk|^my)[-_. ]?keys?(?:_?base)?\d{0,2}$/i

/** Names of keys that everybody may know. */
export const PUBLIC_KEY =
  /(?:(?:public|publish(?:able)?|cache|primary|foreign|sort|partition|i18n|idempotency|query|host|surrogate)[_-]?key|user\.signingkey|(?:recv|send|search|refresh|list|export|delete|trusted|local)-keys?)$/i

/** Tokens that are counted, parsed or point to a page; as the last word of a name, or the last two. */
const OTHER_TOKEN =
  /(?:^|-)(?:lock|max|min|total|prompt|completion|input|output|cached?|used|next|page|prev(?:ious)?|continuation|sync|cancel(?:l?ation)?|stop|start|end|[ebp]os|pad|unk|sep|mask|special|first|last|unexpected|invalid|syntax|before|after|kept)-?tokens?$/

/** Returns whether a name is that of a secret other than a password. */
export function isSecretName({ name, syntax, isQuoted }: NamedValue): boolean {
  if (/^tokens$/i.test(name) && !isQuoted) return false
  if (/tokens?$/i.test(name))
    return !OTHER_TOKEN.test(name.replaceAll(/([a-z\d])(?=[A-Z])|[^A-Za-z\d]/g, '$1-').toLowerCase())
  if (!/keys?\d{0,2}$/i.test(name)) return true
  if (/[.-]/.test(name) && PUBLIC_KEY.test(name)) return false
  return (
    SECRET_KEY.test(name) || ((syntax === 'shell' || /_KEY$|^[Xx]-.+-[Kk]ey$/.test(name)) && !PUBLIC_KEY.test(name))
  )
}

/** Names of keys and tokens whose value people choose, where they may. */
export const CHOSEN_KEY =
  /(?:api|access|secret|auth|private|signing|encryption|master|licen[cs]e|deploy|service|account|application|app|admin|shared|unseal|recovery|tacacs|radius)[-_. ]?key(?:[-_]?base)?$|[a-z\d][-_. ]?token$/i

/** Names whose value people choose. */
export const SECRET_NAME = /(?:secret|credential)s?\d?$|secret_?key$/i
