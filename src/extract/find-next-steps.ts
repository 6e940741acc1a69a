import { findSentences } from './find-sentences.ts'

const HEADING =
  /^\s*(?:#{1,6}\s*|\*\*)?(?:next steps?|next|to-?do|remaining|still (?:to do|open|missing)|nächste schritte|下一步|次のステップ|待办)\b[^a-z]{0,4}$/i
const LIST_ITEM = /^\s*(?:[-*+•]|\d+[.)])\s+(.*\S)/
const UNCHECKED = /^\s*[-*+]\s+\[ \]\s+(.*\S)/
const INTENTION =
  /^(?:next|then|after that|remaining|now i(?:'ll| will| need)|i(?:'ll| will| still need to| need to| am going to)|let me|still to do|todo|als nächstes|下一步|接下来|次に)\b|^(?:下一步|接下来|次は|次に)/i

/**
 * Finds the steps that an agent's text announces: open check boxes, the list under a heading like "Next steps", or the
 * sentences that begin like an intention.
 */
export function findNextSteps(text: string): string[] {
  const listed = listedSteps(text.slice(-6000))
  return listed.length > 0
    ? listed
    : findSentences(text)
        .filter((sentence) => INTENTION.test(sentence))
        .slice(-2)
}

function listedSteps(text: string): string[] {
  const steps: string[] = []
  let isUnderHeading = false
  for (const line of text.split('\n')) {
    const [, open] = UNCHECKED.exec(line) ?? []
    const [, item] = LIST_ITEM.exec(line) ?? []
    if (open !== undefined) steps.push(open)
    else if (HEADING.test(line)) isUnderHeading = true
    else if (isUnderHeading && item !== undefined) steps.push(item)
    else if (line.trim() !== '') isUnderHeading = false
  }
  return steps
}
