/** A line of `apply_patch`'s own format that names a file. */
const PATCH_HEADER = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm

/** A unified diff's two header lines; one alone may be a changed line that looks like it. */
const DIFF_HEADER = /^--- ([^\r\n]+)\r?\n\+\+\+ ([^\r\n]+)/gm

const NO_FILE = '/dev/null'

/** Reads which files a patch changes, in `apply_patch`'s format or as a unified diff (planning rule 9). */
export function readPatchPaths(patch: string): string[] {
  const paths: string[] = []
  for (const [, path = ''] of patch.matchAll(PATCH_HEADER)) paths.push(path.trim())
  for (const [, before = '', after = ''] of patch.matchAll(DIFF_HEADER))
    for (const path of stripPrefixes(nameIn(before), nameIn(after))) if (path !== NO_FILE) paths.push(path)
  return paths
}

/** A time may follow a header's path after a tab. */
const nameIn = (header: string): string => (header.split('\t', 1)[0] ?? '').trim()

/** Git's `a/` and `b/` are no part of the path, where both sides have them. */
function stripPrefixes(before: string, after: string): [string, string] {
  const isPrefixed = (before.startsWith('a/') || before === NO_FILE) && (after.startsWith('b/') || after === NO_FILE)
  return isPrefixed ? [before.replace(/^a\//, ''), after.replace(/^b\//, '')] : [before, after]
}
