import { redactText } from '../../redact/redact-text.ts'
import { sha256 } from '../../session/hash-id.ts'
import { oneLine, shorten } from '../../text/shorten.ts'

/** Longer commands are cut in reports. */
const MAX_NAME_CHARACTERS = 80

/**
 * Returns what a command is called in reports: as its user has typed it, without secrets. Prepared summaries belong to the name of what has
 * written them, so a name that is not the whole command has a hash of it.
 */
export function nameOfTyped(text: string): string {
  const typed = oneLine(text)
  const name = shorten(redactText(typed).text, MAX_NAME_CHARACTERS)
  return name === typed ? name : `${name} #${sha256(text).slice(0, 6)}`
}
