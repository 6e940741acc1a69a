import { baseName } from '../files/paths.ts'
import { searchedPart } from './searched-output.ts'

/** A file in which an analyzer has found something, and how it writes that. */
interface Place {
  form: 'named' | 'scope'
  file: string
}

/**
 * A complaint of an analyzer: a place, and the name of what is wrong there, such as `lib/a.ex:25:guard_fail` (dialyxir), or the module
 * that it is in, such as `lib/a.ex:9:7 #(A.b)` (Credo).
 */
const COMPLAINT =
  /(?<![\w./-])([\w./-]{1,300}\.[a-z]{1,5}):\d{1,6}(?::\d{1,6})?(?::([a-z]+_[a-z_]{1,40})(?!\w)| #\([\w.]{1,200}\))/g

/** The numbers in which Credo sums up what it has found: `found 2 refactoring opportunities, 1 code readability issue`. */
const FOUND = /\bfound (\d+ [a-z ]{1,40}(?:, \d+ [a-z ]{1,40}){0,6})\./

const MAX_REPORTS = 200

const SEARCHES = /\b(?:grep|rg|head|sed|awk)\b/

/** Returns the places that a text complains about. */
const placesIn = (text: string): Place[] =>
  Array.from(text.matchAll(COMPLAINT), ([, path = '', name]) => ({
    form: name === undefined ? ('scope' as const) : ('named' as const),
    file: baseName(path),
  }))

/** Whether a report has been cut: it has found more than it shows. */
function isCut(output: string, places: readonly Place[]): boolean {
  const [, found = ''] = FOUND.exec(output) ?? []
  const count = Array.from(found.matchAll(/\d+/g), ([number]) => Number(number)).reduce((sum, one) => sum + one, 0)
  return count > places.filter(({ form }) => form === 'scope').length
}

/** The files in which analyzers have found something, run by run. */
export class ReportedPlaces {
  readonly #reports: { places: readonly Place[]; at: number }[] = []

  /** @param at the message with the output: an index. What is searched in a report, or cut, is not all of it */
  read(command: string, output: string, at: number): void {
    if (SEARCHES.test(command)) return
    const text = searchedPart(output)
    const places = placesIn(text)
    if (places.length > 0 && !isCut(text, places)) this.#reports.push({ places, at })
    if (this.#reports.length > MAX_REPORTS) this.#reports.shift()
  }

  /** Whether a text quotes complaints, and a report after a message has others in their form, but none about their files. */
  isOver(text: string, after: number): boolean {
    const places = placesIn(text)
    return places.length > 0 && places.every((place) => this.#isOver(place, after))
  }

  #isOver({ form, file }: Place, after: number): boolean {
    const last = this.#reports.findLast(({ places }) => places.some((one) => one.form === form))
    return last !== undefined && last.at > after && !last.places.some((one) => one.form === form && one.file === file)
  }
}
