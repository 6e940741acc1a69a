import { rulesOf } from '../rule.ts'
import { isCertainPassword, isNearPassword, OPENING_QUOTE, WORD_VALUE } from '../values/passwords.ts'
import { isCertainOrPhrase, isStatedPassword } from '../values/stated-passwords.ts'

const BEHIND_USE =
  ' to ssh in| to ssh to| to ssh on| to connect over ssh| to log in| to login| to sign in| to authenticate| to unlock| to get in| when it asks| when it prompts| when prompted| when asked| at the password prompt| at the login prompt'

/** Rules for passwords in tasks of users: what to log in with, and what to set. */
export const TASK_RULES = rulesOf({
  password: [
    // "Use x to log in", "Type x when it asks for it"
    [
      BEHIND_USE,
      `(?<=\\b(?:use|type|enter|try) ${OPENING_QUOTE}?(?<user>[\\w-]{1,32}:)?(?<secret>(?![\\w-]{1,32}:)[^\\s"'\`]{6,100})["'\`”»]?)(?:${BEHIND_USE})`,
      (value, { groups }) =>
        isNearPassword(value) ||
        (groups?.['user'] !== undefined && (isCertainPassword(value) || isStatedPassword(value))),
    ],
    // "unlock the zip with x": in quotes, or what looks chosen or generated.
    [
      'unlock |unlocks |decrypt |decrypts |unzip |extract |open ',
      `(?<![\\w.-](?=[a-z]))(?:(?!with )[\\w.'’-]{1,30} ){1,4}with (?:the )?${WORD_VALUE}`,
      (value, { groups, 0: all }) =>
        isCertainOrPhrase(value) &&
        !value.includes('/') &&
        (groups?.['quote'] !== '' || (/^(?:unlock|decrypt)/i.test(all) && isNearPassword(value))),
    ],
    // "Its password? x"
    [
      'password? |passphrase? |passwort? |kennwort? |mot de passe ? |mot de passe? |contraseña? |senha? ',
      WORD_VALUE,
      isCertainOrPhrase,
    ],
    // "take x as the password", with the value behind it.
    [
      'als passwort |als kennwort |as password |as the password |as passphrase |as the passphrase |comme mot de passe |como contraseña |como senha ',
      `(?:einfach |bitte |erstmal |just |simply |please |simplement |simplemente |simplesmente )?${WORD_VALUE}`,
      isCertainOrPhrase,
    ],
  ],
})
