import { SECRET_COMMANDS, type SecretCommand, secretsByForm } from './command-forms.ts'
import { COMMAND_CHARACTERS, wordsOfCommand } from './command-line.ts'
import { type PatternRow, type Rule, rulesOf, type Secret } from '../rule.ts'
import { decodeBase64, endAt, isTokenStart, QUOTE } from '../scan.ts'
import { isNumberedWords } from '../values/chosen-words.ts'
import { VALUE, isCertainPassword, isPassword, isStrictPassword } from '../values/passwords.ts'

/** Commands by the two letters with which their names begin. */
const BY_HEAD = new Map<string, SecretCommand[]>()
for (const command of SECRET_COMMANDS) {
  const head = command.name.slice(0, 2)
  BY_HEAD.set(head, [...(BY_HEAD.get(head) ?? []), command])
}

/** Returns the commands whose name stands at a place, and where it ends. */
function* commandsAt(text: string, at: number): Generator<{ command: SecretCommand; end: number }> {
  for (const command of BY_HEAD.get(text.slice(at, at + 2)) ?? []) {
    if (!text.startsWith(command.name, at)) continue
    const nameEnd = at + command.name.length
    const end = (command.isPrefix ? endAt(REST_OF_NAME, text, nameEnd) : undefined) ?? nameEnd
    if (/[ \t\\\u001b]/.test(text.charAt(end))) yield { command, end }
    else if (EXE_END.test(text.slice(end, end + 5))) yield { command, end: end + 4 }
  }
}

const REST_OF_NAME = /[\w.-]{1,30}/y

/** The end of a program's name on Windows. */
const EXE_END = /^\.exe[ \t]$/

/** Returns the length of the name before `.exe`. */
const lengthOfName = (text: string, end: number): number =>
  /[A-Za-z\d_-]{0,30}$/.exec(text.slice(Math.max(0, end - 30), end))?.[0].length ?? 0

/** Secrets among the arguments of a command, wherever its line stands. */
const COMMAND_RULE: Rule = {
  hints: [...SECRET_COMMANDS.map(({ name, isPrefix }) => (isPrefix ? name : `${name} `)), '.exe '],
  isAnyCase: false,
  find(text, found) {
    const at = found - (text.startsWith('.exe ', found) ? lengthOfName(text, found) : 0)
    if (!isTokenStart(text, at)) return []
    const secrets: Secret[] = []
    for (const { command, end } of commandsAt(text, at)) {
      const rest = text.slice(end, end + COMMAND_CHARACTERS)
      const forms = command.forms.filter(({ keys }) => keys.some((key) => rest.includes(key)))
      if (forms.length === 0) continue
      const words = wordsOfCommand(text, at, end)
      const raw = words.map(({ start, end }) => text.slice(start, end))
      for (const { word, start, end } of forms.flatMap((form) => secretsByForm(form, raw))) {
        const from = words[word]?.start ?? 0
        secrets.push({ start: from + start, end: from + end, kind: 'password' })
      }
    }
    return secrets.sort((a, b) => a.end - b.end)
  },
}

/** Commands that read a secret from their input. */
const READS =
  'secrets? (?:put|set|create|add|versions)|variable set|env add|cryptsetup|unlock|passwd|kinit|log ?in\\b|signin|' +
  '-stdin|--with-token|--passphrase-fd|pass stdin|sudo -S|\\bsu\\b'

/** Commands that write their argument, and their options. */
const ECHO = 'echo |printf |Write-Output '
const OPTIONS = String.raw`(?:(?:-[ne]{1,2}|--|'?%s(?:\\n)?'?|"%s(?:\\n)?") ){0,2}`

/** Returns whether a value is a password, or the Base64 of one or of a token. */
function isEncoded(value: string): boolean {
  const decoded = /^[A-Za-z0-9+/]{8,400}={0,2}$/.test(value) ? decodeBase64(value) : ''
  return [value, decoded].some((text) => /^[!-~]+$/.test(text) && isStrictPassword(text))
}

/** Rules for secrets among the arguments of commands. */
export const COMMAND_RULES: readonly Rule[] = [
  COMMAND_RULE,
  ...rulesOf({
    password: [
      // sudo(8), chpasswd(8), docker login; gh auth login; the old password, and the new one; base64(1).
      [
        ECHO,
        String.raw`${OPTIONS}\\{0,3}["']?(?:(?<=["'])[\w.-]{1,40}:(?=[^"'\n|]{3,200}["'] ?\| ?(?:sudo )?chpasswd))?(?<secret>[^\s"'|\\]{4,200}(?:\\{1,2}n[^\s"'|\\]{4,200}){0,2})(?:\\{1,2}n)?\\{0,3}["']? ?\|[^\n|]{0,60}?(?:${READS})`,
        isPassword,
      ],
      [
        ECHO,
        String.raw`${OPTIONS}\\{0,3}["']?(?<secret>[^\s"'|\\]{6,200})\\{0,3}["']? ?\| ?(?:openssl )?base64\b`,
        isEncoded,
      ],
      // docs.ansible.com, "ansible-vault encrypt_string".
      ['encrypt_string ', String.raw`(?!-)${VALUE}`, isStrictPassword],
      // printf(1): a format with the name of a secret, and its arguments.
      ...[0, 1, 2, 3].map((before): PatternRow => [
        'password %s|password=%s|password: %s|passwd %s|secret=%s|token=%s|token: %s|token %s',
        String.raw`(?<=printf (?:-- )?["'](?:[^%"'\n]{0,60}%[sbq]){${before}}[^%"'\n]{0,60})\w{5,8}[ :=]{1,2}%s[^"'\n]{0,60}["'](?: (?:"[^"\n]{0,100}"|'[^'\n]{0,100}'|[^\s"']{1,100})){${before}} ${VALUE}`,
        isPassword,
      ]),
      // marlam.de/msmtp; impala-shell: a command that prints the password.
      [
        'passwordeval|passcmd|password_cmd|pass_cmd|password_command|password-command|passcommand',
        /\s{0,3}=?\s{0,3}\\{0,3}["']echo (?:-n )?(?<secret>[^\s"'\\$]{4,200})/i,
        isPassword,
      ],
      // Programs to which one logs in with a token.
      [' -t ', String.raw`(?<=\blogin\b[^\n|;&]{0,80}) -t ${VALUE}`, isStrictPassword],
      // bash(1), "Here Strings", "Process Substitution".
      [' <<< |<(echo |<(printf ', String.raw`\$?${OPTIONS}${VALUE}`, isStrictPassword],
      [
        ' <<',
        String.raw`(?<=(?:${READS})[^\n]{0,100}) <<(?:< |-?["']?[A-Z]{2,12}["']?\n[ \t]{0,8})${VALUE}`,
        isPassword,
      ],
      // docs.python.org, `subprocess`: what a program gets as its input.
      ['-stdin', String.raw`[^\n]{0,100}?(?:input|stdin)(?:${QUOTE})?\s?[=:]\s?b?(?=${QUOTE})${VALUE}`, isPassword],
      // learn.microsoft.com/windows-server, "net use".
      [
        'net use |net.exe use ',
        String.raw`(?:[a-z*]:? )?\\{0,3}["']?(?:\\{2,8}|//)[^\s"']{1,100}\\{0,3}["']?(?: /\S{1,100}){0,4} (?!/)${VALUE}`,
        isPassword,
      ],
      // Many commands: a user, and his password.
      [
        ' -p ',
        String.raw`(?<=(?:^|\s)(?:-[ul]|--?user(?:name)?)[ =]\\{0,3}["']?[^\s"'-][^\s"']{0,60}["']?(?:\s[^\n|;&]{0,150})?) -p ${VALUE}`,
        (value) => isStrictPassword(value) && !value.includes('/'),
      ],
      // An option has the name of a secret, and another one its value: docs.drone.io, "reg add".
      [
        ' --data | --data=| --value | --value=| --body | /d ',
        String.raw`(?<=(?: --(?:name|key|secret-name|secret-id|variable)[ =]| /v )\\{0,3}["']?[\w./-]{0,60}(?:password|passwd|pwd|secret|token|key)[\w-]{0,10}\\{0,3}["']?(?: [^\n|;&]{1,100})?)(?: --(?:data|value|body)[ =]| /d )${VALUE}`,
        isStrictPassword,
      ],
      // The manuals of PowerShell and Redis.
      [
        'ConvertTo-SecureString |requirepass |masterauth ',
        `(?:-(?:String|AsPlainText|Force) ){0,3}${VALUE}`,
        isPassword,
      ],
    ],
  }),
]

/** The command that writes a file of a secret: any text may stand in it. */
export const WRITTEN_FILE_RULES = rulesOf({
  password: [
    [
      ECHO,
      String.raw`${OPTIONS}(?:${QUOTE})?(?<secret>[^\s"'|\\<>$${'`'}]{4,200})(?:${QUOTE})? ?>{1,2} ?[^\s|;&<>]{0,100}(?:passw(?:or)?d|\.pass|passphrase|token|secret|api[_-]?key)(?:\.txt|\.key)?(?=["'\s\\;&)${'`'}]|$)`,
      (value) => isCertainPassword(value) || isNumberedWords(value),
    ],
  ],
})
