import { baseName, isWholeRead, normalizePath } from '../files/paths.ts'
import { lineEndAfter } from '../text/lines.ts'
import { readBoxes, type Box } from './boxes.ts'
import { readChanges, type FileChange } from './file-changes.ts'
import { commandFilesOf, filesOf, outputOf, type ToolRun } from './runs.ts'
import { hasSucceeded } from './task-calls.ts'

/** A box in a file, as it is in the newest version that is known. */
export interface FileBox extends Omit<Box, 'isTicked'> {
  path: string
  /** Undefined where it was ticked, and its file may be an older one since. */
  isTicked: boolean | undefined
  /** Whether its tick was taken away: what was said of it does not count any more. */
  isUnticked?: true
  /** The message that wrote it for the first time, and the one that proves its state: indexes. */
  at: number
  provenAt: number
  /** The last message that has its file. */
  seenAt: number
}

/** The known content of a file with boxes. */
interface BoxFile {
  /** The whole text, if it is known. */
  text?: string
  boxes: Map<string, Omit<FileBox, 'path' | 'seenAt'>>
  /** Whether the agent wrote it, so that its boxes are work of this session. */
  isWritten: boolean
  seenAt: number
}

const MARKDOWN = /\.(?:md|mdx|markdown|txt)$/i

/** The names of files whose boxes are work, though the agent has only read them. */
const PLAN_NAME = /plan|todo|task|check|roadmap|progress|milestone/i

const MAX_FILES = 40
const MAX_BOXES = 200

/** A longer file is known by its boxes alone. */
const MAX_TEXT_CHARACTERS = 64_000

/** Follows the boxes in Markdown files through reads, writes and edits. Only calls that succeeded count. */
export class BoxFiles {
  readonly #files = new Map<string, BoxFile>()

  read(run: ToolRun, at: number): void {
    if (run.command !== undefined) this.#readCommand(run, at)
    if (run.command !== undefined || run.call === undefined || !hasSucceeded(run)) return
    for (const change of readChanges(run)) if (MARKDOWN.test(change.path)) this.#change(change, at)
    const [path] = filesOf(run).readFiles
    const file = path === undefined ? undefined : normalizePath(path)
    if (file === undefined || !MARKDOWN.test(file)) return
    this.#show(file, outputOf(run), { at, isWhole: isWholeRead(run.call) })
  }

  /** Records that files may have changed in a way that is not known: their boxes are not certain any more. */
  doubt(isDoubtful: (path: string) => boolean = () => true): void {
    for (const [path, file] of this.#files) {
      if (!isDoubtful(path)) continue
      delete file.text
      for (const [key, box] of file.boxes)
        if (box.isTicked === true) file.boxes.set(key, { ...box, isTicked: undefined })
    }
  }

  /** Returns the boxes of the files that are part of the work. */
  boxes(): FileBox[] {
    return [...this.#files].flatMap(([path, { boxes, isWritten, seenAt }]) =>
      isWritten || PLAN_NAME.test(path) ? [...boxes.values()].map((box) => ({ ...box, path, seenAt })) : [],
    )
  }

  #readCommand(run: ToolRun, at: number): void {
    const { command = '' } = run
    const { read } = commandFilesOf(run)
    if (WRITES.test(command)) this.doubt((path) => command.includes(baseName(path)))
    else if (read.length === 1 && MARKDOWN.test(read[0] ?? '') && hasSucceeded(run))
      this.#show(read[0] ?? '', outputOf(run), { at, isWhole: false })
  }

  #change({ path, removed, added, isWhole }: FileChange, at: number): void {
    const file = this.#open(path, at)
    file.isWritten = true
    if (isWhole) {
      const before = file.boxes
      file.boxes = new Map()
      setBoxes(file, readBoxes(added), { at, before })
      keepText(file, added)
      return
    }
    const place = file.text === undefined || removed === '' ? -1 : file.text.indexOf(removed)
    if (file.text === undefined || place < 0) {
      delete file.text
      editBoxes(file, { removed, added, at })
      return
    }
    const lineStart = file.text.lastIndexOf('\n', place - 1) + 1
    const lineEnd = lineEndAfter(file.text, place + removed.length)
    const head = file.text.slice(lineStart, place)
    const tail = file.text.slice(place + removed.length, lineEnd)
    replaceBoxes(file, { removed: head + removed + tail, added: head + added + tail, at })
    keepText(file, file.text.slice(0, place) + added + file.text.slice(place + removed.length))
  }

  #show(path: string, output: string, { at, isWhole }: { at: number; isWhole: boolean }): void {
    const boxes = readBoxes(output.slice(0, MAX_SHOWN_CHARACTERS))
    if (boxes.length === 0 && !this.#files.has(path)) return
    const file = this.#open(path, at)
    const before = file.boxes
    if (isWhole) file.boxes = new Map()
    setBoxes(file, boxes, { at, before })
  }

  #open(path: string, at: number): BoxFile {
    const file = this.#files.get(path) ?? { boxes: new Map(), isWritten: false, seenAt: at }
    file.seenAt = at
    this.#files.delete(path)
    this.#files.set(path, file)
    if (this.#files.size > MAX_FILES) this.#files.delete(this.#files.keys().next().value ?? '')
    return file
  }
}

const MAX_SHOWN_CHARACTERS = 200_000

/** Commands that may change a file which they name. */
const WRITES =
  /\b(?:sed\s+-\S{0,8}i|perl|python\d?|node|ruby|awk|mv|rm|cp|tee|truncate|patch|git\s+(?:checkout|restore|stash|reset|revert|apply|rebase|merge|pull))\b|>/

function keepText(file: BoxFile, text: string): void {
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
function setBoxes(
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
function replaceBoxes(file: BoxFile, { removed, added, at }: Edit): void {
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
function editBoxes(file: BoxFile, { removed, added, at }: Edit): void {
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
