import type { Random } from './create-random.ts'

const NOUNS = 'invoice period customer amount entry batch cursor token window ledger clock row retry limit draft'.split(
  ' ',
)
const VERBS = 'load find store merge round check post split count read apply close open parse send'.split(' ')

/** Writes lines up to a number of characters; the last line is cut. */
function fill(characters: number, writeLine: (index: number) => string): string {
  const lines: string[] = []
  let left = characters
  for (let index = 0; left > 0; index++) {
    const line = writeLine(index).slice(0, left)
    lines.push(line)
    left -= line.length + 1
  }
  return lines.join('\n')
}

/** Writes source code of a given length: functions with bodies, and sometimes a comment. */
export function writeCode(random: Random, characters: number, comments: readonly string[]): string {
  const name = (): string => `${random.pick(VERBS)}${capitalised(random.pick(NOUNS))}${random.integer(1, 99)}`
  const shapes = [
    () => `export function ${name()}(${random.pick(NOUNS)}: ${capitalised(random.pick(NOUNS))}): number {`,
    () => `  const ${random.pick(NOUNS)} = ${name()}(${random.pick(NOUNS)}, ${random.integer(0, 5000)})`,
    () => `  if (${random.pick(NOUNS)}.${random.pick(NOUNS)} > ${random.integer(0, 900)}) return ${name()}()`,
    () => `  // ${random.pick(comments)}`,
    () => '}',
    () => '',
  ]
  return fill(characters, () => random.pick(shapes)())
}

/** Writes the output of a command, of a given length: time stamps, counts and names. */
export function writeLog(random: Random, characters: number): string {
  return fill(characters, (index) => {
    const at = new Date(Date.UTC(2026, 9, 31, 2, 0, index)).toISOString()
    return `${at} ${random.pick(VERBS)} ${random.pick(NOUNS)} id=${random.integer(1000, 99_999)} took ${random.integer(1, 900)} ms`
  })
}

const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)
