import type { Rule } from '../rule.ts'
import { endOf, matchAt } from '../scan.ts'
import { isPath, isPlaceholder } from '../values/secret-values.ts'

const NAME = String.raw`[\w./:${'`'}'"\[\]-]{0,80}(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|(?:access|secret|private)[_-]?key)(?:[_-]?(?:key|value|string)){0,2}`

/** Commands whose output is a secret. Source: the manual pages of these commands. */
const PRINTING = [
  '(?:go)?pass show (?!--?(?:help|version|clip|c))',
  String.raw`(?:go)?pass (?:-o )?(?!ls|git|list)[\w.-]{1,40}/[\w./@-]{1,80}\s*(?:[|;]|$)`,
  String.raw`vault (?:kv get|read) (?:-[\w=-]{1,30} ){0,3}-field[= ](?!\w{0,20}(?:user|name|host|url|port|version))`,
  String.raw`(?:gcloud secrets versions access|aws secretsmanager get-secret-value|op read|secret-tool lookup|keyring get|lpass show .{0,40}--password|gh auth token|kubectl create token|bw get (?:password|notes|totp)|az keyvault secret show|aws configure get aws_secret_access_key|security find-(?:generic|internet)-password .{0,200}-w|pwgen|argocd admin initial-password|heroku auth:token|op item get .{1,80}--fields? [\w=,]{0,30}(?:password|credential|secret|token|key))\b`,
  'aws ssm get-parameters? .{0,200}--with-decryption',
  String.raw`kubectl .{0,60}\bget secrets?[ /].{0,200}(?:jsonpath|template)\b.{0,20}\.(?:string)?data\b(?:[^|<>\n]{0,80}\| ?base64decode ?\}\}['"])?`,
  String.raw`wg gen(?:key|psk)\b`,
  String.raw`openssl rand (?:-hex|-base64) \d{2}`,
  String.raw`(?:doppler|infisical) secrets get .{0,80}--plain`,
  `(?:(?:terraform|tofu) output -raw|heroku config:get|pulumi config get|consul kv get|printenv|echo (?:-n )?"?\\$\\{?|[jy]q -r ['"]?) ?${NAME}["'}\\]]{0,3}(?=[\\s|;]|$)`,
  String.raw`(?:gzip|bzip2|xz|zstd|tar) .{0,100}(?:\.key|\.pem|\.p12|\.pfx|id_(?:rsa|ed25519|ecdsa))\b.{0,60}\| ?(?:openssl )?base64`,
  String.raw`cat \S{0,100}(?:/run/secrets/\S{1,60}|\bmaster\.key|(?:passw(?:or)?d|[._-]pass|passphrase|secret|token|api[_-]?key)(?:\.txt|\.key|_file)?)(?=\s|$)`,
]

/** Before it, no command takes the output; behind it, others show it as it is, and no file does. */
const PRINTS = new RegExp(
  String.raw`(?<=^|[^$][\s(;&|]|^\()(?:sudo (?:-\w \w{1,30} )?)?(?:${PRINTING.join('|')})(?:[^|<>\n]|\d>)*(?:\| ?(?:base64|head|tail|tr|cut|awk|sed|jq|cat|openssl base64)\b[^|<>\n]*){0,4}$`,
  'im',
)

const COMMAND_CHARACTERS = 500

/** Returns whether a command prints a secret and nothing before it. */
export const printsSecret = (command: string): boolean => PRINTS.test(command.slice(0, COMMAND_CHARACTERS))

/** Stands for such a command before its output, so that one rule knows both. */
export const PRINTING_LINE = '$ pass show x\n'

/** Behind the command: a line that is the secret, or the member of JSON that is. */
const PRINTED =
  /(?:\r?\n|\\{1,4}n)(?:\s{0,4}(?<quote>\\{0,3}["'])?(?<alone>[^\s"'\\]{6,8000})\\{0,3}["']?(?=[ \t]{0,8}(?:\r?\n|\\|"|$))|[^$]{0,1000}?\\{0,3}"(?:value|secretstring)\\{0,3}"\s?:\s?\\{0,3}"(?<member>[^\s"'\\{][^"\n\\]{3,400}))/iy

/** Commands with their output, as terminals show them. */
export const PRINTED_RULE: Rule = {
  hints: ['$ ', '# ', '❯ ', '➜ ', '% '],
  isAnyCase: false,
  find(text, at) {
    if (!/[a-z]/.test(text.charAt(at + 2))) return []
    const line = /^[^\n\\]{0,500}/.exec(text.slice(at + 2, at + 2 + COMMAND_CHARACTERS))?.[0] ?? ''
    if (!printsSecret(line)) return []
    const match = matchAt(PRINTED, text, at + 2 + line.length)
    const { alone, member } = match?.groups ?? {}
    const value = alone ?? member ?? ''
    if (match === undefined || isPlaceholder(value) || isPath(value) || NO_SECRET.test(value)) return []
    const start = match.index + match[0].lastIndexOf(value)
    return [{ start, end: Math.min(endOf(match), start + value.length), kind: 'password' }]
  },
}

/** A message, or the beginning of a document. */
const NO_SECRET = /[:,[{(]$|^[{[(<*=-]|^(?:error|warning|usage|null)\b/i
