import { rulesOf } from '../rule.ts'
import { isChosen, isMemorable } from '../values/chosen-words.ts'
import { isNearPassword, isStrictPassword } from '../values/passwords.ts'
import {
  isBasicCredentials,
  isMixed,
  isNoPlaceholder,
  isRandomText,
  isToken,
  isWordy,
} from '../values/secret-values.ts'

const isMixedValue = (value: string): boolean => isNoPlaceholder(value) && isMixed(value)

const isMixedText = (value: string): boolean => isMixedValue(value) && !isWordy(value)

/** Rules for secrets in files of settings, by the program that reads them. */
export const SETTING_RULES = rulesOf({
  password: [
    // cisco.com, IOS commands; netsh wlan; redis.io, "ACL".
    [
      'enable secret |enable password |snmp-server community |Key Content | on >| on ">| on \'>| on \\">',
      /(?:enable (?:secret|password) (?:\d )?|snmp-server community |Key Content {1,20}: | on (?:\\{0,3}["'])?>)(?<secret>[^\s"'\\]{6,100})/,
      (value) => isNoPlaceholder(value) && (isMixed(value) || isChosen(value)),
    ],
    // cisco.com: users; haproxy.org: userlist; net-snmp.org, snmpd.conf.
    [
      ' secret 0 | secret 5 | secret 8 | secret 9 | password 0 | password 7 |insecure-password |createUser ',
      /(?:(?<=\buser(?:name)? [^\n]{1,80})(?: (?:secret|password) \d |insecure-password )|createUser \S{1,40} (?:MD5|SHA[\d-]{0,6}) )\\{0,3}["']?(?<secret>[^\s"'\\]{6,100})/,
      isNoPlaceholder,
    ],
    // redis.io, "AUTH", "MONITOR"; RFC 4954 (SMTP) and RFC 3501 (IMAP); services of IRC.
    [
      'AUTH |LOGIN |IDENTIFY ',
      /(?:(?<=^|[\n"'>\]:]\s?|HELLO \d )AUTH|(?<=\w )LOGIN|(?<=\s|:)IDENTIFY) (?:"?[\w.@+-]{1,80}"? )?"?(?<secret>[^\s"'\\]{8,400})(?=["'\s\\]|$)/,
      isNearPassword,
    ],
    ['"AUTH"', /"AUTH"(?: "[^"\n]{1,60}")? "(?<secret>[^"\n]{4,200})"/, isNoPlaceholder],
    // SMTP asks in Base64; POP3 (RFC 1939), FTP (RFC 959).
    [
      '334 |334\n|PASS ',
      /(?:334 UGFzc3dvcmQ6|(?<=AUTH PLAIN\s{1,3}(?:[<S]:? )?)334|(?<=USER [^\n]{1,80}\n(?:[^\n]{0,100}\n){0,2}[^\n]{0,8})PASS)\s{1,2}(?:[>C]:? )?(?<secret>[^\s"'\\]{6,200})/,
      isMixedValue,
    ],
    // Programs that print a new password, and those of wireless networks.
    [
      'New value: |WPA key: |WPA2 key: |WPA3 key: |test account: ',
      /(?:New value|WPA\d? key|test account: [\w.+-]{1,40}@[\w.-]{1,60}): ?(?<secret>[^\s"'\\]{8,100})/i,
      isNearPassword,
    ],
    // Codes that phones read (github.com/zxing, "Wi-Fi Network config"); openwrt.org, "Wi-Fi".
    [
      'WIFI:|option key \'|option key "',
      /(?:WIFI:(?:[A-OQ-Z]:[^;\n]{0,60};){0,5}P:|option key ["'])(?<secret>[^;"'\n]{8,63})/,
      isNoPlaceholder,
    ],
    [
      'wlan-|wlan |wlan|wi-fi|wifi|wpa',
      /(?:wlan|wi-?fi|wpa\d?)[- ]?(?:netzwerk)?(?:schlüssel|key|code|clé|clave): ?(?<secret>\d{8,63})(?!\w)/i,
    ],
    // postfix.org, smtp_sasl_password_maps.
    [']:', /\]:\d{2,5}[ \t]{1,20}[^\s:"']{1,60}:(?<secret>[^\s"'\\]{4,100})(?=\s|$)/, isNoPlaceholder],
    // docs.oracle.com, JDBC: database URLs.
    [
      'jdbc:oracle:',
      /jdbc:oracle:\w{1,10}:[\w.$#-]{1,60}\/\\{0,3}"?(?<secret>[^\s"'\\]{3,100}?)\\{0,3}"?@(?=[^\s@]{1,100}(?:\s|$|["'\\]))/,
      isNoPlaceholder,
    ],
    // pykickstart.readthedocs.io; nslcd.conf(5), sssd-ldap(5).
    [
      'rootpw |bindpw |authtok =|authtok=',
      /(?:(?<=(?:^|\n|\\n|→)[ \t]{0,20})(?:rootpw (?:--plaintext )?|bindpw )|authtok\s?=\s?)(?<secret>[^\s"'{\\-][^\s"'\\]{5,100})(?=\s|$|\\)/,
      isMixedValue,
    ],
    // lftp(1), ftp(1).
    [
      'open -u |user ',
      /(?:open -u [\w.@-]{1,60},|(?<=\bftp\b[^\n]{0,80}<<[^\n]{1,20}\n(?:[^\n]{1,80}\n){0,2})user [\w.@-]{1,60} )(?<secret>[^\s"';\\]{6,100})/,
      isMixedValue,
    ],
    // docs.ansible.com, `password_hash`; neo4j.com/docs, "Docker"; RFC 3261, section 19.1.
    ['password_hash', /(?<='(?<secret>[^'\n]{6,100})'\s?\|\s?)password_hash/, isMixedValue],
    ['NEO4J_AUTH', /NEO4J_AUTH\\{0,3}["']?\s?[=:]\s?\\{0,3}["']?neo4j\/(?<secret>[^\s"'\\]{6,100})/, isNoPlaceholder],
    ['sip:|sips:', /sips?:[\w.+-]{1,60}:(?<secret>[^\s"'@<>\\]{6,100})@(?=[\w[])/, isMixedValue],
    // A user and his password in one text, or in a list of two.
    [
      'basic_auth|auth_basic|basicauth|login"|credentials"',
      /(?:(?:basic_?auth|auth_basic|login)\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?[\w.@+-]{1,60}:|(?:credentials|basic_?auth)\\{0,3}["']\s{0,3}:\s?\[\s?\\{0,3}["'][\w.@+-]{1,60}\\{0,3}["'],\s?\\{0,3}["'])(?<secret>[^\s:"'\\,/]{6,100})(?=\\{0,3}["']|\s|$)/i,
      (value) => isMixedValue(value) && (isStrictPassword(value) || isMemorable(value)),
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
    // developer.wordpress.org, wp-config.php; docs.stripe.com, "Webhooks".
    [
      '_SALT\'|_SALT"|_SALT=',
      /_SALT["']?(?:,|=)\s{0,8}["'](?<secret>[^"'\n]{20,120})["']/,
      (value) => isRandomText(value) || isToken(value),
    ],
    ['_SIGNING=|_SIGNING:', /_SIGNING[=:] ?["']?(?<secret>[\w-]{16,200})/, isToken],
    // A key of 256 bits in Base64: laravel.com, "Encryption"; esphome.io, "Native API".
    [
      String.raw`key: "|key":"|key": "|key' => '`,
      /(?<![\w-])key["']?(?:: ?| => )["'](?<secret>(?:base64:)?[A-Za-z0-9+/]{43}=)["']/i,
      isToken,
    ],
    // learn.microsoft.com/aspnet, JWT bearer authentication.
    [
      'jwt":|jwtsettings":',
      /jwt(?:settings)?"\s?:\s?\{[^{}]{0,200}?"(?:key|secret)"\s?:\s?"(?<secret>[^"\s]{8,200})"/i,
      isNoPlaceholder,
    ],
    // Personal access tokens of Azure DevOps and others: `AZURE_DEVOPS_EXT_PAT`.
    ['_pat=|_pat:|_pat"|_pat\'|_pat =', /_pat\\{0,3}["']?\s?[:=]\s?\\{0,3}["']?(?<secret>[\w-]{20,200})/i, isToken],
    // kaggle.com, "API credentials".
    ['"username"', /"username"\s?:\s?"[^"\n]{1,60}",\s{0,20}"key"\s?:\s?"(?<secret>[0-9a-f]{32})"/],
    // docs.sonarsource.com, analysis parameters.
    ['sonar.login=', /sonar\.login=(?<secret>[\w-]{30,60})/, isToken],
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
    ['"value": "|"value":"', /"value": ?"(?<secret>[A-Za-z0-9+/]{86}==)"/],
    [
      String.raw`AccountKey=|SharedAccessKey=|sig=|sig"|sig'|sig\ `.trim(),
      /(?:(?:AccountKey|SharedAccessKey)=(?=[A-Za-z0-9+/]{20})|(?<=[?&;]|amp;|u0026)sig=(?=[A-Za-z0-9%+/_-]{30})|(?<=["'])sig\\{0,3}["']\s{0,3}[:=]\s{0,3}\\{0,3}["'](?=[A-Za-z0-9%+/]{40,60}={0,2}\\{0,3}["']))(?<secret>[A-Za-z0-9%+/_-]{20,200}={0,2})/,
    ],
  ],
  // docs.npmjs.com, .npmrc.
  'npm-token': [['_authToken=', /_authToken=(?<secret>[A-Za-z0-9_-][A-Za-z0-9_=+/-]{9,200})/]],
  'private-key': [
    // openssl-pkey(1), `-text`.
    [
      'priv:|privateExponent:|prime1:|prime2:|exponent1:|exponent2:|coefficient:',
      /(?:priv|privateExponent|prime[12]|exponent[12]|coefficient):\s{1,20}(?<secret>(?:[0-9a-f]{2}:\s{0,20}){12,1100}[0-9a-f]{2})/,
    ],
  ],
})
