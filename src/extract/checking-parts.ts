import type { Check } from './checks.ts'
import { isQueryPart } from './exit-status.ts'

/** Programs and scripts that check the work. */
const CHECK =
  /(?<![A-Za-z])(?:tests?|spec|lint|typecheck|type-check|check|build|compile|verify|vet|clippy|pytest|jest|vitest|mocha|tsc|eslint|mypy|ruff|flake8|rspec|phpunit|gradle|gradlew|mvn|ctest|dialyzer|credo|unittest)(?![A-Za-z])/

const MAX_CHECK_CHARACTERS = 200

/** Programs that move files, whatever their names. */
const MOVES_FILES = /^(?:rm|rmdir|cp|mv|ln|mkdir|touch|chmod|chown|code|open|git) /

/** Returns the parts of a command that check the work. */
export const checksOf = ({ parts }: Check): string[] =>
  parts
    .filter((text) => CHECK.test(text) && !isQueryPart(text) && !MOVES_FILES.test(text))
    .map((text) => text.slice(0, MAX_CHECK_CHARACTERS))
