import { findSentences } from './find-sentences.ts'

const HEADING =
  /^\s*(?:#{1,6}\s*|\*\*)?(?:next steps?|next|to-?do|remaining|still (?:to do|open|missing)|nächste schritte|下一步|次のステップ|待办)\b[^a-z]{0,4}$/i
const LIST_ITEM = /^\s*(?:[-*+•]|\d+[.)])\s+(.*\S)/
const UNCHECKED = /^\s*[-*+]\s+\[ \]\s+(.*\S)/
const INTENTION =
  /^(?:next|then|after that|remaining|now i(?:'ll| will| need)|i(?:'ll| will| still need to| need to| am going to)|let me|still to do|todo|als nächstes|下一步|接下来|次に)\b|^(?:下一步|接下来|次は|次に)/i

/** Steps stand at a text's end. */
const TAIL_CHARACTERS = 6000

/** What an agent means to do next in its last words, sentence by sentence: what it says later takes its place. */
export function findIntentions(text: string): string[] {
  return findSentences(text)
    .filter((sentence) => INTENTION.test(sentence) && !sentence.endsWith(':'))
    .slice(-2)
}

/** Finds the steps that an agent's text lists: open check boxes, or the list under a heading like "Next steps". */
export function findNextSteps(text: string): string[] {
  const steps: string[] = []
  let isUnderHeading = false
  for (const line of text.slice(-TAIL_CHARACTERS).split('\n')) {
    const [, open] = UNCHECKED.exec(line) ?? []
    const [, item] = LIST_ITEM.exec(line) ?? []
    if (open !== undefined) steps.push(open)
    else if (HEADING.test(line)) isUnderHeading = true
    else if (isUnderHeading && item !== undefined) steps.push(item)
    else if (line.trim() !== '') isUnderHeading = false
  }
  return steps
}
