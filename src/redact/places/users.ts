import { rulesOf } from '../rule.ts'
import { isChosen, isMemorable } from '../values/chosen-words.ts'
import { isNearPassword, isStrictPassword } from '../values/passwords.ts'
import { isMixedText, isMixedValue, isNoPlaceholder } from '../values/secret-values.ts'

const isMixedOrChosen = (value: string): boolean => isMixedText(value) || isChosen(value) || isMemorable(value)

/** Rules for the password behind its user: in files of users, in protocols, and in texts that have both. */
export const USER_RULES = rulesOf({
  password: [
    // cisco.com: users; haproxy.org: userlist; net-snmp.org, snmpd.conf.
    [
      ' secret 0 | secret 5 | secret 8 | secret 9 | password 0 | password 7 | insecure-password ',
      /(?<=\buser(?:name)? [^\n]{1,80}) [a-z-]{6,17} (?:\d )?\\{0,3}["']?(?<secret>[^\s"'\\]{6,100})/,
      isNoPlaceholder,
    ],
    ['createUser ', /\S{1,40} (?:MD5|SHA[\d-]{0,6}) \\{0,3}["']?(?<secret>[^\s"'\\]{6,100})/, isNoPlaceholder],
    // redis.io, "AUTH", "MONITOR"; RFC 4954 (SMTP) and RFC 3501 (IMAP); services of IRC.
    [
      'AUTH |LOGIN |IDENTIFY ',
      /(?:(?<=(?:^|[\n"'>\]:]\s?|HELLO \d )AUTH )|(?<=\w LOGIN )|(?<=[\s:]IDENTIFY ))(?:"?[\w.@+-]{1,80}"? )?"?(?<secret>[^\s"'\\]{8,400})(?=["'\s\\]|$)/,
      isNearPassword,
    ],
    ['"AUTH"', /(?: "[^"\n]{1,60}")? "(?<secret>[^"\n]{4,200})"/, isNoPlaceholder],
    // SMTP asks in Base64; POP3 (RFC 1939), FTP (RFC 959).
    [
      '334 UGFzc3dvcmQ6|334 |334\n|PASS ',
      /\s{0,2}(?<=UGFzc3dvcmQ6\s{1,2}|AUTH PLAIN\s{1,3}(?:[<S]:? )?334\s{1,2}|USER [^\n]{1,80}\n(?:[^\n]{0,100}\n){0,2}[^\n]{0,8}PASS )(?:[>C]:? )?(?<secret>[^\s"'\\]{6,200})/,
      isMixedValue,
    ],
    // pgbouncer.org, userlist.txt; pppd(8), chap-secrets.
    ['" "', /(?<=(?:^|\n|\\n)"[\w.@-]{1,60})" "(?<secret>[^\s"\\]{8,200})"(?=\s*(?:\n|\\n|$))/, isMixedOrChosen],
    [
      ' * |\t*',
      /(?<=(?:^|\n|\\n|")[\w.@"-]{1,60}[ \t]{0,20})[ \t]\*[ \t]{1,20}"?(?<secret>[^\s"\\*]{8,200})"?[ \t]{1,20}\*(?=\s*(?:\n|\\n|"|$))/,
      isMixedOrChosen,
    ],
    [
      ' pptpd | l2tpd | xl2tpd | ppp | pppoe ',
      /"?(?<secret>[^\s"'\\*]{6,200})"?(?= (?:\*|[\d./]{7,18})\s*(?:\n|\\n|"|$))/,
      isNoPlaceholder,
    ],
    // postfix.org, smtp_sasl_password_maps.
    [']:', /\d{2,5}[ \t]{1,20}[^\s:"']{1,60}:(?<secret>[^\s"'\\]{4,100})(?=\s|$)/, isNoPlaceholder],
    // docs.oracle.com, JDBC: database URLs.
    [
      'jdbc:oracle:',
      /\w{1,10}:[\w.$#-]{1,60}\/\\{0,3}"?(?<secret>[^\s"'\\]{3,100}?)\\{0,3}"?@(?=[^\s@]{1,100}(?:\s|$|["'\\]))/,
      isNoPlaceholder,
    ],
    // lftp(1), ftp(1).
    ['open -u ', /[\w.@-]{1,60},(?<secret>[^\s"';\\]{6,100})/, isMixedValue],
    [
      'user ',
      /(?<=\bftp\b[^\n]{0,80}<<[^\n]{1,20}\n(?:[^\n]{1,80}\n){0,2})user [\w.@-]{1,60} (?<secret>[^\s"';\\]{6,100})/,
      isMixedValue,
    ],
    ['sip:|sips:', /[\w.+-]{1,60}:(?<secret>[^\s"'@<>\\]{6,100})@(?=[\w[])/, isMixedValue],
    // A user and his password in one text, or in a list of two.
    [
      'basic_auth|auth_basic|basicauth|npmauthident|login"|credentials"|userpwd',
      /\\{0,3}["']?\s{0,3}[:=]\s{0,3}(?:\[\s?)?\\{0,3}["']?[\w.@+-]{1,60}(?::|\\{0,3}["'],\s?\\{0,3}["'])(?<secret>[^\s:"'\\,/]{6,100})(?=\\{0,3}["']|\s|$)/i,
      (value) => isNoPlaceholder(value) && isStrictPassword(value),
    ],
    // curl.se, config file; squid-cache.org, cache_peer.
    [
      'user="|user = "|user: "|login=',
      /"?[\w.@+-]{1,60}:(?<secret>[^\s:"'\\,/]{6,100})(?=["'\s\\]|$)/,
      (value) => isNoPlaceholder(value) && isStrictPassword(value),
    ],
    // postgresql.org/docs, "The Password File". An address of IPv6 may have gaps: `2001:db8:*:*:*:*:*:*`.
    [
      ':5432:|:*:',
      /[^\s:]{1,60}:[^\s:]{1,60}:(?<secret>[^\s:"'\\]{3,200})(?=\s|$|\\{1,4}n|["'])/,
      (value) => isNoPlaceholder(value) && !/^(?:\*|[0-9a-f]{0,4}(?:$|[:/`]))/.test(value),
    ],
  ],
})
