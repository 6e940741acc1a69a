/** The lines by which programs say how they ended. Those with several counts are in `test-counts.ts`. */

/** Joins patterns, each of which begins at the beginning of a line. */
const linesWith = (patterns: readonly string[], flags = ''): RegExp =>
  new RegExp(String.raw`^(?:${patterns.join('|')})`, `m${flags}`)

/** Words before the numbers in the last line of a test runner: `Tests: 3 passed, 1 failed`, `==== 2 failed`. */
const BEFORE_NUMBER = String.raw`[\s=!#*✖×❌ℹ-]{0,60}(?:(?:tests?|test suites|test files|suites|files|found|result|summary|failed|totals?|errors)\b[ :]{1,20})?(?:\d+(?: of \d+|%)? [a-z]+(?: [a-z]+)?[,;|] {0,3}(?:and )?){0,5}`

/** Lines that programs print only when they fail, each with its source. */
export const FAILURE = linesWith([
  // TAP; a test that is marked as TODO or SKIP does not count
  String.raw` {0,20}not ok \d+(?![^\n]{0,300}# (?:TODO|SKIP))`,
  // TAP, node:test
  String.raw`[#ℹ] (?:fail(?:ed)?|cancelled) +[1-9]|(?:Failed|Failures|Errors)\s?[:=]\s{1,12}[1-9]\d{0,6}\s{0,3}$`,
  // cargo, go, pytest, unittest, Jest, Vitest, Deno, dotnet, ctest
  String.raw`test result: FAILED`,
  String.raw` {0,4}--- FAIL: `,
  String.raw` ?FAIL(?:[\s:]|$)`,
  String.raw` ?FAILED?(?:[ |]|$)`,
  String.raw`ERROR (?:collecting )?\S{1,200}\.py\b`,
  String.raw`The following tests FAILED`,
  String.raw`\[ {2}FAILED {2}\] `,
  String.raw`Jest: "[^"\n]{1,200}" coverage threshold|Coverage failure: |\*\* (?:BUILD|TEST|ARCHIVE) FAILED \*\*`,
  // mypy, ruff, tsc: `Found 2 errors (2 fixed, 0 remaining)` is a success
  String.raw`Found [1-9]\d* errors?\b(?![^\n]{0,80}\b0 remaining)`,
  // prove, R; Swift; Flutter; RuboCop, golangci-lint, PHPStan; LaTeX
  String.raw`(?:Result|Status): (?:FAIL|\d+ ERROR)`,
  String.raw`Execution halted$`,
  String.raw`✘ Test run with \d`,
  String.raw`[^a-z\n]{0,40}Some tests failed`,
  String.raw`\d+ files? inspected, [1-9]|[1-9]\d* issues:$| ?\[ERROR\] Found [1-9]`,
  String.raw`Latexmk: Errors`,
  // Gradle, Maven, MSBuild, make, CMake, ninja
  String.raw`(?:\[\w+\] )?BUILD FAIL(?:ED|URE)\b`,
  String.raw`Build FAILED\b`,
  String.raw`FAILURE: Build failed|\[ERROR\] (?:Failed to execute goal|COMPILATION ERROR)`,
  String.raw`> Task \S{1,200} FAILED`,
  String.raw`g?make(?:\[\d+\])?: \*\*\* (?![^\n]{0,200}\(ignored\))`,
  String.raw`CMake Error\b`,
  String.raw`ninja: (?:error|build stopped)`,
  // npm, pnpm, Yarn, pip, apt
  String.raw`npm (?:ERR!|error) `,
  String.raw` ?(?:\[?ERR_PNPM_\w+|ELIFECYCLE)\b`,
  String.raw`error Command failed\b`,
  String.raw`ERROR: (?:Could not|No matching|failed to|Failed building)`,
  String.raw`E: (?:Unable|Could not|Package|Failed)`,
  // compilers: a place, then `error`
  String.raw`error\[E\d+\]: `,
  String.raw`error: (?:could not compile|aborting due to|test failed|\d+ targets? failed|failed to push|pathspec )`,
  String.raw`[^\n]{0,200}\berror (?:TS|CS|MSB|FS|NU|NETSDK)\d`,
  String.raw`[^\s:]{1,200}:\d+:(?:\d+:)? (?:fatal )?error: `,
  String.raw`# \S{1,200}\n(?:vet: )?\S{1,200}\.go:\d+:`,
  // git, Docker
  String.raw`fatal: `,
  String.raw`CONFLICT \(`,
  String.raw` ! \[(?:remote )?rejected\]`,
  String.raw`(?:docker: )?Error response from daemon`,
  String.raw`failed to solve:`,
  // Elixir
  String.raw`\*\* \((?:Mix|[\w.]{1,60}Error)\) `,
  // crashes: Go, Rust, Node.js, Java, PHP
  String.raw`panic: `,
  String.raw`thread 'main'(?: \(\d+\))? panicked at`,
  String.raw`Node\.js v\d+\.\d+\.\d+$`,
  String.raw`Exception in thread "main"`,
  String.raw`(?:PHP )?Fatal error: `,
])

/** A number of failures at the end of a run: Jest, Vitest, Mocha, pytest, RSpec, Gradle, Bun, Playwright, clang. */
export const FAILURE_COUNT = linesWith(
  [
    String.raw`${BEFORE_NUMBER}[1-9]\d*(?: of \d+)? (?:tests? |examples? |specs? )?(?:fail(?:ed|ures?|ing)?|errors?)\b(?! (?:ignored|fixed|handled|recovered)|[^\n]{0,80}\b0 remaining)`,
  ],
  'i',
)

/** Lines that programs print only when they succeed. */
export const SUCCESS = linesWith(
  [
    String.raw`${BEFORE_NUMBER}[1-9]\d* (?:tests? |examples? )?pass(?:ed|ing)?\b`,
    String.raw`${BEFORE_NUMBER}0 (?:fail(?:ed|ures?|ing)?|errors?)\b`,
    String.raw`[#ℹ] fail(?:ed)? +0\b`,
    String.raw`ok \d+\b`,
    String.raw`test result: ok`,
    String.raw`ok\s+\S{1,200}\s+(?:[\d.]+s|\(cached\))`,
    String.raw`PASS\b`,
    String.raw`OK(?: |$)`,
    String.raw`(?:\[\w+\] )?BUILD SUCCESS`,
    String.raw`Build succeeded\b`,
    // ninja
    String.raw`\[(?<steps>\d{2,6})/\k<steps>\] (?:Link|Generat|Build|Install)ing `,
    String.raw`all (?:tests|checks|\d+ tests) (?:have )?passed\b(?! except)`,
    String.raw`All matched files use Prettier`,
    String.raw`Found [^\n]{0,80}\b0 remaining`,
    String.raw`Success: no issues found`,
    // xcodebuild
    String.raw`\*\* (?:BUILD|TEST|ARCHIVE|CLEAN|ANALYZE) SUCCEEDED \*\*`,
    // Credo
    String.raw`\d+ mods/funs, found no issues`,
    String.raw`(?:found )?no (?:errors|issues|problems)(?: found)?\b`,
    String.raw` {0,8}Finished [^\n]{0,80}\bin \d`,
    String.raw`[^\n]{0,60}\b(?:compiled successfully|built in \d)`,
    String.raw`(?:added|changed|removed|audited) \d+ packages?\b|up to date\b`,
    String.raw`(?:Successfully |Requirement already )`,
    // git commit, pull, push
    String.raw`\[[^\s\]]{1,200}(?: \(root-commit\))? [0-9a-f]{7,40}\] `,
    String.raw`Already up to date|Everything up-to-date|Fast-forward|   [0-9a-f]{7,40}\.\.[0-9a-f]{7,40} `,
  ],
  'i',
)

/** Lines of success that may be about a part of what ran: they count at the end of an output. */
export const SUCCESS_AT_END = linesWith(
  [
    String.raw`(?:Failed|Failures|Errors)\s?[:=]\s{1,12}0\s{0,3}$`,
    // GoogleTest; prove, R, doctest; Swift; Karma; RuboCop, golangci-lint, PHPStan; tox
    String.raw`\[ {2}PASSED {2}\] \d+ tests?`,
    String.raw`(?:\[doctest\] )?(?:Result|Status): (?:PASS|OK|SUCCESS)\b`,
    String.raw`✔ Test run with \d`,
    String.raw`TOTAL: \d+ SUCCESS$`,
    String.raw`\d+ files? inspected, no offenses|0 issues\b| ?\[OK\] `,
    String.raw`\s{0,4}congratulations :\)`,
    // CMake, LaTeX
    String.raw`\[100%\] Built target|Latexmk: All targets`,
    // Flutter, sbt, Godot and others write something before it
    String.raw`[^a-z\n]{0,40}(?:\[\w+\] )?all (?:\d+ )?(?:tests|checks|specs) (?:have )?(?:passed|successful)\b(?! except)`,
  ],
  'i',
)

const FAILS =
  'KO|NOK|NG|NOT OK|FAIL(?:ED|URE)?|ÉCHEC|ECHEC|ERREUR|FEHLER|FEHLGESCHLAGEN|FALLO|FALLIDO|FALHA|ERRORE|ОШИБКА|失败|失敗|错误|エラー|실패|[✗✘❌]'

/** A line that says by its first or last word, in capitals, that something has failed: beside others that say the contrary. */
export const SAYS_FAILURE = new RegExp(
  String.raw`^[^\p{L}\n]{0,12}(?:${FAILS})(?![\p{L}\d])(?!\s{0,3}[:=]?\s{0,3}(?:0|no|none|keine?|aucune?|ninguno)(?![\p{L}\d.]))|[\s.:|\[](?:${FAILS})[\])\s.!]{0,4}$`,
  'u',
)

const NUMBERS = String.raw`[^\p{L}\n]{0,20}(?:\d[\d.:,]{0,12} ?(?:ms|s|secs?|seconds?|m|min|minutes?)?(?!\p{L})[^\p{L}\n(]{0,9}){0,5}`

/** Lines that may follow the last result: times, seeds, and nothing but signs. */
export const AFTER_RESULT = new RegExp(
  String.raw`^(?:[^\p{L}]*|[^\p{L}\n]{0,20}(?:(?:total )?(?:test )?(?:time|duration|elapsed|seed|start at)(?: \(real\))?|done in|finished in|ran in|real|user|sys)${NUMBERS}(?:\([^()\n]{0,200}\))?[.\s]{0,3})$`,
  'iu',
)
