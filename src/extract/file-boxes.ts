import { readBoxes, type Box } from './boxes.ts'

/** A box in a file, as it is in the newest version that is known. */
export interface FileBox extends Omit<Box, 'isTicked'> {
  path: string
  /** Undefined where its file may have changed since. */
  isTicked: boolean | undefined
  /** The program that may have ticked it since; left out where it was ticked, and its file may be an older one. */
  changedBy?: string
  /** Whether it is not among the open boxes of its file any more: it is ticked, or was taken out. */
  isGone?: true
  /** Whether its tick was taken away: what was said of it does not count any more. */
  isUnticked?: true
  /** The message that wrote it for the first time, and the one that proves its state: indexes. */
  at: number
  provenAt: number
  /** The last message that has its file. */
  seenAt: number
}

/** The known content of a file with boxes. */
export interface BoxFile {
  /** As it was named last. */
  path: string
  /** The whole text, if it is known. */
  text?: string
  boxes: Map<string, Omit<FileBox, 'path' | 'seenAt'>>
  /** Whether the agent wrote it, so that its boxes are work of this session. */
  isWritten: boolean
  /** Whether a box may have another mark than a blank and `x`: a search for open ones does not find it. */
  hasOthers: boolean
  /** Whether all boxes that are open were listed. */
  hasAllOpen?: boolean
  seenAt: number
}

const MAX_BOXES = 200

/** A longer file is known by its boxes alone. */
const MAX_TEXT_CHARACTERS = 64_000

/** How much of its text names a box in a command. */
const NAME_CHARACTERS = 16

/**
 * Records that a command may have changed a file.
 * @param by the program that may have ticked boxes: those that the command names, or all
 */
export function doubtBoxes(file: BoxFile, { command = '', by }: { command?: string; by?: string } = {}): void {
  delete file.text
  file.hasAllOpen = false
  const isNamed = ({ text }: { text: string }): boolean => command.includes(text.slice(0, NAME_CHARACTERS))
  const namesAny = [...file.boxes.values()].some(isNamed)
  for (const [key, box] of file.boxes)
    if (box.isTicked === true) file.boxes.set(key, { ...box, isTicked: undefined })
    else if (by !== undefined && box.isTicked === false && (!namesAny || isNamed(box)))
      file.boxes.set(key, { ...box, isTicked: undefined, changedBy: by })
}

/** Records that the boxes of a file that are not among all its open ones are not open. */
export function closeOthers(file: BoxFile, open: readonly Box[], at: number): void {
  const keys = new Set(open.map(({ text }) => keyOf(text)))
  for (const [key, box] of file.boxes)
    if (keys.has(key)) continue
    else if (box.isTicked === false || box.changedBy !== undefined) file.boxes.set(key, { ...box, isGone: true })
    else if (box.isTicked === undefined) file.boxes.set(key, { ...box, isTicked: true, provenAt: at })
}

/** Records that a file may have its boxes of before again. */
export function reopenBoxes(file: BoxFile): void {
  file.hasAllOpen = false
  for (const [key, { isGone, ...box }] of file.boxes) if (isGone === true) file.boxes.set(key, box)
}

export function keepText(file: BoxFile, text: string): void {
  if (text.length <= MAX_TEXT_CHARACTERS) file.text = text
  else delete file.text
}

interface Edit {
  removed: string
  added: string
  at: number
}

const keyOf = (text: string): string => text.toLowerCase()

/** Sets boxes; those that have the state of before keep their proof. */
export function setBoxes(
  file: BoxFile,
  boxes: readonly Box[],
  { at, before = file.boxes }: { at: number; before?: BoxFile['boxes'] },
): void {
  for (const { text, isTicked } of boxes) {
    if (file.boxes.size >= MAX_BOXES) return
    const earlier = before.get(keyOf(text))
    const provenAt = earlier?.isTicked === isTicked ? earlier.provenAt : at
    const isUnticked = !isTicked && (earlier?.isTicked === true || earlier?.isUnticked === true)
    file.boxes.set(keyOf(text), { text, isTicked, at: earlier?.at ?? at, provenAt, ...(isUnticked && { isUnticked }) })
  }
}

/**
 * Sets the boxes of new lines where those of the old ones stood: the order of a list is that of its work. In as many lines, a box with
 * other words is the one in its place.
 */
export function replaceBoxes(file: BoxFile, { removed, added, at }: Edit): void {
  const before = new Map(file.boxes)
  const [old, boxes] = [readBoxes(removed), readBoxes(added)]
  const first = [...before.keys()].findIndex((key) => old.some(({ text }) => keyOf(text) === key))
  for (const [index, { text, isTicked }] of old.entries()) {
    const known = file.boxes.get(keyOf(text))
    const place = old.length === boxes.length ? keyOf(boxes[index]?.text ?? '') : keyOf(text)
    if (known !== undefined && (place === keyOf(text) || !before.has(place))) before.set(place, { ...known, isTicked })
    file.boxes.delete(keyOf(text))
  }
  const below = first < 0 ? [] : [...file.boxes].slice(first)
  for (const [key] of below) file.boxes.delete(key)
  setBoxes(file, boxes, { at, before })
  for (const [key, box] of below) if (file.boxes.size < MAX_BOXES && !file.boxes.has(key)) file.boxes.set(key, box)
}

/** Edits boxes of a file whose text is not known: an edit may have the beginning of a line alone. */
export function editBoxes(file: BoxFile, { removed, added, at }: Edit): void {
  const whole = (text: string): string =>
    readBoxes(text)
      .map((box) => completed(file, box))
      .join('\n')
  replaceBoxes(file, { removed: whole(removed), added: whole(added), at })
}

function completed({ boxes }: BoxFile, { text, isTicked }: Box): string {
  const known = boxes.get(keyOf(text)) ?? [...boxes.values()].find((box) => box.text.startsWith(text))
  return `- [${isTicked ? 'x' : ' '}] ${known?.text ?? text}`
}
