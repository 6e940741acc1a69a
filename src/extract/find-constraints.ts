import { findSentences } from './find-sentences.ts'

/** Words by which people demand, forbid or prefer, by language. */
const DEMANDS = [
  // English
  /\b(?:must|never|don't|do not|doesn't need|always|only|use|prefer|avoid|make sure|ensure|without|instead of|keep|should(?:n't)?|stay (?:on|with)|no need|need to|have to|not allowed|forbidden|required?)\b/i,
  // German
  /\b(?:muss|müssen|darf|dürfen|nie(?:mals)?|immer|nur|nicht|bitte kein\w*|verwende|benutze|bevorzug\w*|vermeide|soll(?:en|te|st)?)\b/i,
  // French, Spanish, Portuguese, Italian
  /\b(?:doit|dois|devez|jamais|toujours|seulement|utilise[rz]?|évite[rz]?|préfère|debe[ns]?|nunca|siempre|solo|usa[r]?|prefiero|evita[r]?|sempre|deve|mai)\b/i,
  // Russian
  /(?:должн|никогда|всегда|только|нельзя|используй|не надо|избегай|предпочита)/i,
  // Chinese, Japanese, Korean
  /(?:必须|一律|没有例外|别(?!的|人|处)|一直|保持|而不是|请勿|不要|不能|不得|总是|始终|只能|只用|仅|使用|优先|避免|禁止|務必|必ず|しないで|絶対|常に|だけ|使って|使用し|避け|べき|하지\s*마|반드시|항상|절대|사용)/,
]

/** A question asks; it demands nothing. */
const QUESTION = /[?？]$/

/** Finds what a user's message demands, forbids or prefers, sentence by sentence. */
export function findConstraints(text: string): string[] {
  return findSentences(text).filter(
    (sentence) => !QUESTION.test(sentence) && DEMANDS.some((words) => words.test(sentence)),
  )
}
