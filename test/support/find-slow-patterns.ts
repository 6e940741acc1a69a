import { Linter } from 'eslint'
import regexp from 'eslint-plugin-regexp'

/** A pattern that was built at run time. */
export interface BuiltPattern {
  /** The pattern as a literal: `/a+/g`. */
  literal: string
  /** The files and lines that build it. */
  places: readonly string[]
}

const RULES: Linter.RulesRecord = {
  'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
  'regexp/no-super-linear-move': ['error', { report: 'potential' }],
}

/** Returns a sentence for each pattern that may take more than linear time, by the rules of the linter (eslint.config.js). */
export function findSlowPatterns(patterns: readonly BuiltPattern[]): string[] {
  const places = new Map<string, Set<string>>()
  for (const { literal, places: more } of patterns)
    places.set(literal, new Set([...(places.get(literal) ?? []), ...more]))
  const literals = [...places.keys()]
  // The rules ask how a pattern is used: this one is searched in a whole text.
  const code = literals.map((literal) => `${literal}.test(text);`).join('\n')
  const config: Linter.Config = {
    plugins: { regexp },
    languageOptions: { ecmaVersion: 'latest' },
    rules: RULES,
  }
  return new Linter().verify(code, config).map(({ line, message }) => {
    const literal = literals[line - 1] ?? ''
    return `${[...(places.get(literal) ?? [])].join(', ')}: ${literal.slice(0, 200)} ${message.slice(0, 300)}`
  })
}
