/**
 * Says what it means that words and phrases of a query were not found: a word is looked for at the beginning of words and of parts of
 * names. Empty if there are none.
 */
export function describeUnknownTerms(terms: readonly string[], quote: (term: string) => string): string {
  const phrases = terms.filter((term) => term.includes(' '))
  const words = terms.filter((term) => !term.includes(' '))
  const letters = words.filter((word) => word.length === 1)
  const sentences = [
    ['No word there begins with', words.filter((word) => word.length > 1), 'or'],
    ['No word there is', letters, 'or'],
    ['Not there:', phrases, 'and'],
  ] as const
  return sentences
    .filter(([, some]) => some.length > 0)
    .map(([start, some, last]) => `${start} ${listed(some.map(quote), last)}.`)
    .join(' ')
}

const listed = (items: readonly string[], last: string): string =>
  [items.slice(0, -1).join(', '), ...items.slice(-1)].filter((part) => part !== '').join(` ${last} `)
