/** Errors stand at an output's end, and sometimes at its beginning; the middle is not looked at. */
const HEAD_CHARACTERS = 4000
const TAIL_CHARACTERS = 12_000

const MAX_LINE_CHARACTERS = 300

const ERROR_LINE =
  /\b(?:[A-Z]\w*(?:Error|Exception)|error|err!|fatal|panic(?:ked)?|failed|failure|FAIL|traceback|denied|not found|no such file|cannot|unable to|undefined|unexpected|expected|ENOENT|EACCES|ECONNREFUSED|segmentation fault|assertion)\b/i

/** Summaries of a test run, and exit notes: they say that something failed, not what. */
const NO_CAUSE =
  /^(?:[-+]{3} (?!FAIL)|@@|compare:|diff:|\(?(?:command )?exit(?:ed)?\b|#|npm (?:err|error)|make: \*\*\*|\d+ (?:failed|failing|errors?)\b)/i

/**
 * Finds the lines of a failed command's output that say what went wrong, word for word.
 * @param maxLines how many at most: the last ones, since what stands last stopped the command
 */
export function findErrors(output: string, maxLines: number): string[] {
  const lines = ends(output)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const telling = lines.filter((line) => line.length < 2000 && ERROR_LINE.test(line))
  const causes = telling.filter((line) => !NO_CAUSE.test(line))
  const chosen = causes.length > 0 ? causes : lines.filter((line) => !NO_CAUSE.test(line))
  return [...new Set(chosen)]
    .slice(-maxLines)
    .map((line) => line.slice(0, MAX_LINE_CHARACTERS).replace(/[\uD800-\uDBFF]$/, ''))
}

function ends(output: string): string {
  if (output.length <= HEAD_CHARACTERS + TAIL_CHARACTERS) return output
  const tail = output.slice(-TAIL_CHARACTERS)
  return `${output.slice(0, HEAD_CHARACTERS)}\n${tail.slice(tail.indexOf('\n') + 1)}`
}
