import { readFileSync } from 'node:fs'

/** Characters, tags, lines and words: each line of the file has some. */
const PIECES = readFileSync(new URL('hostile-pieces.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .flatMap((line) => JSON.parse(line) as string[])

/** Texts of a given size that cost a careless pattern or parser more than linear time, each with its name. */
export const HOSTILE_INPUTS: readonly (readonly [name: string, text: (size: number) => string])[] = [
  ...PIECES.map(
    (piece) => [JSON.stringify(piece), (size: number) => piece.repeat(Math.ceil(size / piece.length))] as const,
  ),
  ...([
    // U+0345 is a mark, and in patterns with the flag `i` also the letter iota.
    ['marks in a tag', (size) => `<conversat${'\u0345'.repeat(size)}`],
    ['marks in a label', (size) => `[ass${'\u0345'.repeat(size)}`],
    ['a heading of marks', (size) => `# ${'#'.repeat(size)}x`],
    ['blanks in a heading', (size) => `#${' '.repeat(size)}\u2028x${' '.repeat(size)}<`],
    ['colons in a heading', (size) => `# ${' :'.repeat(size / 2)}x`],
    ['a heading and blank lines', (size) => `## Goal${'\n'.repeat(size)}x`],
    ['a line of one letter', (size) => `x${'a'.repeat(size)}\n${'a'.repeat(size)}?`],
    ['spaces within a line', (size) => `# x${' '.repeat(size)}y${' '.repeat(size)}?`],
    ['line ends within a text', (size) => `x${'\n'.repeat(size)}y${' \n'.repeat(size / 2)}?`],
    ['different demands', lines((index) => `- never use thing${index} or part${index * 7}.`)],
    [
      'different constraints',
      (size) => `## Constraints & Preferences\n${lines((index) => `- must word${index}`)(size)}`,
    ],
    ['different commits', lines((index) => `[main ${hex(index)}] commit ${index}`)],
    ['different evidence', (size) => `## Evidence\n${lines((index) => `- commit ${hex(index)} c${index}`)(size)}`],
    [
      'different failures',
      (size) => `## Evidence\n${lines((index) => `- failed: \`run ${index}\` (error): no`)(size)}`,
    ],
    ['different paths', lines((index) => `see src/a${index}.ts and v1.2.${index}`)],
    ['different errors', lines((index) => `Error: nothing found at ${index}`)],
    ['different orders', lines((index) => `For the summary, reply with "text ${index}".`)],
    ['different orders on a line', lines((index) => `For the summary reply "text ${index}" `, '')],
    ['different headings', lines((index) => `### Part ${index}`)],
    ['different files', (size) => `<read-files>\n${lines((index) => `src/a${index}.ts`)(size)}\n</read-files>`],
    [
      'different commands',
      lines((index) => `[Assistant tool calls]: bash(command="run ${index}")\n\n[Tool result]: exit code 1\n`),
    ],
    ['different arguments', (size) => `run(${lines((index) => `a${index}=${index}, `, '')(size)})`],
    ['different calls', lines((index) => `run(path="a${index}.ts"); `, '')],
  ] satisfies [string, (size: number) => string][]),
]

/** Returns a text of lines, each made from its number. */
function lines(write: (index: number) => string, separator = '\n'): (size: number) => string {
  return (size) => {
    const written: string[] = []
    for (let length = 0; length < size; length += (written.at(-1)?.length ?? 0) + separator.length)
      written.push(write(written.length))
    return written.join(separator)
  }
}

const hex = (index: number): string => `abc${index.toString(16).padStart(5, '0')}`
