/** What `git commit` prints: `[main 3f2a1bc] message`, with `(root-commit)` for the first one. */
const COMMIT = /^\[[^\s\]]{1,200}(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.{1,300})$/gm

/** Finds the commits that a command's output tells of, as `hash message`. */
export function findCommits(output: string): string[] {
  return Array.from(output.matchAll(COMMIT), ([, hash = '', message = '']) => `${hash} ${message.trim()}`)
}
