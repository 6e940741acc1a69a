import type { Steps } from '../../steps.ts'
import { findClaims, type Claim } from './find-claims.ts'

/** Pieces of an error that was shortened: the longer ones must stand there. */
const MIN_PIECE_CHARACTERS = 12

/**
 * Looks up what a summary claims, a source a step. A claim is known where it stands in the input, case, `./` and the
 * direction of slashes aside; a path also where its last two parts do, since agents name files from different folders.
 * @param sources all that was said; it may be millions of characters, so each is read once and none is joined
 */
export function* checkGrounding(
  summary: string,
  sources: readonly string[],
): Steps<{ checked: number; unknown: string[] }> {
  const claims = findClaims(summary)
  const unknown = new Map(claims.map((claim) => [claim.text, piecesOf(claim)]))
  for (let index = sources.length - 1; index >= 0 && unknown.size > 0; index--) {
    const source = plain(sources[index] ?? '')
    for (const [text, pieces] of unknown) {
      const left = pieces.filter((piece) => !holds(source, piece))
      if (left.length === 0) unknown.delete(text)
      else if (left.length < pieces.length) unknown.set(text, left)
    }
    yield
  }
  return { checked: claims.length, unknown: [...unknown.keys()] }
}

/** What must stand somewhere for a claim to be known. */
function piecesOf({ kind, text }: Claim): string[] {
  const claim = plain(text).replace(/^(?:\.\/)+/, '')
  switch (kind) {
    case 'path':
      return [claim.split('/').slice(-2).join('/')]
    case 'error': {
      const pieces = claim.split(/\.{3}|…/).map((piece) => piece.trim())
      const long = pieces.filter((piece) => piece.length >= MIN_PIECE_CHARACTERS)
      return long.length > 0 ? long : [claim]
    }
    case 'version':
      return [claim.replace(/^v/, '')]
    default:
      return [claim]
  }
}

/** A number must stand there as one. */
function holds(source: string, piece: string): boolean {
  if (!/^\d+$/.test(piece)) return source.includes(piece)
  for (let at = source.indexOf(piece); at >= 0; at = source.indexOf(piece, at + 1))
    if (!/\d/.test(source[at - 1] ?? '') && !/\d/.test(source[at + piece.length] ?? '')) return true
  return false
}

const plain = (text: string): string => text.toLowerCase().replaceAll('\\', '/').replace(/\s+/g, ' ')
