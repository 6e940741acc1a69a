import { withoutFenced } from '../text/close-marks.ts'
import { oneLine, shorten } from '../text/shorten.ts'
import { MAX_ITEM_CHARACTERS } from './work-item.ts'

/** An item of a check list. */
export interface Box {
  text: string
  isTicked: boolean
  /** What the box has in it is `-`: what that means depends on the tool. */
  isStruck?: true
}

/** The number that a tool writes before a line, the indent and the mark of an item, and its box. Roo writes no mark. */
const BOX =
  /^\s{0,40}(?:\d{1,6}(?:→|\t|[:-]| \| )\s{0,40})?(?:(?:[-*+•]|\d{1,3}[.)])\s{1,4})?\\?\[([ xX~/!>-])\\?\]\s{1,4}(\S.*)$/

const MAX_LINE_CHARACTERS = 1000

/** Whether a text may have boxes with other marks than a blank and `x`. */
export const hasOtherMarks = (text: string): boolean => /\[[~/!>-]\\?\]/.test(text)

/** Whether the text of a file may have boxes that a search for a blank between brackets does not find. */
export const hasOtherBoxes = (text: string): boolean => hasOtherMarks(text) || /\\\[[ xX]\\?\]/.test(text)

/** Returns the items of the check lists in a text, in order; code in fences has none. */
export function readBoxes(text: string): Box[] {
  const boxes: Box[] = []
  for (const line of withoutFenced(text.split('\n'))) {
    if (!line.includes('[')) continue
    const [, mark, item = ''] = BOX.exec(line.slice(0, MAX_LINE_CHARACTERS)) ?? []
    if (mark === undefined) continue
    const text = shorten(oneLine(item), MAX_ITEM_CHARACTERS)
    boxes.push({ text, isTicked: /x/i.test(mark), ...(mark === '-' && { isStruck: true }) })
  }
  return boxes
}
