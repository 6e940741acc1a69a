import type { Fact } from '../schemas/provenance.ts'
import { escapePattern } from '../text/escape-pattern.ts'

/** A part of a text: plain, or a fact of the summary. */
export interface FactPart {
  text: string
  fact?: Fact
}

/** Returns the parts of a text. @param isCode whether the text is in backticks, or a path in a list of files */
export type SplitFacts = (text: string, isCode?: boolean) => FactPart[]

/**
 * Returns a function that finds the facts of a summary in its texts; of facts that begin together, the longest counts. A name
 * such as `note` is a fact in code only, and so is a command of one word such as `with`: in a sentence, they are words like any other.
 */
export function splitterOf(facts: readonly Fact[]): SplitFacts {
  const inCode = searchFor(facts)
  const inSentences = searchFor(facts.filter(({ kind, text }) => !(kind === 'code' ? NAME : WORD).test(text)))
  return (text, isCode = false) => (isCode ? inCode : inSentences)(text)
}

const NAME = /^\w+$/
const WORD = /^\p{L}\p{Ll}*$/u

function searchFor(facts: readonly Fact[]): (text: string) => FactPart[] {
  const byText = new Map(facts.map((fact) => [fact.text, fact]))
  const texts = [...byText.keys()].sort((a, b) => b.length - a.length)
  if (texts.length === 0) return (text) => [{ text }]
  // A part of a longer word is not a fact: `invoice` in `invoices`.
  const pattern = new RegExp(`(?<!\\w)(?:${texts.map(escapePattern).join('|')})(?!\\w)`, 'g')
  return (text) => {
    const parts: FactPart[] = []
    let end = 0
    for (const { 0: found, index } of text.matchAll(pattern)) {
      if (index > end) parts.push({ text: text.slice(end, index) })
      const fact = byText.get(found)
      parts.push(fact === undefined ? { text: found } : { text: found, fact })
      end = index + found.length
    }
    if (end < text.length) parts.push({ text: text.slice(end) })
    return parts
  }
}
