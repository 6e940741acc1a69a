import { withoutFenced } from '../text/close-marks.ts'
import { oneLine, shorten } from '../text/shorten.ts'
import { DOCUMENT_DEMAND } from './words.ts'

/** A part of a document: the text below a heading, or a piece of it, on one line. */
export interface DocumentPart {
  text: string
  /** The higher, the more it demands. */
  score: number
}

/** How much of a document is read. */
const MAX_DOCUMENT_CHARACTERS = 16_000

/** The numbers that tools write before the lines of a file. */
const LINE_NUMBER = /^\s{0,8}\d{1,6}(?:→|\t|: | \| )/

const HEADING = /^(?:#{1,5} +\S|[A-Z][A-Z &]{4,40}:?$|\*\*[^*]{3,60}\*\*:?$)/
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)]) +\S/
const CODE =
  /[;{}]\s*$|^\s*(?:import|export|const|let|var|def|fn|func|return|if|for|@@|diff --git|[+-]{3} )\b|^\s*<\/?[a-z]/

const MIN_LINES = 8
const MIN_STRUCTURED_SHARE = 0.3
const MAX_CODE_SHARE = 0.15

/** So many lines demand something, or so many headings say that what is below them is demanded. */
const MIN_DEMANDS = 3
const MIN_DEMANDING = 3

/** A list, such as that of open tasks, has hardly anything but items. */
const MIN_LIST_SHARE = 0.7
const MIN_LIST_ITEMS = 4
const MAX_LIST_LINES = 40

/**
 * Whether the output of a tool is a document with demands (an issue, a specification, a plan, a list of rules), or a
 * short list (of open tasks).
 */
export function isDocument(output: string): boolean {
  if (output.length < 200) return false
  const lines = readLines(output)
  const items = lines.filter((line) => ITEM.test(line)).length
  if (items >= MIN_LIST_ITEMS && lines.length <= MAX_LIST_LINES && items >= lines.length * MIN_LIST_SHARE) return true
  if (lines.length < MIN_LINES) return false
  const count = (pattern: RegExp): number => lines.filter((line) => pattern.test(line)).length
  const structured = lines.filter((line) => HEADING.test(line) || ITEM.test(line)).length
  if (structured < lines.length * MIN_STRUCTURED_SHARE || count(CODE) > lines.length * MAX_CODE_SHARE) return false
  const headings = lines.filter((line) => HEADING.test(line))
  const demanding = headings.filter((line) => DEMANDING.test(line) && !POINTING.test(line)).length
  return headings.length > 0 && (demanding >= MIN_DEMANDING || count(DOCUMENT_DEMAND) >= MIN_DEMANDS)
}

const MAX_LINE_CHARACTERS = 1000

const readLines = (output: string): string[] =>
  output
    .slice(0, MAX_DOCUMENT_CHARACTERS)
    .split('\n')
    .map((line) => line.slice(0, MAX_LINE_CHARACTERS).replace(LINE_NUMBER, '').trimEnd())
    .filter((line) => line !== '')

const MAX_PART_CHARACTERS = 520

/** Sections that say what is demanded, and those that only point elsewhere. */
const DEMANDING =
  /accept|criteri|constraint|no.?go|must|rule|require|spec|edge|output|goal|test|decision|scope|open|todo|plan|implement|technical|definition|steps|tasks|ready|block|depend|akzeptanz|kriteri|regel|anforder|ziel|entscheid|umfang|offen|schritt|aufgabe|grenz|règle|exigence|objectif|décision|étape|tâche|regla|requisit|objetivo|decisi|paso|tarea|regra|passo|tarefa|требован|правил|задач|规则|要求|目标|任务|要件|規則|タスク/i
const POINTING = /reference|see also|links?\b|table of contents|license|why this/i

/** Orders to a summarizer are not demands on the work. */
const ORDER =
  /\b(?:ignore|disregard|forget)\b.{0,40}\b(?:instructions?|rules|prompts?)\b|\bsummar(?:y|ize|ise)|system prompt/i

/** Returns the parts of a document, in order, each with the heading that it is under. */
export function splitDocument(output: string): DocumentPart[] {
  const parts: DocumentPart[] = []
  let heading = ''
  let text = ''
  const end = (): void => {
    if (text !== '')
      parts.push({ text: `${heading === '' ? '' : `${heading}: `}${text}`, score: scoreOf(heading, text) })
    text = ''
  }
  for (const line of withoutFenced(readLines(output))) {
    if (HEADING.test(line)) {
      end()
      heading = line.replace(/^#+ +|\*\*|:$/g, '').trim()
    } else if (!ORDER.test(line)) {
      if (text.length + line.length > MAX_PART_CHARACTERS) end()
      text = shorten(
        oneLine(`${text}${text === '' ? '' : ' / '}${line.replace(/^\s*[-*+•] +/, '')}`),
        MAX_PART_CHARACTERS,
      )
    }
  }
  end()
  return parts
}

function scoreOf(heading: string, text: string): number {
  const section = DEMANDING.test(heading) ? 3 : POINTING.test(heading) ? -3 : 0
  const demands = text.split(' / ').filter((line) => DOCUMENT_DEMAND.test(line)).length
  return section + Math.min(3, demands) + (/`[^`]+`/.test(text) ? 1 : 0)
}
