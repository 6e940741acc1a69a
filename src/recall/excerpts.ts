import { placesBeside, type EditChange } from './edit-changes.ts'
import type { RecalledPassage } from './passage.ts'
import { endNear, excerptsAt, startNear, type Excerpt, type TextSpan } from './text-spans.ts'
import type { Hit } from './rank.ts'

/** How much of a passage is shown, in characters. */
interface Room {
  /** A passage up to this length is shown whole: what an excerpt of it would save is less than its notes take. */
  whole: number
  /** So much of a longer one is shown around what matches. */
  excerpt: number
  /** And so much of an edit: what became of a line is asked for as often as the line. */
  edit: number
  /** Each match is shown with so much of the lines before and after it. */
  before: number
  after: number
  /** A passage without matches is shown by its beginning and its end: errors are at the end of an output. */
  head: number
  tail: number
}

const ROOM: Room = { whole: 900, excerpt: 600, edit: 1000, before: 100, after: 200, head: 350, tail: 200 }

/** The room of a passage that answers a question less often. */
const LITTLE_ROOM: Room = { whole: 600, excerpt: 400, edit: 600, before: 60, after: 160, head: 200, tail: 100 }

/** The beginning of a call says which file or command it is about. */
const CALL_CHARACTERS = 120

/** What came of a call is asked for as often as the call. */
const OUTCOME_CHARACTERS = 150

/** Returns a passage whole. */
export const whole = ({ text, before }: RecalledPassage): Excerpt[] => [{ text, start: before }]

/** Returns what of a passage matches, with some lines around it. */
export const excerptsOf = (hit: Hit): Excerpt[] =>
  hit.passage.kinds[0] === 'answer' ? whole(hit.passage) : excerptsIn(hit, ROOM)

/** Returns less of what of a passage matches: for one that comes after better ones. */
export const shortExcerptsOf = (hit: Hit): Excerpt[] => excerptsIn(hit, LITTLE_ROOM)

function excerptsIn({ passage, matches }: Hit, room: Room): Excerpt[] {
  const { text, kinds, lead, tool, before, changes } = passage
  if (text.length <= room.whole || kinds[0] === 'request') return whole(passage)
  const leadLength = lead === '' ? 0 : lead.length + 1
  const places = [[...matches.phrases.values()], ...[...matches.terms.values()].map(({ at }) => at)]
    .map((at) => at.map((one) => one - leadLength).filter((one) => one >= 0))
    .filter((at) => at.length > 0)
  if (places.length === 0 && changes === undefined)
    return excerptsAt(passage, [headOf(passage, room.head), tailOf(passage, room.tail)])
  const rarestFirst = places.toSorted((a, b) => a.length - b.length).flat()
  const windows =
    changes === undefined
      ? windowsAround(text, rarestFirst, { ...room, characters: room.excerpt })
      : windowsAround(text, withBeside([...rarestFirst, 0], text, changes), { ...room, characters: room.edit })
  const call: TextSpan[] = tool === undefined || before > 0 ? [] : [{ start: 0, end: endNear(text, CALL_CHARACTERS) }]
  return excerptsAt(passage, [...call, ...windows, ...labelsOf(windows, passage), ...outcomeOf(passage)])
}

/** Returns the beginnings of the old and the new text to which the shown parts of an edit belong. */
const labelsOf = (windows: readonly TextSpan[], { text, changes = [] }: RecalledPassage): TextSpan[] =>
  changes
    .flatMap((change) => [change.old, change.new])
    .filter(({ start, end }) => windows.some((one) => one.start > start && one.start < end))
    // The label is on the line before the text, or on its first one.
    .map(({ start }) => ({ start: text.lastIndexOf('\n', start - 2) + 1, end: endNear(text, start) }))

/** Returns the beginning of the output of a call; of one that has failed, also its end. */
function outcomeOf({ text, kinds: [kind], outputAt }: RecalledPassage): TextSpan[] {
  if (outputAt === undefined || kind === 'edit') return []
  const beginning = { start: outputAt, end: endNear(text, outputAt + OUTCOME_CHARACTERS) }
  if (kind !== 'failure') return [beginning]
  const end = { start: Math.max(outputAt, startNear(text, text.length - OUTCOME_CHARACTERS)), end: text.length }
  return [beginning, end]
}

/** For more places, an excerpt has no room. */
const MAX_BESIDE = 8

/** Returns places in the text of an edit, each with that of the line which stood or stands there instead. */
const withBeside = (places: readonly number[], text: string, changes: readonly EditChange[]): number[] =>
  places.slice(0, MAX_BESIDE).flatMap((place) => [place, ...placesBeside(text, changes, place)])

const headOf = ({ text }: RecalledPassage, characters: number): TextSpan => ({
  start: 0,
  end: endNear(text, characters),
})

const tailOf = ({ text }: RecalledPassage, characters: number): TextSpan => ({
  start: startNear(text, text.length - characters),
  end: text.length,
})

/** So much is shown of the beginning and of the end of what stands beside an entry that was asked for. */
const NEIGHBOUR_HEAD_CHARACTERS = 200
const NEIGHBOUR_TAIL_CHARACTERS = 100

/** Only of a command does the end say more than the beginning: that of a file says nothing of it. */
const isOfCommand = ({ tool, lead, text }: RecalledPassage): boolean =>
  tool === undefined || (lead === '' ? text : lead).startsWith('$ ')

/** So few characters between two parts of a text are line ends and indentation. */
export const BLANKS = 8

/** Returns what is shown of a neighbour: the beginning and the end of its text, and nothing of the parts between them. */
export function briefly(passage: RecalledPassage): Excerpt[] {
  const [isFirst, isLast] = [passage.before <= BLANKS, passage.after <= BLANKS]
  if (isFirst && isLast && passage.text.length <= NEIGHBOUR_HEAD_CHARACTERS + NEIGHBOUR_TAIL_CHARACTERS)
    return whole(passage)
  const head = isFirst ? [headOf(passage, NEIGHBOUR_HEAD_CHARACTERS)] : []
  const tail = isLast && isOfCommand(passage) ? [tailOf(passage, NEIGHBOUR_TAIL_CHARACTERS)] : []
  return head.length + tail.length === 0 ? [] : excerptsAt(passage, [...head, ...tail])
}

/** Returns the surroundings of as many places as there is room for. */
function windowsAround(
  text: string,
  places: readonly number[],
  { characters, before, after }: Pick<Room, 'before' | 'after'> & { characters: number },
): TextSpan[] {
  const windows: TextSpan[] = []
  let room = characters
  for (const place of places) {
    if (windows.some(({ start, end }) => place >= start && place < end)) continue
    const window = { start: startNear(text, place - before), end: endNear(text, place + after) }
    if (windows.length > 0 && window.end - window.start > room) break
    windows.push(window)
    room -= window.end - window.start
  }
  return windows
}
