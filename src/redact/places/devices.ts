import { rulesOf } from '../rule.ts'
import { isChosen } from '../values/chosen-words.ts'
import { isStrictPassword } from '../values/passwords.ts'
import { isMixed, isNoPlaceholder } from '../values/secret-values.ts'

const isDeviceKey = (value: string): boolean => isNoPlaceholder(value) && (isMixed(value) || isChosen(value))

/** Rules for keys in the settings of network devices. */
export const DEVICE_RULES = rulesOf({
  password: [
    // docs.vyos.io, docs.fortinet.com, juniper.net: a setting with its path of words.
    [
      'secret |password |passwd |passphrase |psk |-key ',
      /(?<=(?:^|\n|\\n|")[ \t+-]{0,20}set [^\n=]{0,100})(?:secret|password|passwd|passphrase|psk|-key) \\{0,3}["']?(?:ENC )?(?<secret>[^\s"'\\;]{6,200})\\{0,3}["']?(?=\s*(?:\n|\\n|"|$))/,
      (value) => isDeviceKey(value) && isStrictPassword(value),
    ],
    // cisco.com: keys that two devices share; juniper.net, "pre-shared-key".
    ['crypto isakmp key ', /(?:\d )?(?<secret>[^\s"'\\]{6,100})(?= (?:address|hostname) )/, isNoPlaceholder],
    [
      'pre-shared-key ',
      /(?:(?:local|remote|address [\d.]{7,15}) )?(?:ascii-text |hexadecimal |key |\d )?\\{0,3}"?(?<secret>[^\s"';\\]{6,100})/,
      isDeviceKey,
    ],
    [
      'message-digest-key |authentication-key |key-string |wpa-psk |auth-pass |SQLConnectInfo ',
      /(?:\d{1,5} (?:md5|hmac-\w{3,8}) |(?<=string )|(?:ascii|hex) |(?<=auth-pass )[\w.-]{1,40} |(?<=Info )\S{1,80} \S{1,40} )(?:[057] )?\\{0,3}"?(?<secret>[^\s"';\\]{6,100})/,
      isDeviceKey,
    ],
    [
      'radius-server |tacacs-server ',
      /(?:host [^\s"']{1,60} (?:[a-z-]{1,20} \d{1,5} ){0,4})?key (?:\d )?(?<secret>[^\s"'\\]{6,100})/,
      isDeviceKey,
    ],
    [
      'radius server |tacacs server ',
      /[\w.-]{1,40}(?:(?:\r?\n|\\{1,4}n) [^\n\\]{1,80}){0,4}?(?:\r?\n|\\{1,4}n) {1,4}key (?:\d )?(?<secret>[^\s"'\\]{6,100})/,
      isDeviceKey,
    ],
  ],
})
