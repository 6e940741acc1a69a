// The forms of an error in the output of a tool. Nothing else decides them; `judge-output.ts` knows the tools that count.

/** Patterns of words that say what went wrong. Each is under a part of it that is in every match, in lower case. */
const CAUSES: Readonly<Record<string, string>> = {
  error: String.raw`error|\w+Error`,
  exception: String.raw`exception|\w+Exception`,
  fail: 'fail(?:ed|ure|s)?',
  panic: 'panic(?:ked)?',
  fatal: 'fatal',
  traceback: 'traceback',
  assertion: 'assertion',
  expected: '(?:un)?expected',
  undefined: 'undefined',
  cannot: 'cannot',
  'unable to': 'unable to',
  denied: 'denied',
  refused: 'refused',
  'not found': 'not found',
  'no such': 'no such',
  'a directory': '(?:is|not) a directory',
  option: '(?:invalid|unrecognized|unknown) option',
  'segmentation fault': 'segmentation fault',
  'are ignored by': 'are ignored by',
  enoent: 'ENOENT',
  eacces: 'EACCES',
  econnrefused: 'ECONNREFUSED',
}

/**
 * Patterns of words that say that something failed, but not why: numbers of failures, exit statuses, and the code of an
 * assertion.
 */
const OUTCOMES: Readonly<Record<string, string>> = {
  error: 'errors',
  exception: 'exceptions',
  fail: 'failures',
  assert: String.raw`assert\w*`,
  exit: String.raw`exit(?:ed)?(?: with)?(?: code| status)?:? [1-9]\d*`,
}

/** The marks that test runners put before a test that failed: TAP, Mocha and Node.js, Vitest, pytest. */
const TEST_MARKS = ['not ok', '✖', '✗', '×', 'E '] as const

const CAUSE = new RegExp(String.raw`\b(?:${Object.values(CAUSES).join('|')})\b`, 'i')

const OUTCOME = new RegExp(
  String.raw`\b(?:${Object.values(OUTCOMES).join('|')})\b|^\s*(?:${TEST_MARKS.join('|')})`,
  'i',
)

/** A count of zero failures: `0 failed`, `failed=0`. */
const NONE =
  /(?<![\w.])(?:0|no) (?:tests? |examples? )?(?:fail(?:ed|ures?|s)|errors?)\b|\b(?:failed|failures?|errors?)[=:] ?0\b(?!\.)/gi

/**
 * Whether a line of a command's output says what went wrong. Lines that say only that something failed are after it, and
 * code that keeps the last lines leaves them out.
 */
export const namesCause = (line: string): boolean => CAUSE.test(line.replace(NONE, ''))

/** Whether a line reports an error in any way. */
export function isErrorLine(line: string): boolean {
  const text = line.replace(NONE, '')
  return CAUSE.test(text) || OUTCOME.test(text)
}

/** Words of which each error line has one, in lower case. */
export const ERROR_WORDS: readonly string[] = [
  ...new Set([...Object.keys(CAUSES), ...Object.keys(OUTCOMES)]),
  // As a mark, `E ` is at the beginning of a line or after white space.
  ...TEST_MARKS.flatMap((mark) => (mark === 'E ' ? ['\nE ', '\tE ', ' E '] : mark)),
]

/** Lines that say that something failed, but not why: results of a test run or of Ansible, exit statuses, headers of a diff. */
const NO_CAUSE =
  /^(?:\d\d:\d\d \+\d+ (?:~\d+ )?-\d+: Some tests failed|[A-Z]+ +- \d+ of \d+ test configurations passed|\S{1,100}\s{1,60}: ok=\d|[-+]{3} (?!FAIL)|@@|hint: |compare:|diff:|\(?(?:command )?exit(?:ed)?\b|#|npm (?:err|error)|make: \*\*\*|ℹ (?:tests|suites|pass|fail)\b|FAILED \((?:failures|errors)=|BUILD FAILED in \d|FAILURE: Build failed with an exception|> Compilation error\. See log|\d+ tests? completed, |Traceback \(most recent call last\)|\+ actual - expected|Ran \d+ tests? in |=+ \d+ (?:failed|passed)\b|\d+ (?:failed|failing|errors?)\b|\d+ passed(?: \([\d.]+m?s\))?$|(?:Execution halted|Exécution arrêtée)$)/i

/** Whether a line with a cause says only that something failed. */
export const saysOnlyThat = (line: string): boolean => NO_CAUSE.test(line)

/** `TypeError: `, `Error [ERR_CODE]: `, `fatal: ` */
const BEGINNING =
  /^(?:[\w.$]{0,100}(?:Error|Exception)(?: \[\w{1,60}\])?:(?: |$)|(?:error|fatal|failed|failure)[:!] |error - )/i

/** Whether a line begins as the error of a program does. */
export const beginsWithError = (line: string): boolean => BEGINNING.test(line)

/** Whether a line is the exception that has ended a program, and no message that the program writes. */
export const isException = (line: string): boolean =>
  /^[\w.$]{1,100}(?:Error|Exception)(?: \[\w{1,60}\])?:(?: |$)/.test(line)

/** The messages of shells and systems about a program that could not run or was stopped. */
const STOPPED =
  /^(?:[^\n]{0,200}: (?:command )?not found$|[^\n]{0,200}command not found: |[^\n]{0,200}(?:No such file or directory|Permission denied|Segmentation fault|Bus error|core dumped|Connection refused|Operation not permitted)\b|(?:Killed|Aborted)\b)/i

/** Words of lines about an error that stopped nothing. */
const HANDLED =
  /\b(?:retr(?:y|ying|ied)|recover\w*|handled|ignor\w*|(?:as|was|is) expected|expected (?:error|failure)|caught|fall(?:ing)? ?back|skip\w*|warn\w*)\b/i

/** Whether an output that ends with a line may be that of a program that has failed: others handle errors and go on. */
export const stopsProgram = (line: string): boolean =>
  (beginsWithError(line) || STOPPED.test(line)) && !HANDLED.test(line)

/** Parts of errors that prose has seldom. */
const QUOTED =
  /\b(?:[A-Z]\w*(?:Error|Exception)|E[A-Z]{4,}|failed|cannot|can't|not found|no such|undefined|unexpected|denied|refused|timed? ?out)\b/

/** Whether a quoted text is an error, and not a name or a sentence. */
export const quotesError = (quote: string): boolean => beginsWithError(quote) || QUOTED.test(quote)

/**
 * The texts that tools return in the place of a result if they could not work, or the user has refused it: opencode, Claude
 * Code, Gemini CLI, Cline, SWE-agent, Node.js, Python.
 */
const FAILED_CALL = new RegExp(
  String.raw`^(?:<\w{1,40}>)?\s{0,8}(?:${[
    String.raw`\w{0,40}error\b[^\n]{0,40}:`,
    String.raw`E(?:NOENT|ACCES|ISDIR)\b`,
    String.raw`(?:the )?(?:file|path|task)\b[^\n]{0,300}\b(?:not found|does not exist|doesn't exist)`,
    'no such ',
    String.raw`(?:could not|cannot|can't|failed to|unable to) \w`,
    String.raw`(?:invalid|unknown|missing) [^\n]{0,40}\b(?:tool|id|task|argument|parameter|status|input|value)\b`,
    'permission denied',
    String.raw`(?:the |this |your )?(?:user|operation|tool|edit|request|permission|call|todo|task)\b[^\n]{0,60}\b(?:rejected|refused|denied|declined|cancell?ed|not allowed|disabled|doesn't want)\b`,
  ].join('|')})`,
  'i',
)

/** Whether a result says only that its call has failed or was refused, where the client does not say how it ended. */
export const saysCallFailed = (output: string): boolean => FAILED_CALL.test(output)

/** The text that a client returns in the place of a result because the user has refused the call. */
const REFUSED =
  /^(?:<\w{1,40}>)?\s{0,8}(?:(?:error: )?(?:the )?user (?:has |have )?(?:doesn['’]t want to|does not want to|did not (?:approve|allow)|rejected|refused|denied|declined)\b|[^\n]{0,80}\b(?:rejected|refused|denied|declined|not approved) by (?:the )?user\b)/i

/** Whether the error of a call says that the user has refused it. */
export const saysRefused = (output: string): boolean => REFUSED.test(output)

/**
 * Lines that agents write around an output: Codex (0.120 and 0.169), Gemini CLI and Qwen Code, OpenHands, Cline, pi, and what
 * several write in the place of an empty one.
 */
const ENVELOPE = new RegExp(
  `^(?:${[
    String.raw`chunk id: \w{1,40}`,
    String.raw`wall time: [\d.]{1,20} ?s(?:econds?)?`,
    String.raw`process (?:exited with code|running with session id) -?\w{1,20}`,
    String.raw`original token count: \d{1,12}`,
    String.raw`total output lines: \d{1,12}`,
    String.raw`(?:output|stdout|stderr|error|signal|background pids|process group pgid|directory):(?: ?\((?:none|empty|root|no output)\)| \d{1,12})?`,
    String.raw`exit code: ?(?:-?\d{1,5}|\(none\))`,
    String.raw`\[(?:stdout|stderr|exit code:? ?-?\d{1,5})\]|<\/?(?:error|stdout|stderr)>|<error>command failed<\/error>`,
    String.raw`\[(?:the )?command (?:completed|finished|exited)[^\]\n]{0,80}\]`,
    String.raw`\[(?:current working directory|python interpreter): [^\]\n]{0,300}\]`,
    // The inspector of Node.js
    String.raw`debugger attached\.|waiting for the debugger to disconnect\.\.\.`,
    String.raw`command executed\.?|command execution was not successful[^\n]{0,60}`,
    // SWE-agent
    String.raw`\((?:open file|current directory): [^\n]{0,300}\)|bash-\$`,
    String.raw`\((?:no output|empty)\)|<?no output>?|\(?(?:bash|command) completed with no output\)?`,
  ].join('|')})$`,
  'i',
)

/** Whether a line, without white space around it, was written by an agent around the output of a command. */
export const isEnvelopeLine = (line: string): boolean => ENVELOPE.test(line)

/** Returns an output without the lines that an agent has written before and after it. */
export function withoutEnvelope(output: string): string {
  const lines = output.split('\n')
  const isAround = (line: string): boolean => line.trim() === '' || isEnvelopeLine(line.trim())
  let [start, end] = [0, lines.length]
  while (start < end && isAround(lines[start] ?? '')) start++
  while (end > start && isAround(lines[end - 1] ?? '')) end--
  return lines.slice(start, end).join('\n')
}
