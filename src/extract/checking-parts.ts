import type { Check } from './checks.ts'
import { isQueryPart } from './exit-status.ts'

/** Programs and scripts that check the work. */
const CHECK =
  /(?<![A-Za-z])(?:tests?|spec|lint|typecheck|type-check|check|build|compile|verify|vet|clippy|pytest|jest|vitest|mocha|tsc|eslint|mypy|ruff|flake8|rspec|phpunit|gradle|gradlew|mvn|ctest|dialyzer|credo|unittest)(?![A-Za-z])/

const MAX_CHECK_CHARACTERS = 200

/** Programs that move files, whatever their names. */
const MOVES_FILES = /^(?:rm|rmdir|cp|mv|ln|mkdir|touch|chmod|chown|code|open|git) /

/** A command up to its first path, which may be the script that it runs: what follows is what it works on. */
const HEAD = /^(?:[^\s./]+ ){0,9}\S{0,200}/

/** Whether a part of a command checks the work. */
export const isCheckingPart = (text: string): boolean =>
  CHECK.test(HEAD.exec(text)?.[0] ?? '') && !isQueryPart(text) && !MOVES_FILES.test(text)

/** Returns the parts of a command that check the work. */
export const checksOf = ({ parts }: Check): string[] =>
  parts.filter(isCheckingPart).map((text) => text.slice(0, MAX_CHECK_CHARACTERS))
