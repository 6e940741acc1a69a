/** Returns the notice that replaces a pruned output (openapi.yaml, `/prune`): that of oh-my-pi. */
export const pruneNotice = (tokens: number): string => `[Output truncated - ${tokens} tokens]`

const NOTICE = /^\[Output truncated - (\d{1,9}) tokens\]$/

/** Returns the tokens of the output that such a notice has replaced; undefined for other texts. */
export function readPruneNotice(text: string): number | undefined {
  const [, tokens] = NOTICE.exec(text.trim()) ?? []
  return tokens === undefined ? undefined : Number(tokens)
}
