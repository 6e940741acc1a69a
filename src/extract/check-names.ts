import { endsOfPath, inFolder } from '../files/paths.ts'
import { FOLDER_OPTION, type Check } from './checks.ts'
import { isQueryPart } from './exit-status.ts'

/** Spellings of the same command, and the one by which it is compared. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^(?:(?:p?npm|yarn) exec |bunx |(?:\.\/)?node_modules\/\.bin\/)/, 'npx '],
  [/^(p?npm) (?:tst?|t|run(?:-script)? test)(?= |$)/, '$1 test'],
  [/^(pnpm|yarn) run /, '$1 '],
  [/^(?:uv|poetry|pipenv) run /, ''],
  [/^(?:[^\s/]*\/)*python3? /, 'python '],
  [/^(?:python -m |(?:[^\s/]*\/)+)(?=(?:pytest|mypy|ruff|flake8|pylint|black|tox|nox)(?: |$))/, ''],
  [/^(npx vitest) (?:run|--run)(?= |$)/, '$1'],
  [
    /^R(?:script)? (?:-{1,2}[a-z-]+ ){0,4}-e (?:\w+::)?test(?:(?:_local)?\((|filter ?=[^/\n]{0,200})\)|_(?:file|dir)\(((?:["']tests\/testthat\/)?[^/\n]{0,200})\))$/,
    'R test $1$2',
  ],
]

const spell = (part: string): string => SPELLINGS.reduce((text, [spelling, name]) => text.replace(spelling, name), part)

/** Returns the name of a part of a check, which is the same in all its spellings, and the folder that the part names. */
function readPart(part: string): { name: string; folder: string } {
  const [, , folder = ''] = FOLDER_OPTION.exec(part) ?? []
  const name = withoutVersions(spell(withoutWays(spell(part.replace(FOLDER_OPTION, '$1')))))
  return { name, folder: folder.replace(/(?:^|\/)Cargo\.toml$/, '') }
}

/** The programs whose options are known. What an option of another program or of a script does is not. */
const RUNNER =
  /^(?:(?:npx|pnpm|yarn|bundle exec) |(?:[^\s/]*\/)+)?(?:npm|pnpm|yarn|bun|deno|go|cargo|g?make|ninja|pytest|python -m unittest|node (?:\S+ ){0,9}--test|tap|jest|vitest|mocha|ava|playwright|tsc|tsgo|vue-tsc|eslint|rspec|phpunit|mvnw?|gradlew?|dotnet|ctest|mix|ruff|mypy|flake8|pylint|tox|nox|swift|west)(?= |$)/

/** How a report is written. The format of a build is another thing. */
const FORMAT =
  '(?:dots?|spec|tap|json|junit|xml|progress|doc(?:umentation)?|[dp]|stylish|unix|compact|line|list|min|verbose|default|basic|github|text|short|human|concise|full|grouped|pretty|terse|silent)'
const SWITCH = String.raw`(?:true|false|yes|no|on|off|auto|always|never|\d{1,6}(?:ms|[smh%])?)`

/**
 * Options that change what a check shows, when it stops, what it keeps for the next time, and how much it does at once, and not what it
 * checks: those of all runners, then those with a short name, by runner.
 */
const WAYS: readonly (readonly [way: RegExp, of: RegExp | undefined])[] = (
  [
    [
      `--?(?:no-)?(?:silent|verbose|colou?rs?(?:-output)?|progress|pretty|header|(?:error-)?summary|nologo|print-directory|transfer-progress|output-on-failure|output-sync|show-output|nocapture|showlocals|testdox|stacktrace|backtrace|trace|info|durations|diagnostics|json|bail|fail-?fast|exitfirst|maxfail|stop-on-failure|keep-going|cache(?:-clear)?|incremental|daemon|(?:build|configuration)-cache|restore|jobs|(?:file-)?parallel(?:ism)?|(?:max-?)?[wW]orkers|runInBand|test-threads|(?:test-)?concurrency|(?:test-?)?[tT]imeout|watch(?:All)?|(?:force-?)?[eE]xit)(?:[ =]${SWITCH})?`,
    ],
    // Where a warning counts as an error, it would hide some.
    ['--quiet', /^(?!.*lint)|^(?:npx )?eslint (?!.*--max-warnings)/],
    [String.raw`--(?:(?:test-)?reporters?|tb|verbosity|logger|loglevel|console|capture)[ =][^\s-]\S{0,80}`],
    [`--(?:(?:output-|message-)?format|formatter)[ =]${FORMAT}`],
    [`-f ${FORMAT}`, /^(?:npx eslint|(?:bundle exec )?rspec|ruff)\b/],
    [`-R ?${FORMAT}`, /^npx (?:tap|mocha)\b/],
    ['-q{1,3}', /^(?!g?make )/],
    ['-s'],
    [String.raw`-j ?\d{0,3}`],
    ['--?count[ =]1', /^go /],
    ['-x|-v{1,4}', /^(?:go|pytest)\b/],
    ['-v{1,4}', /^(?:cargo|python|mypy|ruff)\b/],
    [String.raw`-n ?(?:\d{1,3}|auto)|-r[a-zA-Z]{1,6}|-p no:cacheprovider`, /^pytest\b/],
    ['-V{1,2}', /^ctest\b/],
    [String.raw`-(?:B|e|ntp|T ?\dC?)`, /^(?:\.\/)?mvnw?\b/],
    ['-[isw]|--continue', /^(?:\.\/)?gradlew?\b/],
    ['-v[ :](?:[qmnd]|quiet|minimal|normal|detailed)', /^dotnet\b/],
    ['--run', /^(?:npx vitest|npm|pnpm|yarn)\b/],
    ['--fix', /lint|^ruff\b/],
    ['--inline-logs', /^west\b/],
    ['(?:-p|--pristine)(?:[ =](?:auto|always|never))?', /^west build\b/],
  ] as const
).map(([way, of]) => [new RegExp(` (?:${way})(?= |$)`, 'g'), of])

/** Returns the name of a part without the ways to run it. */
const withoutWays = (name: string): string =>
  !RUNNER.test(name)
    ? name
    : WAYS.reduce((text, [way, of]) => (of?.test(name) === false ? text : text.replace(way, '')), name).replace(
        / --$/,
        '',
      )

/** Programs that install packages. */
const INSTALLS =
  /^(?:npm|pnpm|yarn|bun|deno|(?:python -m )?pip3?|pipx|uv(?: pip)?|poetry|conda|cargo|go|(?:flutter|dart) pub|composer|gem|brew|apt(?:-get)?|dnf|yum|apk) (?:i|ci|install|add|get|require)(?= |$)/

/** The version of a package: `a@1.2`, `a==1.2`, `a<2`, `a:^1.2`. */
const VERSION = /( (?:@[\w.-]{1,100}\/)?\w[\w./[\]-]{0,200})(?:@|[=~<>!]=|[<>]|[=:]\^?(?=\d))\S+/g

/** Returns the name of a part without the versions of the packages that it installs: the next try takes another one. */
const withoutVersions = (name: string): string => (INSTALLS.test(name) ? name.replace(VERSION, '$1') : name)

/** Returns the name of a check without its folder. */
export const checkName = ({ parts }: Check): string => parts.map((part) => readPart(part).name).join('\n')

/** Returns the name of a part without the folder that stands before it where the same command runs in several. */
export const withoutFolder = (part: string): string => part.replace(/^\S{0,300}: /, '')

/** Scripts, whose options are not known, and programs that run them. */
const RUNS_SCRIPT = /^(?:\.|\/|~|(?:just|npx|python[\d.]*|node|ruby|perl|php|bash|sh|zsh|tsx)(?= |$))/

/** Options that say how a program does something, and not what. */
const MANNER =
  /^(?:-[fqvy]|--(?:force|quiet|verbose|debug|yes|wait|atomic|no-cache|locked|frozen|frozen-lockfile|immutable|require-hashes|no-progress|color))$/

/** Options of some programs with which they do the same in another way. */
const OTHER_WAY = /^(?:--timeout|--server-side|-auto-approve|--legacy-peer-deps|--ssl\d?)$/

/** Those without which a program checks less. */
const STRICT = /^--(?:wait|atomic|locked|frozen|frozen-lockfile|immutable|require-hashes)$/

/**
 * Whether a command that has succeeded did what another one has failed to do: the same program with the same words, where options that are
 * more or fewer only say how; what git would do, it has done without `--dry-run`. What options of scripts and of checks do is not known.
 */
export function isRetry(passed: string, failed: string): boolean {
  if (!passed.startsWith(failed.slice(0, failed.indexOf(' ') + 1))) return false
  const isInstall = INSTALLS.test(failed)
  if ((RUNNER.test(failed) && !isInstall) || RUNS_SCRIPT.test(failed) || isQueryPart(failed)) return false
  const [after, before] = [passed, failed].map((part) => part.split(/[ =]/)) as [string[], string[]]
  const [added, dropped] = [optionsBeside(before, after), optionsBeside(after, before)]
  return (
    added.length + dropped.length > 0 &&
    added.every((word) => MANNER.test(word) || OTHER_WAY.test(word)) &&
    dropped.every(
      (word) => (MANNER.test(word) && !STRICT.test(word)) || (word === '--dry-run' && failed.startsWith('git ')),
    ) &&
    wordsBeside(before, after).join(' ') === wordsBeside(after, before).join(' ')
  )
}

/** Returns the options among words that others do not have. */
const optionsBeside = (others: readonly string[], words: readonly string[]): string[] =>
  words.filter((word) => word.startsWith('-') && !others.includes(word))

/** Returns words without the options that others do not have, and without the values of these. */
const wordsBeside = (others: readonly string[], words: readonly string[]): string[] =>
  words.filter((word, at) => {
    const option = word.startsWith('-') ? '' : (words[at - 1] ?? '')
    const isValue = option.startsWith('-') && !MANNER.test(option) && !others.includes(option)
    return others.includes(word) || !(isValue || word.startsWith('-'))
  })

/** The names by which checks are compared: a folder counts only if the same command runs in several. */
export class CheckNames {
  /** The folder of the session, which is that of a check of an earlier summary too. */
  readonly #home: string
  /** The absolute folders, by the relative ones that they end with. */
  readonly #byEnd = new Map<string, Set<string>>()
  /** The folders in which each part runs. */
  readonly #folders = new Map<string, Set<string>>()

  constructor(checks: Iterable<Check>) {
    const all = [...checks]
    this.#home = all.find(({ cwd }) => cwd !== undefined)?.cwd ?? ''
    const read = all.flatMap((check) => check.parts.map((part) => this.#read(check, part)))
    for (const { folder } of read)
      for (const end of /^[/~]/.test(folder) ? endsOfPath(folder) : [])
        this.#byEnd.set(end, (this.#byEnd.get(end) ?? new Set()).add(folder))
    const elsewhere = new Set(read.flatMap(({ name, isElsewhere }) => (isElsewhere ? [name] : [])))
    for (const { name, folder } of read)
      if (folder !== '' || elsewhere.has(name))
        this.#folders.set(name, (this.#folders.get(name) ?? new Set()).add(this.#whole(folder)))
  }

  partsOf(check: Check): string[] {
    return check.parts.map((part) => {
      const { name, folder: own } = this.#read(check, part)
      return (this.#folders.get(name)?.size ?? 0) > 1 ? `${this.#whole(own)}: ${name}` : name
    })
  }

  nameOf(check: Check): string {
    return this.partsOf(check).join('\n')
  }

  /** Returns the folder of the first part of a check. */
  folderOf(check: Check): string {
    return this.#whole(this.#read(check, check.parts[0] ?? '').folder)
  }

  #read({ folder }: Check, part: string): ReturnType<typeof readIn> {
    return readIn(folder || this.#home, part)
  }

  /** Returns the only absolute folder that ends with a relative one: most agents run each command in the same folder. */
  #whole(folder: string): string {
    const [whole = folder, other] = this.#byEnd.get(folder) ?? []
    return other === undefined ? whole : folder
  }
}

/** The folder of a check that has passed in another state of the files. */
export const OTHER_STATE = '/(another state)'

/** @returns with `isElsewhere` where an option names a folder from the one on in which the command runs: that one is another place */
function readIn(folder: string, part: string): { name: string; folder: string; isElsewhere: boolean } {
  const { name, folder: own } = readPart(part)
  return { name, folder: inFolder(folder, own), isElsewhere: inFolder('', own) !== '' || folder.endsWith(OTHER_STATE) }
}
