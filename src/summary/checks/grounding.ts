import { singleSpaced } from '../../text/shorten.ts'
import { findClaims, findUnknownPaths, type Claim } from './claims.ts'

/**
 * Looks up the claims of a summary. A claim is known if the input contains it; case, `./`, the direction of slashes, and
 * the signs and line ends in an error do not count.
 * @param sources all texts of the conversation; they may have millions of characters, so each is read a few times, and
 * they are not joined
 */
export function checkGrounding(summary: string, sources: readonly string[]): { checked: number; unknown: string[] } {
  const claims = findClaims(summary)
  const left = findUnknown(claims, sources, { normalize: comparableText, piecesOf })
  const paths = left.flatMap(({ kind, text }) => (kind === 'path' ? [text] : []))
  const errors = left.filter(({ kind }) => kind === 'error')
  const unknownPaths = new Set(findUnknownPaths(paths, sources))
  const unknownErrors = new Set(findUnknown(errors, sources, { normalize: onlyWords, piecesOf: wordPiecesOf }))
  const unknown = left.filter((claim) => {
    if (claim.kind === 'path') return unknownPaths.has(claim.text)
    return claim.kind !== 'error' || unknownErrors.has(claim)
  })
  return { checked: claims.length, unknown: unknown.map(({ text }) => text) }
}

/** A text that the input must contain, and the characters that may not be beside it there. */
interface Piece {
  text: string
  notBefore?: RegExp
  notAfter?: RegExp
}

interface Comparison {
  normalize: (text: string) => string
  /** Returns what the normalized sources must contain for a claim to be known. */
  piecesOf: (claim: Claim) => Piece[]
}

/** Returns the claims of which no source, or not each piece, was found; the newest sources are read first. */
function findUnknown(
  claims: readonly Claim[],
  sources: readonly string[],
  { normalize, piecesOf: read }: Comparison,
): Claim[] {
  const unknown = new Map(claims.map((claim) => [claim, read(claim)]))
  for (let index = sources.length - 1; index >= 0 && unknown.size > 0; index--) {
    const source = normalize(sources[index] ?? '')
    for (const [claim, pieces] of unknown) {
      const left = pieces.filter((piece) => !contains(source, piece))
      if (left.length === 0) unknown.delete(claim)
      else if (left.length < pieces.length) unknown.set(claim, left)
    }
  }
  return [...unknown.keys()]
}

function contains(source: string, { text, notBefore, notAfter }: Piece): boolean {
  for (let at = source.indexOf(text); at >= 0; at = source.indexOf(text, at + 1)) {
    const isBefore = notBefore?.test(source.slice(Math.max(0, at - 2), at)) ?? false
    const end = at + text.length
    const isAfter = notAfter?.test(source.slice(end, end + 2)) ?? false
    if (!isBefore && !isAfter) return true
  }
  return false
}

/** Returns a text as it is compared: letters in lower case, slashes of POSIX, and one space between words. */
export const comparableText = (text: string): string => singleSpaced(text.toLowerCase().replaceAll('\\', '/'))

/** The minimum length of a piece of a shortened error. Where all pieces are shorter, the whole text is looked up. */
const MIN_PIECE_CHARACTERS = 12

/** A part of a path may follow a slash or the letter of an escaped line end, and no other part of a name. */
const IN_NAME = { notBefore: /(?:^|[^/])[\w@+~-]$|[^/]\.$/, notAfter: /^(?:\w|[.-]\w)/ }
const IN_NUMBER = { notBefore: /\d\.?$/, notAfter: /^\d/ }

function piecesOf({ kind, text }: Claim): Piece[] {
  const claim = comparableText(text)
  switch (kind) {
    case 'path':
      return [{ text: claim.replace(/^(?:\.\/)+/, ''), ...IN_NAME }]
    case 'url': {
      const [, host = '', path = ''] = /^https?:\/\/([^/]*)(.*)/.exec(claim) ?? []
      return [host, path.replace(/\/$/, '')].filter((part) => part !== '').map((part) => ({ text: part }))
    }
    case 'error':
      return longPieces(claim, (piece) => piece.trim())
    case 'commit':
      return [{ text: claim, notBefore: /\w$/ }]
    case 'port':
      return [{ text: claim, notBefore: /\d$/, notAfter: /^\d/ }]
    case 'version':
      return [{ text: claim.replace(/^v/, ''), ...IN_NUMBER }]
  }
}

const onlyWords = (text: string): string => text.toLowerCase().replace(/\\[nrt]|[^\p{L}\p{N}]+/gu, '')

const wordPiecesOf = ({ text }: Claim): Piece[] => longPieces(text, onlyWords)

/** Returns the parts of an error between its gaps: a summary shortens errors, and names what varies in them `<name>`. */
function longPieces(text: string, normalize: (text: string) => string): Piece[] {
  const pieces = text.split(/\.{3}|…|<[^<>]{1,40}>/).map(normalize)
  const long = pieces.filter((piece) => piece.length >= MIN_PIECE_CHARACTERS)
  return (long.length > 0 ? long : [normalize(text)]).map((piece) => ({ text: piece }))
}
