import { rulesOf } from '../rule.ts'
import { isChosen, isMemorable } from '../values/chosen-words.ts'
import { isCertainPassword, isNearPassword } from '../values/passwords.ts'
import { isPhrase } from '../values/stated-passwords.ts'
import {
  isBasicCredentials,
  isMixed,
  isMixedText,
  isMixedValue,
  isNoPlaceholder,
  isRandomText,
  isToken,
} from '../values/secret-values.ts'

/** Those of Azure DevOps are 52 signs of Base32, with few digits among them. */
const isPersonalToken = (value: string): boolean => isToken(value) || (/^[a-z2-7]{52}$/.test(value) && isMixed(value))

const isSalt = (value: string): boolean => isRandomText(value) || isToken(value)

/** Rules for secrets in files of settings, by the program that reads them. */
export const SETTING_RULES = rulesOf({
  password: [
    // cisco.com, IOS commands; netsh wlan; redis.io, "ACL".
    [
      'enable secret |enable password |snmp-server community |Key Content | on >| on ">| on \'>| on \\">',
      /(?:\d |(?<=Content ) {0,20}: )?(?<secret>[^\s"'\\]{6,100})/,
      (value) => isNoPlaceholder(value) && (isMixed(value) || isChosen(value)),
    ],
    // An interactive program shows the value of a name.
    [
      'password\n|secret\n|token\n|.result\n|key\n|pwd\n',
      /(?<=(?:^|\n)(?:>{1,3}|In \[\d{1,4}\]:|[\w()-]{1,20}(?::\d{1,4})?[#>]|##\[debug\]Evaluating:) [\w.[\]'"$:@-]{0,60})(?:password|secret|token|\.result|key|pwd)\n(?:(?:##\[debug\])?=> |Out\[\d{1,4}\]: )?["'](?<secret>[^\s"']{6,400})["']/i,
      isMixedValue,
    ],
    // Programs that print a new password, and those of wireless networks.
    [
      'New value: |WPA key: |WPA2 key: |WPA3 key: ',
      /(?<secret>[^\s"'\\]{8,100})/i,
      (value) => isNearPassword(value) || isMemorable(value) || isChosen(value),
    ],
    // RFC 7578: a field of a form.
    [
      'form-data; name="',
      /[\w.[\]-]{0,40}(?:pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key)[\w\]-]{0,10}"(?:\r?\n|(?:\\{1,4}r)?\\{1,4}n){2}(?<secret>[^\s"\\]{4,400})/i,
      isNoPlaceholder,
    ],
    // Codes that phones read (github.com/zxing, "Wi-Fi Network config"); openwrt.org, "Wi-Fi".
    ['WIFI:', /(?:[A-OQ-Z]:[^;\n]{0,60};){0,5}P:(?<secret>[^;"'\n]{8,63})/, isNoPlaceholder],
    [".key='", /(?<=\bwireless\.[\w@[\].-]{1,40})\.key='(?<secret>[^'\n]{8,63})/, isNoPlaceholder],
    ['option key \'|option key "', /(?<secret>[^;"'\n]{8,63})/, isNoPlaceholder],
    ['wlan|wi-fi|wifi|wpa|wpa2', /[- ]?(?:netzwerk)?(?:schlüssel|key|code|clé|clave): ?(?<secret>\d{8,63})(?!\w)/i],
    [
      'wlan|wi-fi|wifi|ssid',
      /[^\n]{0,40}?[\s,(-](?:key|code|pass|schlüssel|clé|clave|chiave|chave)(?<verb>['’]s| is| ist| lautet| est| es|:| =)? {0,3}["'`]?(?<secret>[^\s"'`\\,;()<>]{8,63})/i,
      (value, { groups }) =>
        isNearPassword(value) || (groups?.['verb'] !== undefined && (isCertainPassword(value) || isPhrase(value))),
    ],
    // pykickstart.readthedocs.io; nslcd.conf(5), sssd-ldap(5).
    [
      'rootpw |bindpw |authtok = |authtok =|authtok=',
      /(?:--plaintext )?(?<=authtok[\s=]{1,3}|(?:^|\n|\\n|→)[ \t]{0,20}(?:rootpw (?:--plaintext )?|bindpw ))(?<secret>[^\s"'{\\-][^\s"'\\]{5,100})(?=\s|$|\\)/,
      isMixedValue,
    ],
    // docs.ansible.com, `password_hash`; neo4j.com/docs, "Docker"; RFC 3261, section 19.1.
    ['password_hash', /(?<='(?<secret>[^'\n]{6,100})'\s?\|\s?)password_hash/, isMixedValue],
    ['NEO4J_AUTH', /\\{0,3}["']?\s?[=:]\s?\\{0,3}["']?neo4j\/(?<secret>[^\s"'\\]{6,100})/, isNoPlaceholder],
    // robotframework.org, SeleniumLibrary.
    ['Input Password ', / {1,20}\S{1,80} {2,20}(?<secret>[^\s"'$\\]{4,100})/, isNoPlaceholder],
  ],
  secret: [
    // developer.wordpress.org, wp-config.php; docs.stripe.com, "Webhooks".
    ['_SALT\'|_SALT"|_SALT=', /,?\s{0,8}["'](?<secret>[^"'\n]{20,120})["']/, isSalt],
    ["_KEY',", /\s{0,12}'(?<secret>[^'\n]{60,80})'/, (value) => value.replace(/[\w ]/g, '').length >= 8],
    ['_SIGNING=|_SIGNING:', / ?["']?(?<secret>[\w-]{16,200})/, isToken],
    // A key of 256 bits in Base64: esphome.io, "Native API".
    ['key: "|key":"|key": "', /(?<![\w-])key"?: ?"(?<secret>[A-Za-z0-9+/]{43}=)"/i, isToken],
    // learn.microsoft.com/aspnet, JWT bearer authentication.
    ['jwt"|jwtsettings"', /\s?:\s?\{[^{}]{0,200}?"(?:key|secret)"\s?:\s?"(?<secret>[^"\s]{8,200})"/i, isNoPlaceholder],
    // developer.valvesoftware.com: accounts of game servers.
    ['setsteamaccount ', /"?(?<secret>[0-9A-F]{32})(?!\w)/i],
    // Names that are tokens: no user's is as long.
    ['"username"|"user"|"login"', /\s?:\s?"(?<secret>(?=[\w-]{0,40}[A-Z])(?=[\w-]{0,40}[a-z])[\w-]{32,200})"/, isToken],
    // Personal access tokens of Azure DevOps and others: `AZURE_DEVOPS_EXT_PAT`.
    ['_pat=|_pat:|_pat"|_pat\'|_pat =', /[\s:="'\\]{0,8}(?<secret>[\w-]{20,200})/i, isPersonalToken],
    // airflow.apache.org, `fernet_key`; consul.io, `encrypt`.
    [
      'fernet_key|encrypt"|encrypt =|encrypt=',
      /\\{0,3}["']?\s{0,3}[=:]?\s{0,3}\\{0,3}["']?(?<secret>[A-Za-z0-9+/_-]{43}=|[A-Za-z0-9+/]{22}==)(?![\w=])/i,
      isToken,
    ],
    // developer.pagerduty.com, "Events API"; that of a queue is words.
    [
      'routing_key|routingkey|routing-key',
      /\\{0,3}["']?\s?[=:]\s{0,3}\\{0,3}["']?(?<secret>[0-9a-f]{32}|R[0-9A-Z]{31})(?!\w)/i,
      isToken,
    ],
    // kaggle.com, "API credentials".
    ['"username"', /\s?:\s?"[^"\n]{1,60}",\s{0,20}"key"\s?:\s?"(?<secret>[\w-]{24,100})"/, isToken],
    // getcomposer.org, auth.json.
    ['-oauth"|-token"', /\s?:\s?\{\s{0,20}"[\w.-]{1,60}\.[a-z]{2,10}"\s?:\s?"(?<secret>[\w-]{16,200})"/, isToken],
    // docs.sonarsource.com, analysis parameters.
    ['sonar.login=', /(?<secret>[\w-]{30,60})/, isToken],
    // RFC 6750; RFC 7617.
    [
      'bearer|basicauth|basic_auth',
      /\\{0,3}["']\s{0,3}[:=]\s{0,3}\\{0,3}["'](?:[^\s:"'\\]{1,60}:)?(?<secret>[^\s:"'\\]{8,400})\\{0,3}["']/i,
      isMixedText,
    ],
    // docs.docker.com, config.json; docs.npmjs.com, .npmrc.
    [
      '"auth|_auth',
      /\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?(?<secret>[A-Za-z0-9+/]{6,200}={0,2})/i,
      isBasicCredentials,
    ],
    // docs.github.com, "Workflow commands": masking a value.
    ['::add-mask::', /(?<secret>[^\s"'$\\]{4,400})/, isNoPlaceholder],
  ],
  // learn.microsoft.com/azure, "storage connection string", "service SAS".
  'azure-secret': [
    // "az storage account keys list", as a table and as JSON.
    [
      'FULL|Full',
      /(?<=\bkey\d[ \t]{1,20})(?:FULL|Full)[ \t]{1,20}(?<secret>(?:[A-Za-z0-9+/]{43}|[A-Za-z0-9+/]{86}=)=)/,
    ],
    ['"FULL"|"Full"', /,\s{0,40}"value"\s?:\s?"(?<secret>(?:[A-Za-z0-9+/]{43}|[A-Za-z0-9+/]{86}=)=)"/],
    ['"value": "|"value":"', /(?<secret>[A-Za-z0-9+/]{86}==)"/],
    ['AccountKey=|SharedAccessKey=', /(?<secret>[A-Za-z0-9%+/_-]{20,200}={0,2})/],
    ['sig=', /(?<=[?&;]|amp;|u0026)sig=(?<secret>[A-Za-z0-9%+/_-]{30,200}={0,2})/],
    [
      'sig"|sig\'|sig\\',
      /(?<=["'])sig\\{0,3}["']\s{0,3}[:=]\s{0,3}\\{0,3}["'](?<secret>[A-Za-z0-9%+/]{40,60}={0,2})\\{0,3}["']/,
    ],
  ],
  // docs.npmjs.com, .npmrc.
  'npm-token': [['_authToken=', /(?<secret>[A-Za-z0-9_-][A-Za-z0-9_=+/-]{9,200})/]],
  // openssl-pkey(1), `-text`.
  'private-key': [
    [
      'priv:|privateExponent:|prime1:|prime2:|exponent1:|exponent2:|coefficient:',
      /\s{1,20}(?<secret>(?:[0-9a-f]{2}:\s{0,20}){12,1100}[0-9a-f]{2})/,
    ],
  ],
})
