import { MANY_EDITS } from '../extract/failed-checks.ts'
import { writePassed } from '../extract/passed-parts.ts'
import { NAME_CHARACTERS, shortName } from '../model/embedded/request-name.ts'
import { defined } from '../text/defined.ts'
import { headingName } from '../text/sections.ts'
import { inlineCode, oneLine, shorten } from '../text/shorten.ts'
import { HEADINGS } from '../text/summary-headings.ts'
import type { Said } from './said-of.ts'
import { linesInSection, readSummary, summaryOf } from './summary.ts'

/** What has happened since a failure. */
interface News extends Said {
  edits: number
  /** Whether its check has run again without showing its error. */
  isUnseen: boolean
  /** A command that has run its check again, and does not say how that ended. */
  unclear?: string | undefined
  /** The runs of some of its tests that have passed. */
  passed: readonly string[]
}

const MAX_COMMAND_CHARACTERS = 100

const RUN_AGAIN = ', run again since without this error'

/** Returns what has happened since a failure, as it stands behind its status: it may be over. */
export function writeNews({ edits, isUnseen, unclear, passed, earlier, then }: News): string {
  const quote = (who: string, words?: string): string => (words === undefined ? '' : `; the user ${who}: "${words}"`)
  const again = !isUnseen
    ? ''
    : unclear === undefined
      ? RUN_AGAIN
      : `, not known since ${inlineCode(shorten(unclear, MAX_COMMAND_CHARACTERS))}`
  return (
    (edits < MANY_EDITS ? '' : `, ${edits} edits since`) +
    again +
    writePassed(passed) +
    quote('earlier', earlier) +
    quote('then', then)
  )
}

const NEWS =
  /(?:, (\d{1,6}) edits since)?(?:; passed since: ((?:`[^`]+`(?:, )?)+))?(?:; the user earlier: "([^"]+)")?(?:; the user then: "([^"]+)")?$/

/** Returns the status that a failure had at first, or has for good since it has run again, and what an earlier summary says to have happened since. */
export function readNews(status: string) {
  const [news = '', edits = '0', passed = '', earlier, then] = NEWS.exec(status) ?? []
  return {
    said: earlier === undefined && then === undefined ? undefined : defined({ earlier, then }),
    status: status.slice(0, status.length - news.length),
    edits: Number(edits),
    passed: [...passed.matchAll(/`([^`]+)`/g)].map(([, command = '']) => command),
  }
}

/** Returns the words of the user in a status, as they stand there. */
export const saidIn = (status: string): string => {
  const at = status.indexOf('; the user ')
  return at < 0 ? '' : status.slice(at)
}

/** What the user said of a failure, as it stands beside it. */
const SAID = /(?<=; the user (?:then|earlier): ")[^"\n]+(?=")/g

/** Returns a text in which a name stands for words of the user about a failure that the next steps of an extract have. */
export function withNamedWords(text: string, extract = text): string {
  const plain = (words: string): string => oneLine(words).replace(/[()"'`]/g, '')
  const steps = plain(linesInSection(readSummary(extract), HEADINGS.nextSteps).join(' '))
  const isIn = (words: string): boolean => words.length > NAME_CHARACTERS && steps.includes(plain(words))
  const name = (line: string): string => line.replace(SAID, (words) => (isIn(words) ? shortName(words) : words))
  const sections = readSummary(text).sections.map((section) =>
    section.heading?.name === headingName(HEADINGS.nextSteps)
      ? section
      : { ...section, lines: section.lines.map(name) },
  )
  return summaryOf(sections).text
}
