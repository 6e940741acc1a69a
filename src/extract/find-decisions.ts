import { findSentences } from './find-sentences.ts'

/** Words by which an agent says that it has chosen, or why. */
const CHOICE =
  /\b(?:decided|decision|chose|chosen|choosing|opted|going with|went with|will use|settled on|instead of|rather than|because|trade-?off|root cause|entschieden|weil|décidé|parce que|decidí|porque)\b|решил|потому что|决定|选择|因为|採用|決め|ので/i

/** Plans of the moment, which every agent announces before each call. */
const CHATTER = /^(?:let me|now let me|i'll (?:check|look|read|start|now)|let's|ok|sure|great|perfect|good)\b/i

/** Finds what an agent's text decides, with the reasons that it gives. */
export function findDecisions(text: string): string[] {
  return findSentences(text).filter(
    (sentence) => CHOICE.test(sentence) && !CHATTER.test(sentence) && !/[?？:]$/.test(sentence),
  )
}
