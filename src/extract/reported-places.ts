import { baseName } from '../files/paths.ts'
import { searchedPart } from './find-errors.ts'

/** A complaint of an analyzer: a place, and the name of what is wrong there, such as `lib/a.ex:25:guard_fail`. */
const COMPLAINT = /(?<![\w./-])([\w./-]{1,300}\.[a-z]{1,5}):\d{1,6}(?::\d{1,6})?:([a-z]+_[a-z_]{1,40})(?!\w)/g

const MAX_REPORTS = 200

const SEARCHES = /\b(?:grep|rg|head|sed|awk)\b/

const filesIn = (text: string): Set<string> =>
  new Set(Array.from(text.matchAll(COMPLAINT), ([, path = '']) => baseName(path)))

/** The files in which analyzers have found something, run by run. */
export class ReportedPlaces {
  readonly #reports: { files: ReadonlySet<string>; at: number }[] = []

  /** @param at the message with the output: an index. What is searched in a report is not all of it */
  read(command: string, output: string, at: number): void {
    if (SEARCHES.test(command)) return
    const files = filesIn(searchedPart(output))
    if (files.size > 0) this.#reports.push({ files, at })
    if (this.#reports.length > MAX_REPORTS) this.#reports.shift()
  }

  /** Whether a text quotes complaints, and a report after a message has others, but none about their files. */
  isOver(text: string, after: number): boolean {
    const files = filesIn(text)
    const last = this.#reports.at(-1)
    return files.size > 0 && last !== undefined && last.at > after && [...files].every((file) => !last.files.has(file))
  }
}
