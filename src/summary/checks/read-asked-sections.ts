import { findConversation } from '../../session/find-conversation.ts'

const HEADING = /^(#{1,6} [^\n[\]{}<>]+?)[ \t]*$/gm

/** oh-my-pi: "sections can be omitted if not applicable", "omit inapplicable sections" (18.2.3). */
const MAY_BE_LEFT_OUT = /\b(?:omit(?:ted)?|optional|skip|leave out|if (?:not )?applicable)\b/i

/** A single heading may be an example of style; several in a row are a form to be filled. */
const MIN_HEADINGS = 3

/** The headings that a client's own instructions ask for. */
export interface AskedSections {
  headings: string[]
  /** True where a section may be missing, as long as some are there. */
  areOptional: boolean
}

/**
 * Reads which headings a client's prompt asks for: those after its data. Placeholders (`## [Title]`) are none.
 * @returns no headings where the instructions set no form
 */
export function readAskedSections(prompt: string): AskedSections {
  const instructions = instructionsOf(prompt)
  const headings = Array.from(instructions.matchAll(HEADING), ([, heading = '']) => heading)
  const isForm = headings.length >= MIN_HEADINGS
  return { headings: isForm ? [...new Set(headings)] : [], areOptional: MAY_BE_LEFT_OUT.test(instructions) }
}

/** What stands after the last closing tag of the data; a prompt without tags mixes both, and says nothing certain. */
function instructionsOf(prompt: string): string {
  const end = findConversation(prompt)?.end
  if (end === undefined) return ''
  // The conversation may be long, and none of these tags can close in it after its own.
  const rest = prompt.slice(end)
  const ends = ['</conversation>', '</previous-summary>', '</additional-context>'].map((tag) => {
    const at = rest.lastIndexOf(tag)
    return at < 0 ? 0 : at + tag.length
  })
  return rest.slice(Math.max(...ends))
}
