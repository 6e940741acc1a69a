import { endsOfPath, inFolder } from '../files/paths.ts'
import type { Check } from './checks.ts'

/** Spellings of the same command, and the one by which it is compared. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:(?:p?npm|yarn) exec |bunx |(?:\.\/)?node_modules\/\.bin\/)/, 'npx '],
  [/^(p?npm) (?:tst?|t|run(?:-script)? test)(?= |$)/, '$1 test'],
  [/^(pnpm|yarn) run /, '$1 '],
  [/^(?:uv|poetry|pipenv) run /, ''],
  [/^(?:[^\s/]*\/)*python3? /, 'python '],
  [/^(?:python -m |(?:[^\s/]*\/)+)(?=(?:pytest|mypy|ruff|flake8|pylint|black|tox|nox)(?: |$))/, ''],
]

/** An option that names the folder, among the first words: what follows `--` is for another program. */
const FOLDER =
  /^((?:npm|pnpm|yarn|bun|make|cargo|go|uv|poetry)(?: (?!-- )\S+){0,9}?) (?:-C|--prefix|--dir|--cwd|--directory|--manifest-path)[ =](\S+)/

/** Returns the name of a part of a check, which is the same in all its spellings, and the folder that the part names. */
function readPart(part: string): { name: string; folder: string } {
  const [, , folder = ''] = FOLDER.exec(part) ?? []
  const name = SPELLINGS.reduce((text, [spelling, name]) => text.replace(spelling, name), part.replace(FOLDER, '$1'))
  return { name, folder: folder.replace(/(?:^|\/)Cargo\.toml$/, '') }
}

/** Returns the name of a check without its folder. */
export const checkName = ({ parts }: Check): string => parts.map((part) => readPart(part).name).join('\n')

/** The names by which checks are compared: a folder counts only if the same command runs in several. */
export class CheckNames {
  /** The absolute folders, by the relative ones that they end with. */
  readonly #byEnd = new Map<string, Set<string>>()
  /** The folders in which each part runs. */
  readonly #folders = new Map<string, Set<string>>()

  constructor(checks: Iterable<Check>) {
    const read = [...checks].flatMap(({ parts, folder }) => parts.map((part) => readIn(folder, part)))
    for (const { folder } of read)
      for (const end of /^[/~]/.test(folder) ? endsOfPath(folder) : [])
        this.#byEnd.set(end, (this.#byEnd.get(end) ?? new Set()).add(folder))
    for (const { name, folder } of read)
      if (folder !== '') this.#folders.set(name, (this.#folders.get(name) ?? new Set()).add(this.#whole(folder)))
  }

  partsOf({ parts, folder }: Check): string[] {
    return parts.map((part) => {
      const { name, folder: own } = readIn(folder, part)
      return (this.#folders.get(name)?.size ?? 0) > 1 ? `${this.#whole(own)}: ${name}` : name
    })
  }

  nameOf(check: Check): string {
    return this.partsOf(check).join('\n')
  }

  /** Returns the folder of the first part of a check. */
  folderOf({ parts: [part = ''], folder }: Check): string {
    return this.#whole(readIn(folder, part).folder)
  }

  /** Returns the only absolute folder that ends with a relative one: most agents run each command in the same folder. */
  #whole(folder: string): string {
    const [whole = folder, other] = this.#byEnd.get(folder) ?? []
    return other === undefined ? whole : folder
  }
}

function readIn(folder: string, part: string): { name: string; folder: string } {
  const { name, folder: own } = readPart(part)
  return { name, folder: inFolder(folder, own) }
}
