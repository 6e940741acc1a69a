/** Tags that several agents give a meaning to. */
const COMMON = ['system-reminder', 'summary', 'analysis', 'environment_context', 'user_instructions']

/**
 * Returns a summary in which no text is a control tag of an agent: `<system-reminder>` becomes `&lt;system-reminder>`. All
 * other text stays. Linear: what is looked at after each `<` is as long as the longest tag.
 * @param tags those of the agent: names, or patterns of names
 */
export function neutralizeTags(summary: string, tags: readonly string[] = []): string {
  const names = [...COMMON, ...tags].map((name) => name.replaceAll('-', '\\-')).join('|')
  return summary.replace(new RegExp(`<(?=[\\s/]{0,4}(?:${names})(?![\\w-]))`, 'gi'), '&lt;')
}
