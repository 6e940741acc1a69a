import { isFence } from '../text/close-marks.ts'
import { isGapNote } from '../text/shorten.ts'
import { beginsWithError } from './error-lines.ts'

/** A part of a user's message: what the user wrote, or what was pasted (code, logs, traces, tables, quotes). */
interface TextBlock {
  text: string
  isPasted: boolean
}

/** How much of both ends of a text is read line by line. What is between was not typed. */
const MAX_READ_CHARACTERS = 100_000

/** Splits a text at its lines into what its writer wrote and what he pasted; joined by line feeds, the blocks are the text. */
export function splitPasted(text: string): TextBlock[] {
  const lines = readLines(text)
  const pasted = markLines(lines)
  const blocks: (TextBlock & { lines: string[] })[] = []
  for (const [at, line] of lines.entries()) {
    const last = blocks.at(-1)
    const isPasted = pasted[at] ?? false
    if (last?.isPasted === isPasted) last.lines.push(line)
    else blocks.push({ text: '', isPasted, lines: [line] })
  }
  return blocks.map(({ isPasted, lines: own }) => ({ text: own.join('\n'), isPasted }))
}

/** Returns the lines of a text. What is between its ends is one line. */
function readLines(text: string): string[] {
  if (text.length <= 2 * MAX_READ_CHARACTERS) return text.split('\n')
  const head = text.lastIndexOf('\n', MAX_READ_CHARACTERS)
  const tail = text.indexOf('\n', text.length - MAX_READ_CHARACTERS)
  return [
    ...(head < 0 ? [] : text.slice(0, head).split('\n')),
    text.slice(head + 1, tail < 0 ? undefined : tail),
    ...(tail < 0 ? [] : text.slice(tail + 1).split('\n')),
  ]
}

/** Returns what the writer of a text wrote, without what he pasted. */
export const withoutPasted = (text: string): string =>
  splitPasted(text)
    .filter(({ isPasted }) => !isPasted)
    .map((block) => block.text)
    .join('\n')

const FENCE = /^\s*(```|~~~)/

/** Marks the lines that were pasted. Within a paragraph, what is between and after lines of a program is its output too. */
function markLines(lines: readonly string[]): boolean[] {
  const marks = lines.map(() => false)
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  for (let start = 0; start < lines.length;) {
    const fence = FENCE.exec(lines[start] ?? '')?.[1]
    let end = start + 1
    if (fence !== undefined) {
      const isEnd = (line: string): boolean => line.trimStart().startsWith(fence)
      while (end < lines.length && !isEnd(lines[end] ?? '')) end += 1
      if (end < lines.length) marks.fill(true, start, ++end)
      else end = markOpenFence(lines, start, marks)
    } else {
      while (isInParagraph(lines[start] ?? '') && end < lines.length && isInParagraph(lines[end] ?? '')) end += 1
      markParagraph(lines, { start, end, counts }, marks)
    }
    start = end
  }
  return marks
}

/** Marks the paragraph below a fence that is not closed: below it, the user may have gone on. @returns its end */
function markOpenFence(lines: readonly string[], start: number, marks: boolean[]): number {
  let end = start
  while (end < lines.length && (end === start || (lines[end] ?? '').trim() !== '')) {
    marks[end] = !isTyped(lines[end] ?? '')
    end += 1
  }
  return end
}

const isInParagraph = (line: string): boolean => line.trim() !== '' && !isFence(line)

/** As many lines of a program make the rest of a paragraph its output. */
const MIN_PROGRAM_LINES = 3

interface Paragraph {
  start: number
  end: number
  /** How often the text has each line: a line that is repeated was pasted. */
  counts: ReadonlyMap<string, number>
}

function markParagraph(lines: readonly string[], { start, end, counts }: Paragraph, marks: boolean[]): void {
  const own = lines.slice(start, end)
  const isDiff =
    own.some((line) => DIFF_HEADER.test(line)) ||
    own.filter((line) => NUMBERED_DIFF.test(line)).length >= MIN_PROGRAM_LINES ||
    (own.length > 1 && own.every((line) => /^[-+]\S/.test(line)))
  const certain = own.map((line) => isOfProgram(line) || (line.trim().length > 20 && (counts.get(line) ?? 0) > 1))
  const found = certain.map((isCertain, at) => isCertain || (isDiff && !isTyped(own[at] ?? '')))
  const first = found.indexOf(true)
  if (first < 0) return
  const count = found.filter(Boolean).length
  const last = count >= MIN_PROGRAM_LINES ? own.length : found.lastIndexOf(true) + 1
  for (let at = first; at < last; at++) marks[start + at] = found[at] === true || !isTyped(own[at] ?? '')
}

/** A question, or words of a person who speaks of himself or asks for something: programs begin few lines without an indentation by them. */
const TYPED: readonly RegExp[] = [
  /^[\p{L}¿¡"'(].{0,400}[?？][)"']?\s*$/u,
  /^(?:\p{L}[^:=]{0,200}[ ,])?(?:I|I['’](?:m|ve|d|ll)|[Ww]e|[Mm]y|[Pp]lease|[Pp]ls|ich|[Ww]ir|[Bb]itte|je|nous|[Pp]or favor)(?: [\p{L}\d]|$)/u,
  /^(?:(?:so|and|but|now|also|then|ok(?:ay)?),? )?(?:why|what|how|where|warum|wieso|pourquoi|comment|por qué|can you|could you|any idea|happens|this is what|same (?:error|here|thing))(?: \p{L}|[.!…]|$)/iu,
  /^(?:(?:so|and|but|now|also|then|ok(?:ay)?),? )?(?:fix|look|explain|help|check|tell|make|solve|debug|investigate|find) (?:it|this|that|these|the|them|me|us|why|what|how|if|into|at|sure|both|all|out)(?: |[.!,]|$)/iu,
  /^(?:and|but|then|after that|und|aber|dann|danach|et|puis|y|luego|pero)(?: .{0,60})?:$/iu,
  /^\p{L}*[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}]/u,
]

/** What programs write to their users. */
const ADVICE =
  /^(?:did you mean|(?:if|please|you|to) .{0,100}\b(?:run|see|install|try|use|report|need|may|must|can)\b)/i

const isTyped = (line: string): boolean =>
  line.length <= MAX_LINE_CHARACTERS && !ADVICE.test(line) && TYPED.some((pattern) => pattern.test(line))

/** Lines of a diff as agents show it: with the number of the line. */
const NUMBERED_DIFF = /^\s{0,3}[-+] ?\d{1,5}(?: |$)/

const DIFF_HEADER = /^(?:diff --git |@@ -\d|index [0-9a-f]{7}|--- [ab]\/|\+\+\+ [ab]\/)/

/** Longer lines are data, unless they have as many spaces as a language: who dictates makes no paragraphs. */
const MAX_LINE_CHARACTERS = 2000
const MAX_PROSE_CHARACTERS = 20_000
const CHARACTERS_PER_SPACE = 9

const isProse = (line: string): boolean =>
  line.length <= MAX_PROSE_CHARACTERS && line.split(' ').length * CHARACTERS_PER_SPACE >= line.length

/** The forms of lines that programs write, or that are code. */
const PROGRAM_LINES: readonly RegExp[] = [
  // Quotes, tables, rules, trees, and the marks of programs for terminals
  /^\s{0,3}>(?: |$)/,
  /^\s*\|.*\|\s*$/,
  /[─━│┃┌┐└┘├┤═║╭╮╰╯▄█░]{2}/,
  /^\s*[⎿●⏺✻✽∙⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏↑→]\s?\S/,
  /^[-=_*#~+]{5,}\s*$/,
  // Prompts of shells
  /^\s*(?:[➜❯$%] |\(?[\w.-]{1,40}\)? ?[\w.-]{1,40}@[\w.-]{1,60}[: ]\S{0,100} ?[$#%])/,
  // Traces, errors and logs
  /^\s+at \S/,
  /^\s*File "[^"]{1,300}", line \d/,
  /^Traceback \(most recent/,
  /^\s*(?:error|warning|fatal|panic|npm (?:ERR!|error|warn)|FAIL|FAILED|not ok|✖|✗|✘)[ :[]/,
  /^\s*(?:API Error|HTTP\/\d|Caused by:|Uncaught |Unhandled )/,
  /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|^\[?\d\d:\d\d:\d\d[\].,: ]/,
  /^\s*\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|NOTICE)\]?[ :|]/,
  /^Node\.js v\d|^\s*\^+\s*$|^\s*\d{1,5} ?\|/,
  /^\S{1,300}[/.]\S{1,100}[:(]\d{1,6}[:,]\d{1,6}\b/,
  // Ids
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-|\b(?:req|msg|toolu|call|resp|chatcmpl)_[A-Za-z0-9]{10,}/,
  // JSON, code and markup
  /^\s*[[{](?:\s*["[{\]}]|\s*$)|^\s*[\]}][\]},;)\s]*$|^\s*"[^"\n]{1,100}"\s*:/,
  /^\s*(?:import|export|const|let|var|function|class|return|def|if|for|while|from|public|private|async|await|fn|func)\b.*[({;=:]\s*\S{0,40}$/,
  /[;{}]\s*$/,
  // A tag alone on its line may be one of an instruction.
  /^\s*<\/?[a-z][\w-]{0,40}(?:\s[^<>]{0,300})?>(?<!^<\/?[\w-]{1,60}>(?=\s*$))/,
]

const isOfProgram = (line: string): boolean =>
  (line.length > MAX_LINE_CHARACTERS && !isProse(line)) ||
  isGapNote(line) ||
  beginsWithError(line.trimStart()) ||
  PROGRAM_LINES.some((pattern) => pattern.test(line))
