import { rulesOf } from '../rule.ts'
import { OPENING_QUOTE } from '../values/passwords.ts'
import { isMixed, isRandom, isRandomLetters } from '../values/secret-values.ts'

const CODE =
  '(?:(?=[a-z0-9-]{0,60}(?:[\\n,] ?[a-z0-9-]{0,60})?\\d)[a-z0-9]{4,12}(?:-[a-z0-9]{4,12}){1,7}|(?:\\d{4} |(?!20[0-3]\\d[01]\\d)\\d{4})\\d{4})(?![\\w.])["\']?'

/** Before a code of a list: its number or mark, and its quote. */
const NEXT_CODE = `(?:\\d{1,2}[.)] |[-*] )?(?:${OPENING_QUOTE}){0,3}`

/** Rules for one-time passwords and for what replaces them: recovery codes. */
export const CODE_RULES = rulesOf({
  secret: [
    // RFC 6238: secrets of one-time passwords are Base32, often in groups of four.
    [
      'otp|OTP|mfa|MFA|2fa|2FA|authenticator|Authenticator|setup key|Setup key|base32|Base32|manual|scan',
      /[^\n]{0,40}?(?:[=:(,] ?| (?:is|ist|est|es|è|é|seed|secret) )(?:\\{0,3}["']\w{1,10}\\{0,3}["']: ?)?\\{0,3}["'`]?(?<secret>[A-Z2-7]{16,64}|[a-z2-7]{4}(?: [a-z2-7]{4}){3,15})(?![\w])/,
      (value) => /\d/.test(value) || isRandomLetters(value),
    ],
    // github.com/google/google-authenticator, "Key Uri Format".
    ['otpauth-migration:', /\/\/offline\?data=(?<secret>[A-Za-z0-9%+/=_-]{20,4000})/],
    ['otpauth:', /[^\s"'<>]{2,200}?secret=(?<secret>[A-Za-z2-7]{16,200})/],
    // One code, in a sentence.
    [
      'backup code |recovery code |rescue code |scratch code |notfallcode |code de secours |código de recuperación ',
      /(?:(?:for|of) [\w ]{1,30} )?(?:is|was|ist|lautet|est|es):? ["'`]?(?<secret>[a-z0-9]{8,16})(?![\w-])/i,
      (value) => isMixed(value) && isRandom(value) && value.replace(/\D/g, '').length >= 2,
    ],
    // docs.github.com, "recovery codes".
    [
      'recovery|backup|rescue|scratch|emergency|wiederherstellungs|codes de secours|códigos de recuperación',
      String.raw`(?:(?:[ _-]?(?:code|key)s?|schlüssels?)|(?<=secours|ción))(?: (?:for|of|to) [\w ]{1,30}| ?\([^()\n]{1,40}\))?(?:["'${'`'}*]{0,3}\s?[:=]| is| are|\n)[\s\[]{0,20}${NEXT_CODE}(?<secret>${CODE}(?:[\s,]{1,20}${NEXT_CODE}${CODE}){0,20})`,
    ],
  ],
})
