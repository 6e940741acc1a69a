/** Returns the source of a pattern that matches a text as it is, with and without the flag `u`. */
export const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
