import { placeRule, type Rule } from './rule.ts'
import { isMixed, isPath, isPlaceholder } from './secret-values.ts'

/** A value of a command line: up to its quote, or to a blank. */
const VALUE = String.raw`\\?["']?(?<secret>(?<=")[^"\n\\]{3,400}|(?<=')[^'\n\\]{3,400}|(?<!["'])[^\s"'${'`'}|;<>\\]{3,400})`

/** `user:password`, in quotes and without. */
const QUOTED_USER = String.raw`\\?["'][^\s:"']{0,100}:(?<secret>[^"'\n\\]{3,400})(?=\\?["'])`
const USER = String.raw`[^\s:"'\\]{0,100}:${VALUE}`

/** Arguments that are options, ports or user ids are no passwords. */
const isPassword = (value: string): boolean =>
  value.length >= 3 && !isPlaceholder(value) && !isPath(value) && !/^(?:-|\d{1,5}(?::\d{1,5})?$)/.test(value)

/** In a sentence, only what no word looks like is a password: it has letters and digits, in no name of an algorithm. */
const isProsePassword = (value: string, { groups, 0: all }: RegExpExecArray): boolean => {
  const isNamed = / (?:is|was|are|ist|lautet|=|:):? /.test(all) || groups?.['quote'] !== ''
  return (
    isNamed &&
    isPassword(value) &&
    isMixed(value) &&
    !TECHNICAL.test(value) &&
    /[^-\w]|\d[^\d]*[A-Za-z]|^[^A-Z]{0,120}[A-Z].{0,120}\d/.test(value)
  )
}

const TECHNICAL =
  /^(?:base|sha|md|bcrypt|scrypt|argon|pbkdf|utf|aes|rsa|v|http|oauth)[-_]?\d|\(|^\d+(?:[-x.:]\d*|[a-z]{1,10})$/i

/** Returns a pattern of the line before a hint: it names one of these commands. */
const after = (commands: string): RegExp =>
  new RegExp(String.raw`(?:^|[\s"'/(;&|$])(?:${commands})(?:\s(?:[^\n]|(?<=\\)\n)*)?$`)

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
  ...[' -U', ' --proxy-user'].flatMap((option): [string, string, string][] => [
    [option, 'curl', `[ =]${QUOTED_USER}`],
    [option, 'curl', `[ =]${USER}`],
  ]),
  // Several options in one word: `-sSu`.
  ...[' -s', ' -S', ' -k', ' -L', ' -f', ' -i', ' -v'].flatMap((option): [string, string, string][] => [
    [option, 'curl', `[a-zA-Z]{0,6}u ?${QUOTED_USER}`],
    [option, 'curl', `[a-zA-Z]{0,6}u ?${USER}`],
  ]),
  [' --oauth2-bearer', 'curl', `[ =]${VALUE}`],
  [' --user', 'curl|wget', `[ =]${QUOTED_USER}`],
  [' --user', 'curl|wget', `[ =]${USER}`],
  [' --auth', 'https?|xh', `[ =]${QUOTED_USER}`],
  [' --auth', 'https?|xh', `[ =]${USER}`],
  [' -a ', 'https?|xh', QUOTED_USER],
  [' -a ', 'https?|xh', USER],
  [' --body', 'gh (?:secret|variable) set', `[ =]${VALUE}`],
  [' -b', 'gh secret set', ` ?${VALUE}`],
  [' --secret-string', 'aws secretsmanager', `[ =]${VALUE}`],
  [' --value', 'aws ssm put-parameter(?= .{0,200}(?:pass|secret|token|key|SecureString))', `[ =]${VALUE}`],
  [' -storepass ', 'keytool|jarsigner', VALUE],
  [' -keypass ', 'keytool|jarsigner', VALUE],
  [' -p ', 'usermod|useradd', VALUE],
  [' -b', 'htpasswd', `[a-zA-Z]* [^\\s-]\\S* \\S+ ${VALUE}`],
  [' -cb', 'htpasswd', `[a-zA-Z]* [^\\s-]\\S* \\S+ ${VALUE}`],
  [' --from-literal', 'kubectl create secret', `[ =][\\w.-]{1,100}=${VALUE}`],
  [' secrets set ', 'fly|flyctl|supabase', `[\\w.-]{1,100}=${VALUE}`],
  [' http-basic.', 'composer', `\\S{1,100} \\S{1,100} ${VALUE}`],
  [' <<< ', 'wrangler secret put|gcloud secrets|cryptsetup|gh secret set|vercel env add|passwd', VALUE],
  [' kv put ', 'vault', `\\S{1,200} [\\w.-]{1,100}=${VALUE}`],
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
    hints: ['echo ', 'printf '],
    pattern: String.raw`(?:echo (?:-[ne]{1,2} )?|printf (?:(?:--|'?%s(?:\\n)?'?|"%s(?:\\n)?") ){0,2})\\{0,3}["']?(?:(?<=["'])[\w.-]{1,40}:(?=[^"'\n|]{3,200}["'] ?\| ?chpasswd))?(?<secret>[^\s"'|\\]{4,200})\\{0,3}["']? ?\| ?(?:sudo -S|(?:sudo )?(?:chp|p)asswd|\w{2,20} login [^\n|]{0,200}--password-stdin|gh secret set|vercel env add|wrangler secret put|gcloud secrets)`,
    accepts: isPassword,
    source: 'sudo(8), chpasswd(8), docker login',
  }),
  placeRule({
    kind: 'password',
    hints: ['net user '],
    pattern: String.raw`net user \S{1,60} ${VALUE}`,
    accepts: (value) => isPassword(value) && isMixed(value) && !value.startsWith('/'),
    source: 'learn.microsoft.com/windows-server, "net user"',
  }),
  placeRule({
    kind: 'password',
    hints: ['password ', 'passphrase ', 'passwort ', 'passwd ', 'pwd '],
    pattern: String.raw`pass(?:word|phrase|wort|wd) (?:(?:for|of) (?:the )?\S{1,40} )?(?:(?:is|was|are|ist|lautet|=|:):? (?:now )?)?(?<quote>["'${'`'}“]?)(?<secret>[^\s"'${'`'}“”,;<>()|]{6,200}?)(?=[.,;:!?)]{0,3}(?:["'${'`'}“”,;<>()|\s]|$|\\))`,
    isAnyCase: true,
    before: /(?:^|[^-\w$.])$|\b(?:db|my|the)[-_ ]$/i,
    accepts: isProsePassword,
    source: 'sentences of users: "the password is x"',
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
