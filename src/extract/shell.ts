import { lineEndAfter } from '../text/lines.ts'
import { startOfProgram, type Word } from './program-start.ts'

/** A redirection of a command's input or output, such as `2> errors.txt`. */
interface Redirection {
  /** Without the number of a file descriptor. */
  operator: string
  target: string
}

/** A simple command of a shell's command line (POSIX.1-2024, "Shell Command Language", 2.9.1). */
export interface SimpleCommand {
  /** From the name of its program on, as the program gets them: without quotes. */
  words: readonly string[]
  /** The words with `quoted` in the place of quoted text. */
  text: string
  /** The name of the program, without its path. */
  program: string
  redirections: readonly Redirection[]
  /** The sign after it: `&&`, `|`, `)` and the like; empty for the last one. */
  operator: string
  /** False where a shell would replace something in it, and from the first group or substitution on. */
  isCertain: boolean
  /** True where its status is the contrary of that of its program. */
  isNegated?: true
  /** True where its error messages go elsewhere: into a file, or to the program that its output is piped to. */
  hidesErrors?: true
}

/** A shell that runs code given as an argument, as Codex runs all of its commands. */
const SHELL = /^\s*(?:\/[\w/.-]+\/)?(?:ba|z|da|k)?sh\s+-[a-z]*c\s+/

/** How much of a command is read. Longer code is a program. */
const MAX_COMMAND_CHARACTERS = 8000

/** Returns the simple commands of a command, without its comments and the texts of its here-documents. */
export function splitCommand(command: string): SimpleCommand[] {
  const commands = new Splitter(readCode(command.slice(0, MAX_COMMAND_CHARACTERS))).split()
  const last = commands.at(-1)
  // Its last word may be cut.
  if (last !== undefined && command.length > MAX_COMMAND_CHARACTERS) last.isCertain = false
  return commands
}

/** Returns the code that a command runs: that of its shell, where it names one. An agent may have left out the quotes around it. */
function readCode(command: string): string {
  const code = command.replace(SHELL, '')
  const [quote = ''] = code
  const isQuoted = code.length < command.length && /['"]/.test(quote) && code.trimEnd().endsWith(quote)
  return isQuoted ? code.trimEnd().slice(1, -1) : code
}

/** A token of shell code. A quote that stays open is a character like any other. */
const TOKEN = new RegExp(
  [
    String.raw`[ \t\r]+`,
    String.raw`(?<continuation>\\\r?\n)`,
    String.raw`\\(?<escaped>[^])`,
    String.raw`'(?<single>[^']*)'`,
    String.raw`"(?<double>(?:[^"\\]|\\[^])*)"`,
    String.raw`\d?[<>]&[\d-](?<duplicate>)`,
    String.raw`\d?(?<redirection>&>>?|<<<|<<-?|<>|>>|>\||[<>]&?)`,
    String.raw`(?<operator>&&|\|\||\|&|;;|[|;&\n])`,
    String.raw`(?<bracket>[()${'`'}])`,
    String.raw`(?<plain>[\w./:,@%+=-]+|[^])`,
  ].join('|'),
  'y',
)

type Token = Partial<
  Record<'continuation' | 'escaped' | 'single' | 'double' | 'redirection' | 'operator' | 'bracket' | 'plain', string>
>

/** The signs that a shell replaces in a word, outside of its quoted parts. A word `[` is a program. */
const REPLACED = /["'$*?{}\\]|[^[]\[|\[[^[]/

/** The signs that it replaces in double quotes. */
const REPLACED_IN_QUOTES = /(?<!\\)[$`]/

/** Splits shell code into simple commands, in one pass. */
class Splitter {
  readonly #commands: SimpleCommand[] = []
  readonly #code: string
  #at = 0
  #word: Word | undefined
  #words: Word[] = []
  #redirections: (Word & { sign: string })[] = []
  /** The redirection whose target is the next word. */
  #operator: string | undefined
  /** Here-documents that begin in the next line. */
  #delimiters: string[] = []
  #isNested = false
  /** Where the errors of the command go. */
  #errors: 'shown' | 'joined' | 'elsewhere' = 'shown'

  constructor(code: string) {
    this.#code = code
  }

  split(): SimpleCommand[] {
    while (this.#at < this.#code.length) {
      TOKEN.lastIndex = this.#at
      const found = TOKEN.exec(this.#code)
      if (found === null) break
      this.#at = TOKEN.lastIndex
      if (/^(?:2>|&>)/.test(found[0])) this.#errors = found[0] === '2>&1' ? 'joined' : 'elsewhere'
      this.#read(found.groups ?? {})
    }
    this.#endCommand('')
    return this.#commands
  }

  #read({ continuation, escaped, single, double, redirection, operator, bracket, plain }: Token): void {
    const quoted = escaped ?? single
    if (quoted !== undefined) this.#add(quoted, 'quoted')
    else if (double !== undefined)
      this.#add(double.replace(/\\(?:\r?\n|([$`"\\]))/g, '$1'), REPLACED_IN_QUOTES.test(double) ? '$quoted' : 'quoted')
    else if (plain === '#' && this.#word === undefined) this.#at = lineEndAfter(this.#code, this.#at)
    else if (plain !== undefined) this.#add(plain, plain)
    else if (operator !== undefined || bracket !== undefined) this.#endCommand(operator ?? bracket ?? '')
    else if (continuation === undefined) {
      this.#endWord()
      this.#operator = redirection ?? this.#operator
    }
  }

  #add(text: string, shown: string): void {
    const { text: before, shown: shownBefore } = this.#word ?? { text: '', shown: '' }
    this.#word = { text: before + text, shown: shownBefore + shown }
  }

  #endWord(): void {
    const word = this.#word
    if (word === undefined) return
    const operator = this.#operator
    if (operator === undefined) this.#words.push(word)
    else if (operator === '<<' || operator === '<<-') this.#delimiters.push(word.text)
    else this.#redirections.push({ ...word, sign: operator })
    this.#word = undefined
    this.#operator = undefined
  }

  #endCommand(operator: string): void {
    this.#endWord()
    this.#isNested ||= /[()`]/.test(operator)
    const command = this.#command(operator)
    const last = this.#commands.at(-1)
    if (command !== undefined) this.#commands.push(command)
    // A sign after a group belongs to its last command.
    else if (last?.operator === ')') last.operator = operator
    ;[this.#words, this.#redirections, this.#operator, this.#errors] = [[], [], undefined, 'shown']
    if (operator === '\n') this.#skipDocuments()
  }

  #command(operator: string): SimpleCommand | undefined {
    const start = startOfProgram(this.#words)
    const words = this.#words.slice(start)
    if (words.length === 0 && this.#redirections.length === 0) return undefined
    return {
      words: words.map(({ text }) => text),
      text: words.map(({ shown }) => shown).join(' '),
      program: (words[0]?.shown ?? '').replace(/^.*\//, ''),
      redirections: this.#redirections.map(({ sign, text }) => ({ operator: sign, target: text })),
      operator,
      ...(this.#words.slice(0, start).some(({ shown }) => shown === '!') && { isNegated: true as const }),
      ...(this.#hidesErrors(operator) && { hidesErrors: true as const }),
      isCertain: !this.#isNested && ![...this.#words, ...this.#redirections].some(({ shown }) => REPLACED.test(shown)),
    }
  }

  #hidesErrors(operator: string): boolean {
    if (this.#errors !== 'joined') return this.#errors === 'elsewhere' || operator === '|&'
    return operator === '|' || this.#redirections.some(({ sign }) => sign.includes('>'))
  }

  #skipDocuments(): void {
    for (const delimiter of this.#delimiters) {
      let line: string
      do {
        line = this.#code.slice(this.#at, lineEndAfter(this.#code, this.#at))
        this.#at += line.length + 1
      } while (this.#at < this.#code.length && line.replace(/^\t+|\r$/g, '') !== delimiter)
    }
    this.#delimiters = []
  }
}
