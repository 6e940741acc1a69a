/** A text this long is a paste: what a person says of it stands before or after. */
const HEAD_CHARACTERS = 6000
const TAIL_CHARACTERS = 3000

const MIN_SENTENCE_CHARACTERS = 4
const MAX_SENTENCE_CHARACTERS = 400

/** A sentence ends at its mark before white space, three dots apart; Chinese and Japanese put none after theirs. */
const SENTENCE = /[^.!?。！？]+(?:(?:\.{3,}|[.!?]+(?!\s|$))[^.!?。！？]+)*(?:[.!?]+|[。！？]+)?/gu

/** Lines that are no prose: fences, tables, code, log lines, tags. */
const NO_PROSE =
  /^(?:```|~~~|\||[{}[\]();<>/\\@$#*=-]{2,}|<\/?[a-z]|(?:import|export|const|let|var|function|class|return|def|if|for)\b.*[({;=]|.*[;{}]\s*$|\s{4,}\S)/

/**
 * Splits what somebody said into sentences, line by line; code, tables and fenced blocks are left out.
 * @returns sentences without list marks, in order
 */
export function findSentences(text: string): string[] {
  const sentences: string[] = []
  let isFenced = false
  for (const line of ends(text).split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced
    else if (!isFenced && !NO_PROSE.test(line)) addSentences(sentences, line)
  }
  return sentences
}

function ends(text: string): string {
  if (text.length <= HEAD_CHARACTERS + TAIL_CHARACTERS) return text
  return `${text.slice(0, HEAD_CHARACTERS)}\n${text.slice(-TAIL_CHARACTERS)}`
}

function addSentences(sentences: string[], line: string): void {
  const plain = line.replace(/^\s*(?:[-*+•]|\d+[.)]|#{1,6})\s+/, '').replace(/^\[[ xX]\]\s*/, '')
  // A sentence of thousands of characters is a paste that has no line breaks.
  for (const [sentence] of plain.slice(0, HEAD_CHARACTERS).matchAll(SENTENCE)) {
    const trimmed = sentence.trim()
    if (trimmed.length >= MIN_SENTENCE_CHARACTERS && trimmed.length <= MAX_SENTENCE_CHARACTERS) sentences.push(trimmed)
  }
}
