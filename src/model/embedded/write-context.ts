import { checkName } from '../../extract/check-names.ts'
import { isCheck, readCheck, STAGING } from '../../extract/checks.ts'
import { COURSE, writeOutcome, type CourseStep } from '../../extract/describe-course.ts'
import { baseName } from '../../files/paths.ts'
import { shorten } from '../../text/shorten.ts'
import { describeDocuments, describeFile, SOURCES } from './describe-details.ts'
import type { CommandFact, SessionFacts } from './facts.ts'
import { keepFocused } from './focus.ts'
import { describeReadFile, isFileStatement, READ_FILE } from './read-files.ts'
import { stepsOfCourse, writeCourse } from './write-course.ts'
import { bullets, carry, keepNewest, linesOf, merge, RANK, type RankedLine, type Statement } from './ranked-lines.ts'
import { isStateOfChanges, writeLastCheck, writeUncommitted } from './uncommitted-files.ts'

const ERROR = /^- Error(?: \([a-z ]{1,40}\))?: /
const COMMAND = /^- `(.*)`: (?:ok|failed|printed: |exit code |outcome unknown)/
const FAILED = /^- `.*`: failed/
const QUESTION = /^- Unanswered: /
const FIXED = /^- Error that was fixed: /
const SEEN = /^- Error seen earlier: /
export const LAST_CALL = /^- Last tool call: /

/** The forms of statements that are updated; all others are carried on. */
const UPDATED = [ERROR, COMMAND, QUESTION, FIXED, SEEN, LAST_CALL, COURSE, SOURCES.file, SOURCES.document]

/** Whether a statement has a form that is updated. */
export const isUpdated = (statement: string): boolean => UPDATED.some((pattern) => pattern.test(statement))

/** The maximum number of statements of each kind; the newest stay. */
const MAX = { commands: 24, errors: 8, fixes: 12, context: 40 }

/** How many of the newest commands come before all details: none where the course has these. */
const essentialBeside = (course: readonly CourseStep[]): number => (course.length > 0 ? 0 : 6)

/** Writes the context. Earlier commands, errors, files and documents are recognized by their form, and updated. */
export function writeContext(facts: SessionFacts, before: readonly string[]): RankedLine[] {
  const { errors, openQuestion, documents, heard, notes = [] } = facts
  const added = heard.map((text) => `Added by the client: ${text}`)
  const read = new Set(documents.map(({ source }) => source))
  const carriedDocuments = before.filter((text) => SOURCES.document.test(text) && !read.has(sourceIn(text)))
  const carried = before.filter((text) => !isUpdated(text))
  const firstLabel = carried.findIndex(isLabel)
  const labelled = carried.slice(firstLabel < 0 ? carried.length : firstLabel)
  const plain = carried.slice(0, carried.length - labelled.length)
  const earlier = (pattern: RegExp): string[] => before.filter((text) => pattern.test(text))
  const current = bullets(errors)
  // What still fails has failed again where anything was run.
  const isOld = facts.commands.length > 0
  const allErrors = merge(isOld ? [] : earlier(ERROR), current, MAX.errors)
  const again = new Set(current.map(({ head }) => head))
  const seen = isOld ? earlier(ERROR).filter((line) => !again.has(line)) : []
  const old = [...earlier(SEEN), ...seen.map((line) => line.replace(ERROR, '- Error seen earlier: '))]
  const steps = stepsOfCourse(facts.course, earlier(COURSE))
  const fixes = merge([...earlier(FIXED), ...old], writeFixes(facts.course, steps), MAX.fixes)
  return [
    ...linesOf(openQuestion === undefined ? [] : [{ head: `- Unanswered: ${openQuestion}` }], RANK.request),
    ...linesOf(merge(plain, bullets([...notes, ...added]), MAX.context), RANK.carried),
    ...linesOf(allErrors, RANK.error),
    ...writeCommands(facts, steps, earlier(COMMAND)),
    ...keepNewest(fixes, { kind: 'command', essential: essentialBeside(steps), rank: RANK.fix }),
    ...linesOf(writeCourse(facts.course, steps, earlier(COURSE))),
    ...linesOf([...carry(carriedDocuments, 'carried'), ...describeDocuments(documents, facts.work.items)]),
    // To a reader, what follows a label belongs to it: nothing that code writes comes after one.
    ...linesOf(merge(labelled, [], MAX.context).map(setApart), RANK.carried),
  ]
}

/** A line of an earlier summary that names what follows it, such as `All User Messages:`. */
const isLabel = (statement: string): boolean => LABEL.test(statement.split('\n', 1)[0] ?? '')

const LABEL = /^(?![-*+#] |\d{1,3}\. ).{1,200}:$/

/** A blank line before a label ends what stands above it, also when the text is parsed again. */
const setApart = (statement: Statement): Statement =>
  isLabel(statement.head) ? { ...statement, head: `\n${statement.head}` } : statement

/** Writes the state of files, the one that was changed last first. Those that an earlier extract described are in the facts already, as they are now. */
export function writeState(facts: SessionFacts, before: readonly string[]): RankedLine[] {
  const { files, readFiles, uncommitted } = facts
  const known = new Set([...files, ...readFiles].map(({ path }) => path))
  const open = [uncommitted && writeUncommitted(uncommitted), writeLastCheck(facts)]
  const read = before.filter((text) => !isStateOfChanges(text) && !known.has(READ_FILE.exec(text)?.[1] ?? ''))
  return [
    ...linesOf(
      open.flatMap((head) => (head === undefined ? [] : [{ head }])),
      RANK.carried,
    ),
    ...linesOf(carry(read.filter((text) => !isFileStatement(text))), RANK.carried),
    ...linesOf(markKnown(files.map(describeFile), before).reverse()),
    ...linesOf(readFiles.map(describeReadFile).reverse()),
    ...linesOf(
      carry(
        read.filter((text) => READ_FILE.test(text)),
        'read',
      ),
    ),
  ]
}

/** Marks what an earlier summary has said of a file too. */
function markKnown(files: readonly Statement[], before: readonly string[]): Statement[] {
  const known = new Map(before.map((text) => text.split('\n')).map(([head = '', ...lines]) => [head, new Set(lines)]))
  return files.map(({ head, details = [], ...file }) => {
    const lines = details.map((line) => ({ ...line, isEarlier: known.get(head)?.has(line.text) === true }))
    return { ...file, head, details: lines, isEarlier: lines.every(({ isEarlier }) => isEarlier) }
  })
}

const sourceIn = (text: string): string => SOURCES.document.exec(text)?.[1] ?? ''

/** Commands that only look at something: what they printed is not known any more. */
const READS_ONLY =
  /^- `(?:cd [^&;|]{1,200}&& ?)?(?:ls|cat|grep|rg|sed -n|head|tail|find|wc|pwd|echo|which|tree|sleep|git (?:status|log|diff|show|branch))\b/

/**
 * Writes the last outcome of commands.
 * @param shown the steps that the course has: beside them, only failures and checks that are not among them are written
 */
function writeCommands(
  { commands, edits, focus }: SessionFacts,
  shown: readonly CourseStep[],
  before: readonly string[],
): RankedLine[] {
  const rerun = new Set(commands.map(({ command }) => nameOf(command)))
  const inCourse = new Set(shown.flatMap((step) => (step.kind === 'command' ? [nameOf(step.command)] : [])))
  const counts = ({ command, outcome }: CommandFact): boolean =>
    outcome.kind === 'failed' ||
    (shown.length > 0 ? isCheck(command) && !inCourse.has(nameOf(command)) : !onlyStages(command))
  const carried = before.filter((text) => !rerun.has(nameOf(COMMAND.exec(text)?.[1] ?? '')))
  const all = [
    ...carry(carried.map((text) => addEdits(text, edits))),
    ...commands.filter((one) => saysHowItEnded(one) && counts(one)).map(writeCommand),
  ]
  const failed = all.filter(({ head }) => FAILED.test(head))
  const changing = all.filter(({ head }) => !FAILED.test(head) && !READS_ONLY.test(head))
  const passed = keepFocused(changing, MAX.commands, { focus, textOf: ({ head }) => head })
  const searches = failed.filter(({ head }) => READS_ONLY.test(head)).slice(-MAX.commands)
  return [
    ...linesOf(failed.filter((one) => !searches.includes(one)).slice(-MAX.commands), RANK.failure),
    ...keepNewest(searches, { kind: 'command', essential: 0, rank: RANK.failure }),
    ...keepNewest(passed, { kind: 'command', essential: essentialBeside(shown), rank: RANK.success }),
  ]
}

const nameOf = (command: string): string => checkName(readCheck(command))

/** Whether a command stages files: after it, only the commit counts. */
const onlyStages = (command: string): boolean => readCheck(command).parts.every((part) => part.startsWith(STAGING))

const saysHowItEnded = ({ outcome, result }: CommandFact): boolean => outcome.kind !== 'unknown' || result !== undefined

/** What says of a check that it ran before files were changed. */
const BEFORE_EDITS = / \(before (\d{1,6}) later edits?\)$/

const writeEdits = (count: number): string =>
  count === 0 ? '' : ` (before ${count} later edit${count === 1 ? '' : 's'})`

/** Returns a statement of an earlier summary about a command with the edits since then. */
function addEdits(text: string, edits: number): string {
  const before = Number(BEFORE_EDITS.exec(text)?.[1] ?? 0)
  return isCheck(COMMAND.exec(text)?.[1] ?? '') ? text.replace(BEFORE_EDITS, '') + writeEdits(before + edits) : text
}

const writeCommand = ({ command, outcome, result, earlierResult, laterEdits = 0 }: CommandFact): Statement => {
  const printed = result === undefined ? [] : [`printed: ${result}`]
  const facts = [...writeOutcome(outcome), ...printed].join(', ')
  const before = earlierResult === undefined ? '' : `; an earlier run printed: ${earlierResult}`
  return { head: `- \`${command}\`: ${facts}${before}${writeEdits(laterEdits)}` }
}

const MAX_FIXED_COMMAND_CHARACTERS = 90

/**
 * Writes the errors of commands that passed later.
 * @param shown the steps that the course has: they say so themselves
 */
function writeFixes(course: readonly CourseStep[], shown: readonly CourseStep[]): Statement[] {
  const failing = new Set(
    course.flatMap((step) =>
      step.kind === 'command' && step.outcome.kind === 'failed' && step.isPassed !== true
        ? [step.command, step.said ?? '']
        : [],
    ),
  )
  return course.flatMap((step) => {
    if (step.kind !== 'command' || step.isPassed !== true || step.said === undefined || shown.includes(step)) return []
    // It fails again.
    if (onlyStages(step.command) || failing.has(step.said) || failing.has(step.command)) return []
    const { files = [], command = step.command } = step.fix ?? {}
    const changed = files.length === 0 ? '' : `, after changes of ${files.map(baseName).join(', ')}`
    const passed = `\`${shorten(command, MAX_FIXED_COMMAND_CHARACTERS)}\` passed later${changed}`
    return [{ head: `- Error that was fixed: ${step.said.replace(/(?<![.!?])[.!?]+$/, '')} (${passed})` }]
  })
}
