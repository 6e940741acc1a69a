import { placeRule, type Rule } from '../rule.ts'
import { isChosen } from '../values/chosen-words.ts'
import { isBasicCredentials, isMixed, isNoPlaceholder, isToken, isWordy } from '../values/secret-values.ts'

/** Rules for secrets in addresses. */
export const QUERY_RULES: readonly Rule[] = [
  placeRule({
    kind: 'webhook',
    hints: ['/bot/v2/hook/', 'cgi-bin/webhook/send?key=', 'robot/send?access_token='],
    pattern: String.raw`(?:/bot/v2/hook/|send\?key=|send\?access_token=)(?<secret>[\w-]{20,100})`,
    source: 'open.feishu.cn, developer.work.weixin.qq.com, open.dingtalk.com: webhooks of bots',
  }),
  placeRule({
    kind: 'secret',
    hints: ['&hash=', ...['auth', 'key=', 'session', 'sid=', 'ticket='].flatMap((name) => [`?${name}`, `&${name}`])],
    pattern: String.raw`[?&](?:auth|key|session(?:_?id)?|sid|ticket|hash)=(?<secret>[\w.~%+/-]{20,400})`,
    accepts: isToken,
    source: 'RFC 6749, section 10; addresses with the token of a session',
  }),
  placeRule({
    kind: 'secret',
    hints: ['otpauth:'],
    pattern: String.raw`otpauth[^\s"'<>]{3,200}?secret=(?<secret>[A-Za-z2-7]{16,200})`,
    source: 'github.com/google/google-authenticator, "Key Uri Format"',
  }),
]

/** Rules for secrets in files of settings. */
export const CONFIG_RULES: readonly Rule[] = [
  placeRule({
    kind: 'password',
    hints: ['enable secret ', 'enable password ', 'snmp-server community ', 'Key Content ', ' on >'],
    pattern: String.raw`(?:enable (?:secret|password) (?:\d )?|snmp-server community |Key Content {1,20}: | on >)(?<secret>[^\s"'\\]{6,100})`,
    accepts: (value) => isNoPlaceholder(value) && (isMixed(value) || isChosen(value)),
    source: 'cisco.com, IOS commands; netsh wlan; redis.io, "ACL"',
  }),
  placeRule({
    kind: 'password',
    hints: [']:'],
    pattern: String.raw`\]:\d{2,5}[ \t]{1,20}[^\s:"']{1,60}:(?<secret>[^\s"'\\]{4,100})(?=\s|$)`,
    accepts: isNoPlaceholder,
    source: 'postfix.org, smtp_sasl_password_maps',
  }),
  placeRule({
    kind: 'secret',
    hints: ['jwt":', 'jwtsettings":'],
    pattern: String.raw`jwt(?:settings)?"\s?:\s?\{[^{}]{0,200}?"(?:key|secret)"\s?:\s?"(?<secret>[^"\s]{8,200})"`,
    isAnyCase: true,
    accepts: isNoPlaceholder,
    source: 'learn.microsoft.com/aspnet, JWT bearer authentication',
  }),
  placeRule({
    kind: 'password',
    hints: ['jdbc:oracle:'],
    pattern: String.raw`jdbc:oracle:\w{1,10}:[\w.$#-]{1,60}/\\{0,3}"?(?<secret>[^\s"'\\]{3,100}?)\\{0,3}"?@(?=[^\s@]{1,100}(?:\s|$|["'\\]))`,
    accepts: isNoPlaceholder,
    source: 'docs.oracle.com, JDBC: database URLs',
  }),
  placeRule({
    kind: 'password',
    hints: ['chpasswd:'],
    pattern: String.raw`chpasswd:(?:\s|\\{1,4}n|\d{1,6}→|(?:expire|list|users):|true|false|\||>|-){1,60}?[a-z_][\w-]{0,30}:(?<secret>[^\s"'\\]{4,100})`,
    accepts: isNoPlaceholder,
    source: 'cloudinit.readthedocs.io, "Set Passwords"',
  }),
  placeRule({
    kind: 'secret',
    hints: ['sonar.login='],
    pattern: 'sonar\\.login=(?<secret>[0-9a-f]{40})',
    source: 'docs.sonarsource.com, analysis parameters',
  }),
  placeRule({
    kind: 'secret',
    hints: ['bearer', 'basicauth', 'basic_auth'].flatMap((name) => [`${name}"`, `${name}'`, `${name}\\`]),
    pattern: String.raw`(?:bearer|basic_?auth)\\{0,3}["']\s{0,3}[:=]\s{0,3}\\{0,3}["'](?:[^\s:"'\\]{1,60}:)?(?<secret>[^\s:"'\\]{8,400})\\{0,3}["']`,
    isAnyCase: true,
    accepts: (value) => isNoPlaceholder(value) && isMixed(value) && !isWordy(value),
    source: 'RFC 6750; RFC 7617',
  }),
  placeRule({
    kind: 'password',
    hints: ['Input Password '],
    pattern: String.raw`Input Password {2,20}\S{1,80} {2,20}(?<secret>[^\s"'$\\]{4,100})`,
    accepts: isNoPlaceholder,
    source: 'robotframework.org, SeleniumLibrary',
  }),
  placeRule({
    kind: 'azure-secret',
    hints: ['AccountKey=', 'SharedAccessKey=', 'sig=', 'sig"', 'sig\\', "sig'"],
    pattern: String.raw`(?:(?:AccountKey|SharedAccessKey)=(?=[A-Za-z0-9+/]{20})|(?<=[?&;]|amp;|u0026)sig=(?=[A-Za-z0-9%+/]{30})|(?<=["'])sig\\{0,3}["']\s{0,3}[:=]\s{0,3}\\{0,3}["'](?=[A-Za-z0-9%+/]{40,60}={0,2}\\{0,3}["']))(?<secret>[A-Za-z0-9%+/]{20,200}={0,2})`,
    source: 'learn.microsoft.com/azure, "storage connection string", "service SAS"',
  }),
  placeRule({
    kind: 'npm-token',
    hints: ['_authToken='],
    pattern: '_authToken=(?<secret>[A-Za-z0-9_-][A-Za-z0-9_=+/-]{9,200})',
    source: 'docs.npmjs.com, .npmrc',
  }),
  placeRule({
    kind: 'password',
    hints: [':5432:', ':*:'],
    pattern: String.raw`:(?:5432|\*):[^\s:]{1,60}:[^\s:]{1,60}:(?<secret>[^\s:"'\\]{3,200})(?=\s|$|\\{1,4}n|["'])`,
    // An address of IPv6 with gaps: `2001:db8:*:*:*:*:*:*`.
    accepts: (value) => isNoPlaceholder(value) && !/^(?:\*|[0-9a-f]{0,4}(?:$|[:/`]))/.test(value),
    source: 'postgresql.org/docs, "The Password File"',
  }),
  placeRule({
    kind: 'secret',
    hints: ['"auth', '_auth'],
    pattern: String.raw`["_]auth\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?(?<secret>[A-Za-z0-9+/]{6,200}={0,2})`,
    isAnyCase: true,
    accepts: isBasicCredentials,
    source: 'docs.docker.com, config.json; docs.npmjs.com, .npmrc',
  }),
]
