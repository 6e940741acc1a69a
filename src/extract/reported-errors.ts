import { baseName } from '../files/paths.ts'
import { withoutFolder } from './check-names.ts'
import { beginsWithError } from './error-lines.ts'
import { searchedPart } from './searched-output.ts'
import { splitCommand } from './shell.ts'

/** A check that has failed and reported errors. */
interface Report {
  folder: string
  /** How compilers write its errors: `error TS`, `error`. */
  forms: ReadonlySet<string>
  /** The names of the files with errors that were not changed since. */
  files: Set<string>
  /** Whether a compiler was given single files: it ignores the configuration of the project then (`tsc --help --all`). */
  isApart: boolean
}

/** `tsc` with files. */
const COMPILES_FILES = /^(?:npx |pnpm |yarn |bunx )?tsc(?: [^\n]{0,200})? [^\s-][^\s]{0,200}\.[cm]?tsx?(?=\s|$)/

/** Commands that check the types of a whole project. */
const CHECKS_PROJECT =
  /^(?:(?:npm|pnpm|yarn|bun)(?: run)? (?:check|build|typecheck|type-check|compile)\b|(?:npx |pnpm |yarn )?(?:tsc|tsgo|vue-tsc)\b)/

/** What a part of a check has reported at any time. */
interface Reported {
  forms: Set<string>
  /** The commands of its script. */
  commands: Set<string>
  /** How its own lines of errors are written. */
  lines: Set<string>
}

/** Returns how a line is written: the next one of its kind has other numbers. */
const formOf = (line: string): string => line.replace(/[-+]?\d[\d.,]*/g, '#')

/** A line of fewer words, or one in the form of an error of a language, may be of any program. */
const isOwn = (line: string): boolean =>
  !beginsWithError(line) && line.split(/[^\p{L}]/u).filter(({ length }) => length > 1).length >= MIN_WORDS
const MIN_WORDS = 3

/** As many checks are compared by what they report. */
const MAX_REPORTS = 200

/** The errors that failed checks report, by which another check may show that they are fixed. */
export class ReportedErrors {
  readonly #reports = new Map<string, Report>()
  readonly #reported = new Map<string, Reported>()

  /**
   * @param key the name of the whole check
   * @param errors the lines of its output that say why
   */
  fail(
    key: string,
    { parts, folder, errors }: { parts: readonly string[]; folder: string; errors: readonly string[] },
    output: string,
  ): void {
    const { forms, files, commands } = readErrors(output)
    const lines = parts.length === 1 ? errors.filter(isOwn).map(formOf) : []
    if (forms.size > 0 && this.#reports.size < MAX_REPORTS)
      this.#reports.set(key, {
        folder,
        forms,
        files,
        isApart: parts.some((part) => COMPILES_FILES.test(withoutFolder(part))),
      })
    if (forms.size + commands.length + lines.length === 0 || this.#reported.size >= MAX_REPORTS) return
    for (const part of parts) {
      const known = this.#reported.get(part) ?? { forms: new Set(), commands: new Set(), lines: new Set() }
      for (const form of forms) known.forms.add(form)
      for (const line of lines) known.lines.add(line)
      for (const command of commands) known.commands.add(command)
      this.#reported.set(part, known)
    }
  }

  /** Records that a file was changed. */
  change(path: string): void {
    const name = baseName(path)
    for (const { files } of this.#reports.values()) files.delete(name)
  }

  remove(key: string): void {
    this.#reports.delete(key)
  }

  /**
   * Returns the place of the part of a check that an error is of: it has reported such an error when it failed alone, and no other one
   * has. -1 if there is none.
   */
  partWith(error: string, parts: readonly string[]): number {
    const form = formOf(error)
    const found = [...this.#reported].flatMap(([part, { lines }]) => (lines.has(form) ? [part] : []))
    return found.length === 1 ? parts.indexOf(found[0] ?? '') : -1
  }

  /** Returns the commands of the script that a part has run when it failed. */
  commandsOf(part: string): readonly string[] {
    return [...(this.#reported.get(part)?.commands ?? [])]
  }

  /**
   * Returns the names of the checks that have passed with a part in the same folder, since it reports errors in the same form: all
   * files that they had errors in were changed since. A check of single files, without the configuration of the project, is over once
   * the project has passed.
   */
  solvedBy(part: string, folder: string): string[] {
    const known = this.#reported.get(part)?.forms
    const isOfProject = CHECKS_PROJECT.test(withoutFolder(part)) && !COMPILES_FILES.test(withoutFolder(part))
    return [...this.#reports].flatMap(([key, { folder: own, forms, files, isApart }]) => {
      if (own !== folder) return []
      const isFixed = known !== undefined && files.size === 0 && [...forms].every((form) => known.has(form))
      return isFixed || (isApart && isOfProject) ? [key] : []
    })
  }
}

/** `src/a.ts(3,5): error TS2345: ...`, `src/a.c:3:5: error: ...` */
const ERROR_AT = /^([\w@./+-]{1,300}\.[a-z]{1,6})[:(]\d{1,6}[^\n]{0,20}?\b(error\b(?: [A-Z]{1,8}(?=\d))?)/gm

/** The line in which npm (11) says what the script that has failed runs. */
const SCRIPT = /^npm (?:error|ERR!) command sh -c (.{1,400})$/gm

function readErrors(output: string) {
  const text = searchedPart(output)
  const errors = [...text.matchAll(ERROR_AT)]
  const scripts = [...text.matchAll(SCRIPT)].flatMap(([, script = '']) => splitCommand(script))
  return {
    forms: new Set(errors.map(([, , form = '']) => form)),
    files: new Set(errors.map(([, path = '']) => baseName(path))),
    commands: scripts.map(({ words }) => words.join(' ')).flatMap((command) => [command, `npx ${command}`]),
  }
}
