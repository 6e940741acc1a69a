import { findConversation } from '../session/transcript.ts'
import { parseSections } from '../text/sections.ts'

/** The headings that a client's own instructions ask for. */
export interface AskedSections {
  headings: string[]
  /** True where a section may be missing, as long as others are present. */
  areOptional: boolean
}

/** oh-my-pi: "sections can be omitted if not applicable", "omit inapplicable sections" (18.2.3). */
const MAY_BE_LEFT_OUT = /\b(?:omit(?:ted)?|optional|skip|leave out|if (?:not )?applicable)\b/i

/** One heading may be an example of style; several in a row are a form. */
const MIN_HEADINGS = 3

/** Characters of placeholders, such as `## [Title]`. */
const PLACEHOLDER_MARKS = /[[\]{}<>]/

/**
 * Reads the headings that a client's prompt asks for: those after its data. Placeholders (`## [Title]`) do not count.
 * @returns no headings where the instructions set no form
 */
export const readAskedSections = (prompt: string): AskedSections => readAskedHeadings(instructionsOf(prompt))

/** Returns the headings that a client's instructions ask for. @param instructions without the data of a prompt */
export function readAskedHeadings(instructions: string): AskedSections {
  const headings = parseSections(instructions).flatMap(({ heading }) => heading?.line.trimEnd() ?? [])
  const asked = headings.filter((heading) => !PLACEHOLDER_MARKS.test(heading))
  const isForm = asked.length >= MIN_HEADINGS
  return { headings: isForm ? [...new Set(asked)] : [], areOptional: MAY_BE_LEFT_OUT.test(instructions) }
}

/**
 * Returns the text after the last closing tag of the data; empty for a prompt without tags, which mixes data and
 * instructions.
 */
function instructionsOf(prompt: string): string {
  const end = findConversation(prompt)?.end
  if (end === undefined) return ''
  // The conversation may be long, and the last closing tag cannot be inside it.
  const rest = prompt.slice(end)
  const ends = ['</conversation>', '</previous-summary>', '</additional-context>'].map((tag) => {
    const at = rest.lastIndexOf(tag)
    return at < 0 ? 0 : at + tag.length
  })
  return rest.slice(Math.max(...ends))
}
