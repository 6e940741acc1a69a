import { baseName, inFolder, isWholeRead, normalizePath } from '../files/paths.ts'
import { lineEndAfter } from '../text/lines.ts'
import { MARKDOWN, MAX_SHOWN_CHARACTERS, movesShell, shownFiles, takesBack, unknownChange } from './box-commands.ts'
import { hasOtherBoxes, hasOtherMarks, readBoxes } from './boxes.ts'
import {
  closeOthers,
  doubtBoxes,
  editBoxes,
  keepText,
  reopenBoxes,
  replaceBoxes,
  setBoxes,
  type BoxFile,
  type FileBox,
} from './file-boxes.ts'
import { readChanges, type FileChange } from './file-changes.ts'
import { filesOf, outputOf, simpleCommandsOf, type ToolRun } from './runs.ts'
import { hasSucceeded } from './task-calls.ts'

/** The names of files whose boxes are work, though the agent has only read them. */
const PLAN_NAME = /plan|todo|task|check|roadmap|progress|milestone/i

const MAX_FILES = 40

/** Follows the boxes in Markdown files through reads, writes and edits. Only calls that succeeded count. */
export class BoxFiles {
  /** By their places. */
  readonly #files = new Map<string, BoxFile>()
  /** The folder of the run that is read. */
  #folder: string | undefined
  /** Whether a command may have left the shell in another folder: then it is not known which files the next ones look at. */
  #isMoved = false

  read(run: ToolRun, at: number): void {
    this.#folder = run.folder ?? this.#folder
    if (run.command !== undefined) this.#readCommand(run, at)
    if (run.command !== undefined || run.call === undefined || !hasSucceeded(run)) return
    for (const change of readChanges(run)) if (MARKDOWN.test(change.path)) this.#change(change, at)
    const [path] = filesOf(run).readFiles
    const file = path === undefined ? undefined : normalizePath(path)
    if (file === undefined || !MARKDOWN.test(file)) return
    this.#show(file, outputOf(run).slice(0, MAX_SHOWN_CHARACTERS), { at, isWhole: isWholeRead(run.call) })
  }

  /** Records that all files may be older ones: boxes that were ticked may not be so any more. */
  doubt(): void {
    for (const file of this.#files.values()) doubtBoxes(file)
  }

  /** Whether a file is one whose open boxes were all listed: it has no others. */
  hasListed(path: string): boolean {
    const place = this.#placeOf(path)
    return [...this.#files].some(([one, file]) => file.hasAllOpen === true && (file.path === path || one === place))
  }

  /** Returns the boxes of the files that are part of the work. */
  boxes(): FileBox[] {
    return [...this.#files.values()].flatMap(({ path, boxes, isWritten, seenAt }) =>
      isWritten || PLAN_NAME.test(path)
        ? [...boxes.values()].flatMap((box) => (box.isGone === true ? [] : { ...box, path, seenAt }))
        : [],
    )
  }

  #readCommand(run: ToolRun, at: number): void {
    if (simpleCommandsOf(run).some(takesBack)) for (const file of this.#files.values()) reopenBoxes(file)
    for (const file of this.#files.values()) {
      const change = unknownChange(run, file.path)
      if (change === undefined) continue
      doubtBoxes(file, { ...change, command: (run.command ?? '').replaceAll(file.path, '') })
      file.hasOthers ||= hasOtherMarks(run.command ?? '')
    }
    if (run.folder === undefined && movesShell(run)) this.#isMoved = true
    for (const { path, text, hasAllOpen } of this.#isMoved ? [] : shownFiles(run)) {
      const known = this.#files.get(this.#placeOf(path))
      const isNew = [...this.#files.keys()].every((one) => baseName(one) !== baseName(path))
      if (known !== undefined || isNew) this.#show(known?.path ?? path, text, { at, isWhole: false, hasAllOpen })
    }
  }

  #change({ path, removed, added, isWhole }: FileChange, at: number): void {
    const file = this.#open(path, at)
    file.isWritten = true
    file.hasOthers = (file.hasOthers && !isWhole) || hasOtherBoxes(added)
    file.hasAllOpen = false
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

  #show(path: string, output: string, { at, isWhole, hasAllOpen = false }: Shown): void {
    const boxes = readBoxes(output)
    if (boxes.length === 0 && !hasAllOpen && !this.#files.has(this.#placeOf(path))) return
    const file = this.#open(path, at)
    const before = file.boxes
    file.hasOthers = (file.hasOthers && !isWhole) || hasOtherBoxes(output)
    file.hasAllOpen = hasAllOpen && !file.hasOthers
    if (isWhole) file.boxes = new Map()
    setBoxes(file, boxes, { at, before })
    if (file.hasAllOpen) closeOthers(file, boxes, at)
  }

  #open(path: string, at: number): BoxFile {
    const place = this.#placeOf(path)
    const known = this.#files.get(place) ?? { boxes: new Map(), isWritten: false, hasOthers: false }
    const file: BoxFile = Object.assign(known, { path, seenAt: at })
    this.#files.delete(place)
    this.#files.set(place, file)
    if (this.#files.size > MAX_FILES) this.#files.delete(this.#files.keys().next().value ?? '')
    return file
  }

  #placeOf(path: string): string {
    return inFolder(this.#folder ?? '', path)
  }
}

interface Shown {
  at: number
  isWhole: boolean
  hasAllOpen?: boolean
}
