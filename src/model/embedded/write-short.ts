import { estimateTextTokens } from '../../plan/estimate-tokens.ts'
import type { Facts } from './facts.ts'
import type { ParsedSummary } from './parse-summary.ts'
import { oneLine, shorten } from '../../extract/shorten.ts'

const REQUEST_CHARACTERS = 160
const MAX_FILES = 4

/** Writes two or three sentences in the first person about what changed, within so many tokens. */
export function writeShort(facts: Facts, previous: ParsedSummary | undefined, maxTokens: number): string {
  const sentences = [workedOn(facts, previous), changed(facts), outcome(facts, previous)].filter((text) => text !== '')
  const kept: string[] = []
  for (const sentence of sentences) {
    if (estimateTextTokens([...kept, sentence].join(' ')) <= maxTokens) kept.push(sentence)
  }
  // A limit of a few tokens still gets the beginning of the first sentence: an answer is never blank.
  return kept.length > 0 ? kept.join(' ') : shorten(sentences[0] ?? 'Nothing.', Math.max(2, maxTokens * 3))
}

function workedOn({ newestRequest, firstRequest }: Facts, previous: ParsedSummary | undefined): string {
  const request = newestRequest ?? previous?.newestRequest ?? previous?.goal[0] ?? firstRequest ?? ''
  return request === '' ? '' : endSentence(`I worked on: ${shorten(oneLine(request), REQUEST_CHARACTERS)}`)
}

function changed({ turns }: Facts): string {
  const files = [...new Set(turns.flatMap(({ changedFiles }) => changedFiles))]
  if (files.length === 0) return ''
  const more = files.length > MAX_FILES ? ` and ${files.length - MAX_FILES} more` : ''
  return `I changed ${files.slice(-MAX_FILES).join(', ')}${more}.`
}

/** How it ended: the last failure, else the newest words. */
function outcome({ commands, turns }: Facts, previous: ParsedSummary | undefined): string {
  const failed = commands.findLast(({ failure }) => failure !== undefined)
  if (failed?.failure !== undefined && failed === commands.at(-1))
    return `\`${failed.command}\` failed (${failed.failure}).`
  const said = turns.at(-1)?.outcome || previous?.statements.done.at(-1)?.replace(/^[-*]\s+(?:\[.\]\s*)?/, '') || ''
  return said === '' ? '' : endSentence(shorten(oneLine(said), REQUEST_CHARACTERS))
}

const endSentence = (text: string): string => (/[.!?。！？…]$/u.test(text) ? text : `${text}.`)
