/** The beginning of an item of a list in Markdown, with the number of a step. */
export const LIST_ITEM = /^(?:[-*+]|(\d{1,3})[.)])\s/

/** Where a sentence ends and another one begins. */
export const SENTENCE_END = /(?<=[.!?])\s+(?=[\p{Lu}`*\d])|(?<=[。！？])/u

/** The mark of a line and its box, if it has them. */
export const LIST_MARK = /^\s{0,20}(?:[-*+]|\d{1,3}[.)])?\s{0,5}(?:\[[ xX]\]\s{0,5})?/
