import type { NamedValue } from './assignment.ts'
import { isMemorable, isNumberedWords } from '../values/chosen-words.ts'
import { isMember, isRandom } from '../values/secret-values.ts'
import { isPhrase } from '../values/stated-passwords.ts'

/** Syntaxes in which a value cannot be the name of a variable. */
export const TEXTS = new Set<NamedValue['syntax']>(['shell', 'element', 'property', 'query'])

/** Brackets within a value that has digits, and no name before them, as no call has: `Gq7(tR2)xx`. */
const BRACKETS_INSIDE =
  /^(?=[^(]{0,40}\d)[A-Za-z\d][^\s()`]{1,40}(?<![A-Za-z]{3})\([^\s()`,]{1,40}\)[A-Za-z\d!#%&?^~]{1,40}$/

/** Returns whether a value is one that code computes: a call, a member, a pointer, a shell's substitution; or where openssl finds it. */
export function isComputed(value: string, { syntax, isData = false }: NamedValue): boolean {
  if (syntax === 'option' && /^(?:env|file|fd|pass):/.test(value)) return true
  // An element of a list, and a number: `credentials[1]`, `0x02`.
  if (
    /^0x[0-9a-f]{1,16}$/i.test(value) ||
    (syntax !== 'shell' && /^[A-Za-z_$][\w$.]*(?:\[['"\w$.:+-]*\]?){1,4}$/.test(value))
  )
    return true
  if (syntax === 'property' && isMember(value)) return true
  if (TEXTS.has(syntax)) return /^[$(<`]|\$\{|\$\(/.test(value) && !/^\$\w*[^\w]/.test(value)
  return (
    (/^[$&*!@([{<%=+]|[(`]/.test(value) && !BRACKETS_INSIDE.test(value)) ||
    /^(?:process|os|env|import|config|settings|self|this|req|request)\b[.[]|^(?:await|new|typeof|lambda|function)\b/.test(
      value,
    ) ||
    (/^[A-Za-z_$][\w$]*(?:\??(?:\.|->|::)[A-Za-z_$][\w$]*){1,20}[?!]?$/.test(value) &&
      !isRandom(value) &&
      !(isData || syntax === 'option'
        ? (isMemorable(value) || isPhrase(value)) && !isMember(value)
        : isNumberedWords(value)))
  )
}
