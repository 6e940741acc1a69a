import { estimateTextTokens } from '../tokens/estimate-tokens.ts'
import { findConversation } from '../session/transcript.ts'

/** Where sections end that the model wrote: evidence, the turn's context, and file tags stand behind them. */
const AFTER_SECTIONS = /^(?:## Evidence$|---$|<(?:read|modified)-files>$)/

/**
 * Adds lines to a section's end. Where there is no such section it is added: behind the section `after`, if that is
 * there, else behind all sections.
 * @param heading with its marks, such as `## Critical Context`
 */
export function insertInSection(
  summary: string,
  heading: string,
  { lines, after }: { lines: readonly string[]; after?: string },
): string {
  const all = summary.split('\n')
  const end = sectionEnd(all, heading)
  if (end !== undefined) return splice(all, end, lines)
  const behind = after === undefined ? undefined : sectionEnd(all, after)
  const last = all.findIndex((line) => AFTER_SECTIONS.test(line))
  return splice(all, behind ?? (last < 0 ? all.length : last), ['', heading, ...lines])
}

/** The line behind a section's last one that is not blank. */
function sectionEnd(lines: readonly string[], heading: string): number | undefined {
  const start = lines.findIndex((line) => line.trim().toLowerCase() === heading.toLowerCase())
  if (start < 0) return undefined
  let end = start + 1
  while (end < lines.length && !/^#{1,2} /.test(lines[end] ?? '') && !AFTER_SECTIONS.test(lines[end] ?? '')) end += 1
  return end
}

function splice(lines: readonly string[], at: number, added: readonly string[]): string {
  let end = at
  while (end > 0 && (lines[end - 1] ?? '').trim() === '') end -= 1
  const before = lines.slice(0, end).filter((line, index) => index < end - 1 || line.trim() !== '(none)')
  const behind = lines.slice(end)
  const gap = behind.length > 0 && behind[0]?.trim() !== '' ? [''] : []
  return [...before, ...added, ...gap, ...behind].join('\n').replace(/^\n+/, '')
}

/**
 * Shortens a summary by whole sections: each one that still fits is kept, in order, so that a long one in the middle
 * does not cost the short ones after it. Where not even the first fits, its lines are kept as far as they do.
 * @param maxTokens by our estimate
 */
export function cutAtSections(summary: string, maxTokens: number): string {
  const [first = '', ...others] = summary.split(/\n(?=#{1,6} )/)
  const kept = [estimateTextTokens(first) <= maxTokens ? first : cutAtLines(first, maxTokens)]
  let left = maxTokens - estimateTextTokens(kept[0] ?? '')
  for (const section of others) {
    const tokens = estimateTextTokens(`\n${section}`)
    if (tokens > left) continue
    kept.push(section)
    left -= tokens
  }
  return kept.join('\n').trim()
}

function cutAtLines(text: string, maxTokens: number): string {
  const lines: string[] = []
  let left = maxTokens
  for (const line of text.split('\n')) {
    left -= estimateTextTokens(`${line}\n`)
    if (left < 0) break
    lines.push(line)
  }
  if (lines.join('').trim() !== '') return lines.join('\n')
  const characters = Math.floor((text.length * maxTokens) / estimateTextTokens(text))
  return text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '')
}

const ASKED_HEADING = /^(#{1,6} [^\n[\]{}<>]+?)[ \t]*$/gm
const HEADING = /^[ \t]{0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*:?[ \t]*$/gm

/** A heading's name without emphasis and case. */
const plainName = (name: string): string => name.replace(/[*_:]/g, '').trim().toLowerCase()

/**
 * Finds which headings a summary lacks. Their level does not count: a model that writes `# Goal` for `## Goal` has kept
 * the section.
 * @param required headings with their marks, such as `## Goal`
 */
export function findMissingSections(summary: string, required: readonly string[]): string[] {
  const present = new Set(Array.from(summary.matchAll(HEADING), ([, name = '']) => plainName(name)))
  return required.filter((heading) => !present.has(plainName(heading.replace(/^#+\s*/, ''))))
}

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
  const headings = Array.from(instructions.matchAll(ASKED_HEADING), ([, heading = '']) => heading)
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
