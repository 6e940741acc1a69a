import { namingWords } from '../../extract/cut-request.ts'
import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import type { ParsedSummary } from '../../text/summary-parts.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import type { SessionFacts } from './facts.ts'

const MAX_SENTENCE_TEXT_CHARACTERS = 160
const MAX_FILES = 4

/** Writes two or three sentences in the first person about the changes, within a limit of tokens. */
export function writeShort(facts: SessionFacts, previous: ParsedSummary | undefined, maxTokens: number): string {
  const sentences = [workedOn(facts, previous), changed(facts), outcome(facts, previous)].filter((text) => text !== '')
  const kept: string[] = []
  for (const sentence of sentences) {
    if (estimateTextTokens([...kept, sentence].join(' ')) <= maxTokens) kept.push(sentence)
  }
  // Even a limit of a few tokens gets the beginning of the first sentence: an answer is never blank.
  return kept.length > 0 ? kept.join(' ') : shorten(sentences[0] ?? 'Nothing.', Math.max(2, maxTokens * 3))
}

function workedOn({ newestRequest, firstRequest }: SessionFacts, previous: ParsedSummary | undefined): string {
  const asked = newestRequest ?? previous?.newestRequest ?? previous?.goal[0] ?? firstRequest ?? ''
  const request = shorten(oneLine(namingWords(asked)), MAX_SENTENCE_TEXT_CHARACTERS)
  return request === '' ? '' : endSentence(`Request: ${request}`)
}

function changed({ turns }: SessionFacts): string {
  const files = [...new Set(turns.flatMap(({ changedFiles }) => changedFiles))]
  if (files.length === 0) return ''
  const more = files.length > MAX_FILES ? ` and ${files.length - MAX_FILES} more` : ''
  return `I changed ${files.slice(-MAX_FILES).join(', ')}${more}.`
}

/** Returns a sentence about the end: the failure of the last command, the agent's newest words, or its last call. */
function outcome({ commands, turns, lastCall = '' }: SessionFacts, previous: ParsedSummary | undefined): string {
  const { command, outcome: ended } = commands.at(-1) ?? {}
  if (ended?.kind === 'failed') return `\`${command}\` failed (${ended.status ?? 'error'}).`
  const said = turns.at(-1)?.outcome || previous?.statements.done.at(-1)?.replace(/^[-*]\s+(?:\[.\]\s*)?/, '') || ''
  const last = said === '' && lastCall !== '' ? `My last tool call: ${lastCall}` : said
  return last === '' ? '' : endSentence(shorten(oneLine(last), MAX_SENTENCE_TEXT_CHARACTERS))
}

/** Agents announce a call by a colon: nothing follows it here. */
const endSentence = (text: string): string =>
  /[.!?。！？…]$/u.test(text) ? text : `${text.replace(/(?<![\s:;,])[\s:;,]+$/, '')}.`
