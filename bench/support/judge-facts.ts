import { oneLine } from './facts.ts'

/** The number of facts that are still known, and the lost ones. */
export interface Share {
  found: number
  total: number
  lost: string[]
}

/** Returns all text that a model reads in the messages of `/context`, without quote marks, each run of white space as one space. */
export function readContext(messages: unknown): string {
  const texts: string[] = []
  collect(messages, texts)
  return oneLine(
    texts
      .join('\n')
      .replaceAll('&lt;', '<')
      .replace(/^[ \t]*>[ \t]?/gm, ''),
  )
}

function collect(value: unknown, texts: string[]): void {
  if (typeof value === 'string') texts.push(value)
  else if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) collect(part, texts)
}

/** Counts paths that occur as a whole: `a.ts` is not in `ba.tsx`. */
export const sharePaths = (context: string, paths: readonly string[]): Share =>
  share(paths, (path) => new RegExp(`(?<![\\w-])${escapeRegExp(path)}(?![\\w-]|\\.\\w)`).test(context))

/** Counts texts that occur word for word; white space and the mark at their end do not count. */
export const shareTexts = (context: string, texts: readonly string[]): Share =>
  share(texts, (text) => context.includes(oneLine(text).replace(/(?<![.!。！])[.!。！]+$/, '')))

export const addShares = (shares: readonly Share[]): Share => ({
  found: shares.reduce((sum, { found }) => sum + found, 0),
  total: shares.reduce((sum, { total }) => sum + total, 0),
  lost: shares.flatMap(({ lost }) => lost),
})

function share(facts: readonly string[], isFound: (fact: string) => boolean): Share {
  const lost = facts.filter((fact) => !isFound(fact))
  return { found: facts.length - lost.length, total: facts.length, lost }
}

const escapeRegExp = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
