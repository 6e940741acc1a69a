/**
 * Returns whether a text has a letter or a digit that a reader sees. One of punctuation, invisible characters or lone fences only
 * is not blank, but not a summary either. Unicode has fillers of Hangul among its letters (U+3164), which nobody sees.
 */
export const hasVisibleWords = (text: string): boolean => /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u.test(text)
