import { rulesOf } from '../rule.ts'
import { isChosen } from '../values/chosen-words.ts'
import { isBasicCredentials, isMixed, isNoPlaceholder, isWordy } from '../values/secret-values.ts'

const isMixedText = (value: string): boolean => isNoPlaceholder(value) && isMixed(value) && !isWordy(value)

/** Rules for secrets in files of settings, by the program that reads them. */
export const SETTING_RULES = rulesOf({
  password: [
    // cisco.com, IOS commands; netsh wlan; redis.io, "ACL".
    [
      'enable secret |enable password |snmp-server community |Key Content | on >',
      /(?:enable (?:secret|password) (?:\d )?|snmp-server community |Key Content {1,20}: | on >)(?<secret>[^\s"'\\]{6,100})/,
      (value) => isNoPlaceholder(value) && (isMixed(value) || isChosen(value)),
    ],
    // postfix.org, smtp_sasl_password_maps.
    [']:', /\]:\d{2,5}[ \t]{1,20}[^\s:"']{1,60}:(?<secret>[^\s"'\\]{4,100})(?=\s|$)/, isNoPlaceholder],
    // docs.oracle.com, JDBC: database URLs.
    [
      'jdbc:oracle:',
      /jdbc:oracle:\w{1,10}:[\w.$#-]{1,60}\/\\{0,3}"?(?<secret>[^\s"'\\]{3,100}?)\\{0,3}"?@(?=[^\s@]{1,100}(?:\s|$|["'\\]))/,
      isNoPlaceholder,
    ],
    // cloudinit.readthedocs.io, "Set Passwords".
    [
      'chpasswd:',
      /chpasswd:(?:\s|\\{1,4}n|\d{1,6}→|(?:expire|list|users):|true|false|\||>|-){1,60}?[a-z_][\w-]{0,30}:(?<secret>[^\s"'\\]{4,100})/,
      isNoPlaceholder,
    ],
    // robotframework.org, SeleniumLibrary.
    ['Input Password ', /Input Password {2,20}\S{1,80} {2,20}(?<secret>[^\s"'$\\]{4,100})/, isNoPlaceholder],
    // postgresql.org/docs, "The Password File". An address of IPv6 may have gaps: `2001:db8:*:*:*:*:*:*`.
    [
      ':5432:|:*:',
      /:(?:5432|\*):[^\s:]{1,60}:[^\s:]{1,60}:(?<secret>[^\s:"'\\]{3,200})(?=\s|$|\\{1,4}n|["'])/,
      (value) => isNoPlaceholder(value) && !/^(?:\*|[0-9a-f]{0,4}(?:$|[:/`]))/.test(value),
    ],
  ],
  secret: [
    // learn.microsoft.com/aspnet, JWT bearer authentication.
    [
      'jwt":|jwtsettings":',
      /jwt(?:settings)?"\s?:\s?\{[^{}]{0,200}?"(?:key|secret)"\s?:\s?"(?<secret>[^"\s]{8,200})"/i,
      isNoPlaceholder,
    ],
    // docs.sonarsource.com, analysis parameters.
    ['sonar.login=', /sonar\.login=(?<secret>[0-9a-f]{40})/],
    // RFC 6750; RFC 7617.
    [
      String.raw`bearer"|bearer'|bearer\|basicauth"|basicauth'|basicauth\|basic_auth"|basic_auth'|basic_auth\ `.trim(),
      /(?:bearer|basic_?auth)\\{0,3}["']\s{0,3}[:=]\s{0,3}\\{0,3}["'](?:[^\s:"'\\]{1,60}:)?(?<secret>[^\s:"'\\]{8,400})\\{0,3}["']/i,
      isMixedText,
    ],
    // docs.docker.com, config.json; docs.npmjs.com, .npmrc.
    [
      '"auth|_auth',
      /["_]auth\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?(?<secret>[A-Za-z0-9+/]{6,200}={0,2})/i,
      isBasicCredentials,
    ],
    // docs.github.com, "Workflow commands": masking a value.
    ['::add-mask::', /::add-mask::(?<secret>[^\s"'$\\]{4,400})/, isNoPlaceholder],
  ],
  // learn.microsoft.com/azure, "storage connection string", "service SAS".
  'azure-secret': [
    [
      String.raw`AccountKey=|SharedAccessKey=|sig=|sig"|sig'|sig\ `.trim(),
      /(?:(?:AccountKey|SharedAccessKey)=(?=[A-Za-z0-9+/]{20})|(?<=[?&;]|amp;|u0026)sig=(?=[A-Za-z0-9%+/]{30})|(?<=["'])sig\\{0,3}["']\s{0,3}[:=]\s{0,3}\\{0,3}["'](?=[A-Za-z0-9%+/]{40,60}={0,2}\\{0,3}["']))(?<secret>[A-Za-z0-9%+/]{20,200}={0,2})/,
    ],
  ],
  // docs.npmjs.com, .npmrc.
  'npm-token': [['_authToken=', /_authToken=(?<secret>[A-Za-z0-9_-][A-Za-z0-9_=+/-]{9,200})/]],
  // curl.se, "Netscape cookie file format".
  cookie: [
    [
      '\tTRUE\t|\tFALSE\t|\\tTRUE\\t|\\tFALSE\\t',
      /(?:\t|\\{1,4}t)(?:TRUE|FALSE)(?:\t|\\{1,4}t)\d{1,12}(?:\t|\\{1,4}t)[\w.%-]{1,100}(?:\t|\\{1,4}t)(?<secret>[^\s"'\\]{8,4000})/,
      isMixedText,
    ],
  ],
  // ethereum.org, "Accounts".
  'private-key': [
    [
      'private key 0x|private key: 0x|private key is 0x|private key `0x|privkey 0x',
      /(?:private key|privkey)(?: is|:)? \\{0,3}["']?`?(?<secret>0x[0-9a-f]{64})(?![0-9a-f])/i,
    ],
  ],
})
