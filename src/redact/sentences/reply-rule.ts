import type { Rule } from '../rule.ts'
import { endOf, matchAt } from '../scan.ts'
import { isMemorable } from '../values/chosen-words.ts'
import { isCertainPassword, isNearPassword, isNearToken } from '../values/passwords.ts'

const NOUN =
  /password|passphrase|passcode|\bpin\b|api[ -]?key|access key|secret|token|credential|passwort|kennwort|zugangsdaten|schlüssel|mot de passe|contraseña|senha|parola|wachtwoord|hasł|парол|токен|密码|密碼|パスワード|비밀번호/i

/** Words of a sentence that asks without a question mark. */
const REQUEST =
  /\b(?:need|give|send|tell|enter|type|paste|share|provide|set|brauche|gib|nenne|schick|donne|besoin|envoie|dame|necesito|preciso|podaj)\b/i

/** How much of a message is read for its last sentence. */
const QUESTION_CHARACTERS = 400

/** Returns whether the last sentence of a text asks for a secret. */
export function asksForSecret(text: string): boolean {
  const end = text
    .slice(-QUESTION_CHARACTERS)
    .trimEnd()
    .replace(/[*_"'`)]{1,4}$/, '')
  const sentence =
    end
      .slice(0, -1)
      .split(/[.!?\n]/)
      .at(-1) ?? ''
  return NOUN.test(sentence) && (end.endsWith('?') || REQUEST.test(sentence))
}

/** Before the reply of a user, so that one rule knows it in a transcript and as a message. */
export const ASKING_LINES = '[Assistant]: Password?\n\n[User]: '

/** A reply that is one word, also behind "it is" and the like. */
const REPLY =
  /\[?(?:user|human)\]?: (?:(?:it[’']?s|it is|use|try|take|sure|ok|okay|yes|here|here it is|here you go|nimm|es ist|c[’']est|es|usa|é)[:,.]? ){0,2}["'`]?(?<secret>[^\s"'`]{6,200}?)["'`]?[.!]?[ \t]{0,8}(?=\r?\n|\\{1,4}n|$|")/iy

/** What a user replies when he is asked for a password. */
export const REPLY_RULE: Rule = {
  hints: ['[user]: ', 'user: ', 'human: '],
  isAnyCase: true,
  find(text, at) {
    const match = matchAt(REPLY, text, at)
    const { secret = '' } = match?.groups ?? {}
    if (match === undefined || !isReply(secret)) return []
    if (!asksForSecret(text.slice(Math.max(0, at - QUESTION_CHARACTERS), at))) return []
    const start = match.index + match[0].lastIndexOf(secret)
    return [{ start, end: Math.min(start + secret.length, endOf(match)), kind: 'password' }]
  },
}

const isReply = (value: string): boolean =>
  [isNearPassword, isNearToken, isMemorable, isCertainPassword].some((accepts) => accepts(value)) &&
  !/\.[a-z]\w{0,4}$|\//i.test(value)
