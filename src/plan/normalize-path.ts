const RANGE = String.raw`L?\d+(?:(?:-|\+|\.\.)L?\d+|-|\.\.)?`

/** `50`, `50-200`, `50-`, `50+10`, `L20+10`, `120..140`, lists of these, `raw` and `conflicts` (oh-my-pi 18.2.3). */
const SELECTOR = new RegExp(`^(?:${RANGE}(?:,${RANGE})*|raw|conflicts)$`, 'i')

/** Two characters at least before the colon, so that a Windows drive is none. */
const SCHEME = /[a-z0-9+.-]{2}:\/\//i

/** Linux's PATH_MAX: what is longer names no file. */
const MAX_PATH_CHARACTERS = 4096

/**
 * Takes the line selectors off a path, since they do not make another file: `a.ts:50-200:raw` is `a.ts` (planning
 * rule 9).
 * @returns undefined for what is no file: a `scheme://` path, a blank one, or one that could not stand on a line
 */
export function normalizePath(path: string): string | undefined {
  if (path.length > MAX_PATH_CHARACTERS || /[\r\n]/.test(path) || SCHEME.test(path)) return undefined
  const file = stripSelectors(path.trim())
  return file === '' ? undefined : file
}

function stripSelectors(path: string): string {
  let file = path
  for (let colon = file.lastIndexOf(':'); colon > 0; colon = file.lastIndexOf(':')) {
    if (!SELECTOR.test(file.slice(colon + 1))) break
    file = file.slice(0, colon)
  }
  return file
}
