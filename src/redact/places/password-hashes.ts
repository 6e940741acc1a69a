import { rulesOf } from '../rule.ts'

/** A hash of a password, as crypt(5), bcrypt, Argon2 and passlib write it; Compose and Traefik double each `$`. */
const HASH =
  '(?:\\${1,2}2[abxy]?\\${1,2}\\d{2}\\${1,2}[./A-Za-z0-9]{53}|\\${1,2}(?:1|5|6|7|y|gy|apr1|sha1|scrypt)\\${1,2}[^\\s:$"\'`]{0,60}(?:\\${1,2}[^\\s:$"\'`]{1,60}){0,2}\\${1,2}[./A-Za-z0-9]{20,90}|\\${1,2}argon2(?:id?|d)\\${1,2}v=\\d{1,3}\\${1,2}m=[\\d,=a-z]{5,40}(?:\\${1,2}[A-Za-z0-9+/]{8,100}){2}|pbkdf2[_:-]sha\\d{1,3}[:$]\\d{1,7}[:$][^\\s:$"\']{4,60}[:$][A-Za-z0-9+/=]{20,100})'

/** The text before it: its user, its name, the field before it in a row, or its user in a map of users. */
const BEFORE =
  "(?<=(?:[\\w.@+-]:|(?:pass|pwd|hash|crypt|digest)[\\w-]{0,20}\\\\{0,3}[\"'`]?\\s{0,3}(?:[:=]|=>)\\s{0,3}\\\\{0,3}[\"'`]?|,\\s?'|\\t|\\|\\s?|users[\"']?:\\s?\\n(?:[ \\t]{1,20}[^\\n]{1,120}\\n){0,20}[ \\t]{1,20}[\"']?[\\w.@-]{1,60}[\"']?:[ \\t]{1,4}[\"']?)\\$?)"

/**
 * Rules for hashes of passwords. A hash alone may be an example of a library; where it is the password of somebody, it can be
 * guessed from.
 */
export const HASH_RULES = rulesOf({
  password: [
    [
      '$1$|$2a$|$2b$|$2x$|$2y$|$5$|$6$|$7$|$y$|$gy$|$apr1$|$argon2|pbkdf2_sha|pbkdf2:sha|$scrypt$',
      `${BEFORE}(?<secret>${HASH})`,
    ],
    // RFC 2307; doc.dovecot.org, "Password Schemes".
    [
      '{sha}|{ssha|{sha256|{sha512|{plain}|{crypt}|{smd5}|{md5|{blf-crypt}|{argon2',
      /(?<=[\w.@-]:\s?)\{(?:S?SHA\d{0,3}|PLAIN|CLEAR|S?MD5|CRYPT|ARGON2ID?|(?:SHA\d{3}|MD5|BLF)-CRYPT)\}(?<secret>[^\s:"'`]{6,200})/i,
    ],
    // dev.mysql.com, mysql_native_password.
    [' *|\'*|"*|\t*', /(?<secret>[0-9A-F]{40})(?![0-9A-Za-z])/],
    ['userpassword:: ', /(?<secret>[A-Za-z0-9+/]{12,400}={0,2})/i],
  ],
})
