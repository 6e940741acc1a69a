import { withoutFenced } from '../text/close-marks.ts'
import { headAndTail } from '../text/shorten.ts'

/**
 * How much of a text is read. A longer one has pasted text in its middle; a person's own words are before or after.
 */
const HEAD_CHARACTERS = 20_000

const TAIL_CHARACTERS = 3000

const MIN_SENTENCE_CHARACTERS = 4
const MAX_SENTENCE_CHARACTERS = 400

/** A sentence ends at its mark before white space, and not at three dots; in Chinese and Japanese no space follows. */
const SENTENCE = /[^.!?。！？]+(?:(?:\.{3,}|[.!?]+(?!\s|$))[^.!?。！？]+)*(?:[.!?]+|[。！？]+)?/gu

/** Lines that are not prose: tables, code, log lines, tags. */
const NO_PROSE =
  /^(?:\||[{}[\]();<>/\\@$#*=-]{2,}|<\/?[a-z]|(?:import|export|const|let|var|function|class|return|def|if|for)\b.*[({;=]|.*[;{}]\s*$|\s{4,}\S)/

/**
 * Returns the sentences of a text, in order and without list marks. Code, tables and fenced blocks are left out.
 */
export function findSentences(text: string): string[] {
  const sentences: string[] = []
  for (const line of withoutFenced(headAndTail(text, HEAD_CHARACTERS, TAIL_CHARACTERS).split('\n')))
    if (!NO_PROSE.test(line)) addSentences(sentences, line)
  return sentences
}

function addSentences(sentences: string[], line: string): void {
  const plain = line.replace(/^\s*(?:[-*+•]|\d+[.)]|#{1,6})\s+/, '').replace(/^\[[ xX]\]\s*/, '')
  let open = ''
  const add = (sentence: string): void => {
    const trimmed = sentence.trim()
    if (trimmed.length >= MIN_SENTENCE_CHARACTERS && trimmed.length <= MAX_SENTENCE_CHARACTERS) sentences.push(trimmed)
  }
  // A line of thousands of characters is pasted text without line breaks.
  for (const [part] of plain.slice(0, HEAD_CHARACTERS).matchAll(SENTENCE)) {
    const sentence = open + part
    open = ABBREVIATION.test(sentence.slice(-ABBREVIATION_CHARACTERS)) ? sentence : ''
    if (open === '') add(sentence)
  }
  add(open)
}

/** Words with a full stop that does not end a sentence. */
const ABBREVIATION =
  /(?:^|[\s(["'])(?:e\.g|i\.e|dr|mrs?|prof|nr|st|[ap]\.\s?m|vs|cf|z|z\.\s?B|d|d\.\s?h|bzw|p\.\s?ex|p\.\s?ej)\.$/i
const ABBREVIATION_CHARACTERS = 10

/** Words by which an agent says what it has chosen, or why. */
const CHOICE =
  /\b(?:decided|decision|chose|chosen|choosing|opted|going with|went with|will use|settled on|instead of|rather than|because|trade-?off|root cause|entschieden|weil|décidé|parce que|decidí|porque)\b|решил|потому что|决定|选择|因为|採用|決め|ので/i

/** Words of a reason or a cause: what the agent does about it may be in the next sentence. */
const REASON =
  /\b(?:so that|the (?:actual |real |underlying )?(?:issue|problem|cause|reason|bug|catch|trick) (?:is|was)|since (?:we|i|it|the|this|that|there|they)|otherwise|turns out|that(?:'s| is) why|(?:doesn['’]t|does not|can['’]t|cannot|can never|must not|may not|has to|have to) \w)/i

/** Words of a guess, or of what an agent expects: nothing is decided. */
const GUESS =
  /\b(?:i bet|i (?:think|guess|suspect|assume|wonder)|maybe|perhaps|probably|presumably|likely|might|could be|seems?|should(?! (?:use|keep|stay|prefer)\b)|what if|would you|vermutlich|vielleicht|wahrscheinlich|peut-être|quizás|talvez|forse)\b/i

/** Shorter sentences explain nothing. */
const MIN_REASON_CHARACTERS = 40

/** Returns the sentences in which an agent decides something or gives its reasons, with what it does about them. */
export function findDecisions(text: string): string[] {
  const sentences = findSentences(text)
  return sentences.flatMap((sentence, at) => {
    if (GUESS.test(sentence) || /[?？:]$/.test(sentence)) return []
    if (FAILED_TOOL.test(sentence)) return []
    if (CHOICE.test(sentence)) return [sentence]
    const next = sentences[at + 1] ?? ''
    const isExplained = ANNOUNCED_CHANGE.test(next) && sentence.length >= MIN_REASON_CHARACTERS
    if (!REASON.test(sentence) || !isExplained) return []
    if (!BARE_CHANGE.test(next)) return [`${sentence} ${next.replace(/:$/, '.')}`]
    return NEED.test(sentence) ? [sentence] : []
  })
}

/** A tool of the agent that failed, and why: it is a fault, which the next call avoids. */
const FAILED_TOOL =
  /\b(?:command|edit|replacement|script|build|compilation|patch|regex|sed|grep)\b[^.]{0,40} (?:didn['’]t work|did not work|failed|fails|is failing|was failing)\b[^.]{0,40} because\b/i

/** The announcement of a change that does not say which one: `Let me simplify.` */
const BARE_CHANGE =
  /^(?:so )?(?:now )?(?:let me|i['’]ll|i will|i need to|i should) (?:also |just )?\w+(?: (?:it|this|that|them))?[.!:]*$/i

/** What a sentence says that has to be done. */
const NEED = /\b(?:(?:i|we) (?:need|have) to|must|should|has to)\b/i

/** Verbs for what an agent changes for a reason. A look at something decides nothing. */
const ANNOUNCED_CHANGE =
  /^(?:so )?(?:now )?(?:let me|i['’]ll|i will|i need to|i should) (?:also |just )?(?:rewrite|make|replace|remove|move|merge|split|extract|rename|define|require|configure|change|convert|switch|use|add|drop|wrap|refactor|simplify|fix|set|put|pass|return|keep)\b/i

const STEPS_HEADING =
  /^\s*(?:#{1,6}\s*|\*\*)?(?:next steps?|next|to-?do|remaining|unresolved|still (?:to do|open|missing)|nächste schritte|下一步|次のステップ|待办)\b[^a-z]{0,4}$/i
const LIST_ITEM = /^\s*(?:[-*+•]|\d+[.)])\s+(\S(?:.*\S)?)/
const UNCHECKED = /^\s*[-*+]\s+\[ \]\s+(\S(?:.*\S)?)/
/** `UNRESOLVED: the test of dates is flaky` */
export const UNRESOLVED = /^\s*(?:[-*+•]\s+)?(?:\*\*)?unresolved(?:\*\*)?:(?:\*\*)?\s+(\S(?:.*\S)?)/i
/** Steps are listed at a text's end. */
const STEPS_TAIL_CHARACTERS = 6000

/** Returns the steps that an agent's text lists: open check boxes, what it says is unresolved, or the list under a heading like "Next steps". Code in fences has none. */
export function findNextSteps(text: string): string[] {
  const steps: string[] = []
  let isUnderHeading = false
  for (const line of withoutFenced(text.split('\n')).join('\n').slice(-STEPS_TAIL_CHARACTERS).split('\n')) {
    const [, open] = UNCHECKED.exec(line) ?? UNRESOLVED.exec(line) ?? []
    const [, item] = LIST_ITEM.exec(line) ?? []
    if (open !== undefined) steps.push(open)
    else if (STEPS_HEADING.test(line)) isUnderHeading = true
    else if (isUnderHeading && item !== undefined) steps.push(item)
    else if (line.trim() !== '' && !line.trim().endsWith(':')) isUnderHeading = false
  }
  return steps
}
