import { placeRule, type Rule } from './rule.ts'
import { isPath, isPlaceholder } from './secret-values.ts'

/** A value of a command line: up to its quote, or to a blank. */
const VALUE = String.raw`\\?["']?(?<secret>(?<=")[^"\n\\]{3,400}|(?<=')[^'\n\\]{3,400}|(?<!["'])[^\s"'${'`'}|;<>\\]{3,400})`

/** `user:password`, in quotes and without. */
const QUOTED_USER = String.raw`\\?["'][^\s:"']{0,100}:(?<secret>[^"'\n\\]{3,400})(?=\\?["'])`
const USER = String.raw`[^\s:"'\\]{0,100}:${VALUE}`

/** Arguments that are options, ports or user ids are no passwords. */
const isPassword = (value: string): boolean =>
  value.length >= 3 && !isPlaceholder(value) && !isPath(value) && !/^(?:-|\d{1,5}(?::\d{1,5})?$)/.test(value)

/** Returns a pattern of the line before a hint: it names one of these commands. */
const after = (commands: string): RegExp => new RegExp(String.raw`(?:^|[\s"'/(;&|$])(?:${commands})(?:\s[^\n]*)?$`)

const login = '(?:docker|podman|nerdctl|buildah|skopeo|helm registry|oc|cf|az|az acr) login'

/** The options of commands that take a password: the option, the command, and whether a blank may follow the option. */
const OPTIONS: readonly [option: string, commands: string, pattern: string][] = [
  [' -p', String.raw`mysql\w*|mariadb[\w-]*|sshpass|7za?|u?n?rar|${login}`, VALUE],
  [' -p ', `sshpass|mongo\\w*|${login}`, VALUE],
  [' -a ', 'redis-cli', VALUE],
  [' -w ', String.raw`ldap\w+`, VALUE],
  [' -P ', 'zip|sqlcmd|bcp', VALUE],
  [' -k ', 'openssl enc', VALUE],
  [' -U ', 'smbclient|rpcclient', `["']?[^\\s%"']{1,60}%${VALUE}`],
  [' -u', 'curl|wget', `[ =]?${QUOTED_USER}`],
  [' -u', 'curl|wget', `[ =]?${USER}`],
  [' --user', 'curl|wget', `[ =]${QUOTED_USER}`],
  [' --user', 'curl|wget', `[ =]${USER}`],
  [' -a ', 'https?|xh', QUOTED_USER],
  [' -a ', 'https?|xh', USER],
]

/** Rules for secrets among the arguments of commands. */
export const COMMAND_RULES: readonly Rule[] = [
  ...OPTIONS.map(([option, commands, rest]) =>
    placeRule({
      kind: 'password',
      hints: [option],
      pattern: option + rest,
      before: after(commands),
      accepts: isPassword,
      source: 'the manual pages of these commands',
    }),
  ),
  placeRule({
    kind: 'password',
    hints: [' pass:'],
    pattern: ` pass:${VALUE}`,
    before: /-pass(?:in|out)?$/,
    accepts: isPassword,
    source: 'openssl-passphrase-options(1)',
  }),
  placeRule({
    kind: 'password',
    hints: ['echo '],
    pattern: String.raw`echo (?:-n )?\\{0,3}["']?(?:(?<=["'])[\w.-]{1,40}:(?=[^"'\n|]{3,200}["'] ?\| ?chpasswd))?(?<secret>[^\s"'|\\]{4,200})\\{0,3}["']? ?\| ?(?:sudo -S|(?:sudo )?(?:chp|p)asswd|\w{2,20} login [^\n|]{0,200}--password-stdin)`,
    accepts: isPassword,
    source: 'sudo(8), chpasswd(8), docker login',
  }),
  placeRule({
    kind: 'password',
    hints: ['IDENTIFIED BY ', 'SET PASSWORD', 'ConvertTo-SecureString ', 'requirepass ', 'masterauth '],
    pattern: `(?:IDENTIFIED BY (?:PASSWORD )?(?=\\\\?["'])|SET PASSWORD[^=\\n]{0,80}= ?(?:PASSWORD\\()?(?=\\\\?["'])|ConvertTo-SecureString (?:-String )?(?=\\\\?["'])|(?:requirepass|masterauth) )${VALUE}`,
    isAnyCase: true,
    accepts: isPassword,
    source: 'the manuals of MySQL, PowerShell and Redis',
  }),
]
