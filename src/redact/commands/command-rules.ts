import { SECRET_COMMANDS, type SecretCommand, secretsByForm } from './command-forms.ts'
import { COMMAND_CHARACTERS, wordsOfCommand } from './command-line.ts'
import { isPassword, isStrictPassword, VALUE } from '../values/password-values.ts'
import { isTokenStart, placeRule, type Rule, type Secret } from '../rule.ts'

/** Commands that read a secret from their input. */
const STORES = 'secrets? (?:put|set|create|add|versions)|variable set|env add|cryptsetup|unlock|passwd'

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
    let end = at + command.name.length
    if (command.isPrefix) {
      REST_OF_NAME.lastIndex = end
      if (REST_OF_NAME.test(text)) end = REST_OF_NAME.lastIndex
    }
    if (/[ \t\\\u001b]/.test(text.charAt(end))) yield { command, end }
  }
}

const REST_OF_NAME = /[\w.-]{1,30}/y

/** Secrets among the arguments of a command, wherever its line stands. */
const COMMAND_RULE: Rule = {
  hints: SECRET_COMMANDS.map(({ name, isPrefix }) => (isPrefix ? name : `${name} `)),
  isAnyCase: false,
  find(text, at) {
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

/** Rules for secrets among the arguments of commands. */
export const COMMAND_RULES: readonly Rule[] = [
  COMMAND_RULE,
  placeRule({
    kind: 'password',
    hints: ['echo ', 'printf '],
    pattern: String.raw`(?:echo (?:-[ne]{1,2} )?|printf (?:(?:--|'?%s(?:\\n)?'?|"%s(?:\\n)?") ){0,2})\\{0,3}["']?(?:(?<=["'])[\w.-]{1,40}:(?=[^"'\n|]{3,200}["'] ?\| ?(?:sudo )?chpasswd))?(?<secret>[^\s"'|\\]{4,200})\\{0,3}["']? ?\| ?(?:sudo -S|[^\n|]{0,60}?(?:${STORES}|--password-stdin|--with-token|--passphrase-fd|pass stdin|login\b))`,
    accepts: isPassword,
    source: 'sudo(8), chpasswd(8), docker login; gh auth login',
  }),
  placeRule({
    kind: 'password',
    hints: [' <<< ', '<(echo ', '<(printf '],
    pattern: String.raw`(?: <<< \$?|<\((?:echo (?:-n )?|printf (?:'?%s'? )?))${VALUE}`,
    accepts: isStrictPassword,
    source: 'bash(1), "Here Strings", "Process Substitution"',
  }),
  placeRule({
    kind: 'password',
    hints: [' <<< '],
    pattern: ` <<< ${VALUE}`,
    before: new RegExp(`(?:${STORES}|login|signin|kinit)[^\\n]{0,100}$`),
    accepts: isPassword,
    source: 'bash(1), "Here Strings"',
  }),
  placeRule({
    kind: 'password',
    hints: [' -p ', ' -P '],
    pattern: ` -[pP] ${VALUE}`,
    before: /(?:^|\s)(?:-[uUl]|--?user(?:name)?)[ =]\\{0,3}["']?[^\s"'-][^\s"']{0,60}["']?(?:\s[^\n|;&]{0,150})?$/,
    accepts: (value) => isStrictPassword(value) && !value.includes('/'),
    source: 'many commands: a user, and his password',
  }),
]
