const HEADING = /^[ \t]{0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*:?[ \t]*$/gm

/**
 * Finds which headings a summary lacks. Their level does not count: a model that writes `# Goal` for `## Goal` has kept
 * the section.
 * @param required headings with their marks, such as `## Goal`
 */
export function findMissingSections(summary: string, required: readonly string[]): string[] {
  const present = new Set(Array.from(summary.matchAll(HEADING), ([, name = '']) => plainName(name)))
  return required.filter((heading) => !present.has(plainName(heading.replace(/^#+\s*/, ''))))
}

/** A heading's name without emphasis and case. */
const plainName = (name: string): string => name.replace(/[*_:]/g, '').trim().toLowerCase()
