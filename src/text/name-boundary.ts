/** A character of a name, as a part of a regular expression with the flag `u`: next to it, a name may be a part of a longer one. */
export const NAME_CHARACTER = '[\\p{L}\\p{N}_@~-]'

/** Kinds of facts (`schemas/provenance.ts`) whose texts are names: `a.ts` is not found in `data.ts`. */
export const NAME_KINDS: ReadonlySet<string> = new Set(['path', 'commit', 'port', 'version'])
