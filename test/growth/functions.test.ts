import t from 'tap'
import { readListItems } from '../../eval/json-list.ts'
import { CLAUDE_TAGS } from '../../src/agents/apis/client-tags.ts'
import { readItems as readChatItems } from '../../src/agents/apis/read-items.ts'
import { responsesReader } from '../../src/agents/apis/responses.ts'
import { neutralizeTags } from '../../src/agents/control-tags.ts'
import { writeSummaryMessage } from '../../src/agents/own-summary.ts'
import { rawItems, rawParts } from '../../src/agents/shared/raw-json.ts'
import { withoutMarker } from '../../src/agents/summary-message.ts'
import { findForeignCalls } from '../../src/agents/transcripts/calls.ts'
import { readTranscript } from '../../src/agents/transcripts/read.ts'
import { writeSession } from '../../src/agents/native.ts'
import { Problem } from '../../src/errors.ts'
import { bansThing } from '../../src/extract/bans.ts'
import { saidOf } from '../../src/extract/blockers.ts'
import { readCheck } from '../../src/extract/checks.ts'
import { collectFiles } from '../../src/extract/collect-files.ts'
import { findCommandFiles, writtenBy } from '../../src/extract/command-files.ts'
import { findCommits, makesCommits } from '../../src/extract/commands.ts'
import { findMadeCommits, readCommitMessage } from '../../src/extract/commit-message.ts'
import { findComplaints } from '../../src/extract/complaints.ts'
import { readMissing } from '../../src/extract/done-claims.ts'
import { describeFailedTests } from '../../src/extract/failed-tests.ts'
import { isProgramMissing } from '../../src/extract/missing-program.ts'
import { replacerOf } from '../../src/model/embedded/file-edits.ts'
import { findDeclarations } from '../../src/extract/declarations.ts'
import { findDemands } from '../../src/extract/demands.ts'
import { isDocument, splitDocument } from '../../src/extract/documents.ts'
import {
  isErrorLine,
  quotesError,
  saysCallFailed,
  stopsProgram,
  withoutEnvelope,
} from '../../src/extract/error-lines.ts'
import { findErrorLines, findErrors } from '../../src/extract/find-errors.ts'
import { findWork } from '../../src/extract/find-work.ts'
import { isGoOn } from '../../src/extract/go-on.ts'
import { findOverruling, overruledBy } from '../../src/extract/overruled.ts'
import { findProjectRules } from '../../src/extract/project-rules.ts'
import { itemName } from '../../src/extract/same-words.ts'
import { rootsOf } from '../../src/extract/work-claims.ts'
import { splitPasted } from '../../src/extract/pasted.ts'
import { outcomeOf, pairCalls, pairMessages } from '../../src/extract/runs.ts'
import { searchedLines } from '../../src/extract/searched-output.ts'
import { splitCommand } from '../../src/extract/shell.ts'
import { findDecisions, findNextSteps } from '../../src/extract/statements.ts'
import { WorkNews } from '../../src/extract/work-news.ts'
import { appendFileTags, extractFileTags, readGroupedPaths, removeFileTags } from '../../src/files/file-tags.ts'
import { normalizePath, readPatchPaths } from '../../src/files/paths.ts'
import { findJsonFault } from '../../src/ingest/find-json-fault.ts'
import { readFormData } from '../../src/ingest/parse-body.ts'
import { quoteInLine, quoteLines } from '../../src/mcp/quote.ts'
import { readFocus } from '../../src/model/embedded/focus.ts'
import { parseSummary } from '../../src/model/embedded/parse-summary.ts'
import { scorePassages, splitPassages } from '../../src/model/embedded/passages.ts'
import { markSaid, markState } from '../../src/model/embedded/stale-lines.ts'
import { readUncommitted, writeUncommitted } from '../../src/model/embedded/uncommitted-files.ts'
import { writeExtract } from '../../src/model/embedded/write-extract.ts'
import type { StoredCut } from '../../src/model/sharing/stored-summary.ts'
import { sourceOf, type Assignment } from '../../src/prompt/build-tasks.ts'
import { chunkClientPrompt, joinSummaries } from '../../src/prompt/chunk-prompt.ts'
import { elideBlobs, outputCutter } from '../../src/prompt/cut-output.ts'
import { findMarks } from '../../src/prompt/find-marks.ts'
import { escapeLabels, escapePairs, escapeTags, escapeTranscript, framePrompt } from '../../src/prompt/frame-prompt.ts'
import { serializeConversation } from '../support/serialize-conversation.ts'
import { splitConversation } from '../../src/prompt/split-conversation.ts'
import { fillTemplate } from '../../src/prompt/templates.ts'
import { valueCalls } from '../../src/prompt/value-calls.ts'
import { groupCopies } from '../../src/recall/near-copies.ts'
import { outcomeTextOf } from '../../src/recall/outcome-excerpts.ts'
import type { RecalledPassage } from '../../src/recall/passage.ts'
import { parseQuery } from '../../src/recall/query.ts'
import { searchPassages } from '../../src/recall/rank.ts'
import { splitWhole } from '../../src/recall/split-whole.ts'
import { SESSION_FACT_KINDS } from '../../src/schemas/comparison.ts'
import { readCompactionText, wrapCompactionSummary } from '../../src/session/message-text.ts'
import type { Message } from '../../src/session/message.ts'
import { findDelimiter, findJsonEnd, parseToolCalls } from '../../src/session/parse-tool-calls.ts'
import { parseConversation } from '../../src/session/parse-transcript.ts'
import { findConversation } from '../../src/session/transcript.ts'
import { readAskedSections } from '../../src/summary/asked-sections.ts'
import { findClaims } from '../../src/summary/checks/claims.ts'
import { expectationsOf } from '../../src/summary/checks/expectations.ts'
import { checkGrounding } from '../../src/summary/checks/grounding.ts'
import { keepsFacts } from '../../src/summary/checks/keeps-facts.ts'
import { addSections, markUnverified } from '../../src/summary/checks/repair-by-code.ts'
import { findNumbers } from '../../src/summary/compare/find-numbers.ts'
import { findKept } from '../../src/summary/compare/kept-facts.ts'
import { carryConstraints } from '../../src/summary/constraints.ts'
import { cutAtSections } from '../../src/summary/cut-summary.ts'
import { checkDraft, extractShortSummary, takeFacts } from '../../src/summary/draft.ts'
import { writeEvidence } from '../../src/summary/evidence-section.ts'
import { collectEvidence, mergeEvidence, withoutStated } from '../../src/summary/evidence.ts'
import { findProvenance } from '../../src/summary/provenance.ts'
import { findLatestRequest, findOpenQuestion, isWordForWord } from '../../src/summary/requests.ts'
import { restoreEssentials } from '../../src/summary/restore-essentials.ts'
import { deriveShortSummary } from '../../src/summary/short-summary.ts'
import { findMissingSections, insertInSection, linesInSection, readSummary } from '../../src/summary/summary.ts'
import { writeUserMessages } from '../../src/summary/user-messages.ts'
import { withoutWaiting } from '../../src/summary/waiting-steps.ts'
import { closeMarks } from '../../src/text/close-marks.ts'
import { findBlocks, removeBlocks } from '../../src/text/find-in-text.ts'
import { Lines } from '../../src/text/lines.ts'
import { getSection, parseSections, quoteSectionLines, readHeading } from '../../src/text/sections.ts'
import {
  beginning,
  countCharacters,
  findLineStart,
  oneLine,
  shorten,
  splitText,
  truncateMiddle,
} from '../../src/text/shorten.ts'
import { saysNothing } from '../../src/text/summary-headings.ts'
import { endOfElement } from '../../src/text/tagged-text.ts'
import { compactChat } from '../../src/use-cases/chat/compact-chat.ts'
import { recognizeCompaction } from '../../src/use-cases/chat/recognize-compaction.ts'
import { findAsk, findPrompt } from '../../src/use-cases/chat/summary-prompts.ts'
import { surveyMessages } from '../../src/use-cases/compress/compress-messages.ts'
import { writeCutReply } from '../../src/use-cases/compress/write-reply.ts'
import { growthOf, MAX_GROWTH } from '../support/cpu-time.ts'
import { HOSTILE_INPUTS } from '../support/hostile-inputs.ts'
import { templates } from '../support/templates.ts'
import { WORK_CONTEXT } from '../support/work-context.ts'
import { isLeaving, isStopping, isWithdrawing } from '../../src/extract/verdict-words.ts'

const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })
const assistant = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] })

/** A command whose text and output are hostile, and that fails or not. */
const run = (id: string, text: string, isError = false): Message[] => [
  { role: 'assistant', content: [{ type: 'toolCall', id, name: 'bash', arguments: { command: text } }] },
  { role: 'toolResult', toolCallId: id, toolName: 'bash', content: [{ type: 'text', text }], isError, isPruned: false },
]

/** A file whose path, old text and new text are hostile, and a whole file. */
const change = (id: string, text: string): Message[] => [
  {
    role: 'assistant',
    content: [
      { type: 'toolCall', id, name: 'edit', arguments: { path: text, oldText: text.slice(1), newText: text } },
      { type: 'toolCall', id: `${id}w`, name: 'write', arguments: { path: 'a.ts', content: text } },
    ],
  },
  ...[id, `${id}w`].map((toolCallId): Message => ({
    role: 'toolResult',
    toolCallId,
    toolName: 'edit',
    content: [],
    isError: false,
    isPruned: false,
  })),
]

/**
 * A hostile text in each place of a session: in one long message, and line by line in many short ones. It is an eighth of the
 * text, since there are more than ten places; requests.test.ts has larger sessions.
 */
const session = (whole: string): Message[] => sessionOf(whole.slice(0, whole.length / 8))

const sessionOf = (text: string): Message[] => [
  user(text),
  assistant(text),
  ...run('a', text),
  ...run('b', text, true),
  ...change('e', text),
  ...text.split('\n', text.length / 4096).flatMap((line, index) => change(`d${index}`, line)),
  ...text
    .split('\n', text.length / 512)
    .flatMap((line, index) => [user(line), ...run(`c${index}`, line, true), ...change(`d${index}`, line)]),
  assistant(text),
]

const SERVICES = {
  ...WORK_CONTEXT,
  ...{ maxSummaryTokens: 4000, redact: false, windowLimitTokens: 128_000, transcriptTokens: 100_000 },
}

const summarizePrompt = (prompt: string) =>
  writeExtract({ kind: 'prompt', maxTokens: 4000, source: { form: 'prompt', prompt } })

const assignmentOf = (messages: readonly Message[], text: string): Assignment => ({
  kind: 'history',
  maxTokens: 4000,
  source: sourceOf(pairMessages(messages), text),
})

const draft = (text: string) => ({ ...NO_COST, text: `x${text}`, model: 'm', chunks: 1 })
const NO_COST = { calls: 0, usage: { inputTokens: 0, outputTokens: 0 }, redactions: 0 }

const FACTS = { nowMs: 0, seed: '', agent: 'pi', tokensBefore: 0, files: { readFiles: [], modifiedFiles: [] } }

/** Messages with a hostile text as the id and the name of a call, and as the address of an image. */
const keptOf = (text: string): Message[] => [
  assistant(text),
  { role: 'assistant', content: [{ type: 'toolCall', id: text, name: text, arguments: text }] },
  { role: 'user', content: [{ type: 'image', source: { type: 'image_url', image_url: text } }] },
]

/** Requests, answers, commits, tasks and boxes of a hostile text: in one piece, and line by line. */
const planned = (text: string): Message[] => [
  ...session(text),
  ...[text.slice(0, text.length / 8), ...text.split('\n', text.length / 2048)].flatMap((part, index) => [
    ...called(`t${index}`, 'todowrite', { todos: [{ content: part, status: 'completed' }] }),
    ...called(`p${index}`, 'update_todo_list', { todos: part }),
    ...called(`w${index}`, 'write', { path: 'plan.md', content: `- [ ] a\n${part}` }),
    ...called(`e${index}`, 'edit', { path: 'plan.md', oldText: '[ ] a', newText: part }),
    ...called(`g${index}`, 'bash', { command: 'git commit -am x; npm test; git reset --hard HEAD~1' }),
    assistant(`Done: ${part}`),
    user(`Skip ${part}`),
  ]),
]

const called = (id: string, name: string, values: object): Message[] => [
  { role: 'assistant', content: [{ type: 'toolCall', id, name, arguments: values }] },
  { role: 'toolResult', toolCallId: id, toolName: name, content: [], isError: false, isPruned: false },
]

const passageOf = (text: string, place: number): RecalledPassage => ({
  places: [place],
  unit: place,
  kinds: ['output'],
  lead: text.slice(0, 100),
  text,
  before: 0,
  after: 0,
})

/** Every function of these layers that reads foreign text, or writes what was read from it. */
const FUNCTIONS: Record<string, (text: string) => unknown> = {
  findAsk: (text) => text.match(/[^]{1,16384}/g)?.map(findAsk),
  findPrompt: (text) => findPrompt(`\n\n${text}${text}CONTEXT CHECKPOINT COMPACTION`),
  withoutMarker: (text) => [withoutMarker(text), withoutMarker(`hash=${'a'.repeat(23)}`.repeat(text.length / 28))],
  surveyMessages: (text) => {
    const lines = text.split('\n', text.length / 512)
    const survey = (messages: { role: string; content?: string }[], limitTokens: number): unknown => {
      const read = { fields: { messages }, body: Buffer.from(JSON.stringify({ messages })) }
      const answer = surveyMessages(read, { limitTokens, tokenDigest: text, rules: '', isBypassed: false })
      const cut: StoredCut = { state: 'ready', summary: text, tokens: 1, model: '' }
      return answer.survey.points.slice(-1).map((point) => writeCutReply(answer, { point, cut }))
    }
    return [
      survey(
        lines.flatMap((line) => [{ role: 'user', content: line }, { role: line }]),
        1,
      ),
      survey([{ role: 'user', content: text }], Math.ceil(text.length / 64)),
    ]
  },
  recognizeCompaction: (text) => [
    recognizeCompaction([{ role: 'system', text }, user(text), assistant(text), user(text)], 'on'),
    recognizeCompaction([user(`<messages>${text}</messages>${text}`)], 'on'),
  ],
  compactChat: (text) => [
    compactChat.prepare(
      { list: 'messages', messages: [user('x')], instructions: text, isStream: false, includeUsage: false },
      SERVICES,
    ),
    ...['[Bot]: ', '[Assistant tool call]: x()\n', 'Human: x\n', '<EVENT>'].map((first) =>
      readTranscript(first + text),
    ),
  ],
  findCommandFiles: (text) => findCommandFiles(splitCommand(text)),
  writtenBy: (text) => writtenBy(findCommandFiles(splitCommand(text)), splitCommand(text)),
  readUncommitted: (text) =>
    writeUncommitted(
      readUncommitted([`- Not in a commit yet, as far as the calls show: \`${text.replace(/\n/g, '` ')}`]),
    ),
  splitWhole,
  outcomeTextOf: (text) => outcomeTextOf({ ...passageOf('$ make', 1), kinds: ['failure', 'call'], outcome: text }),
  quoteLines,
  quoteInLine: (text) => quoteInLine(text, 160),
  searchPassages: (text) => {
    const passages = splitWhole(text).map((part, place) => passageOf(part.text, place))
    const words = `${text.slice(0, 60)} "${text.slice(60, 90)}" e a parseConfig`
    return groupCopies(searchPassages(passages, parseQuery(words)).hits)
  },
  findCommits,
  makesCommits: (text) => makesCommits(splitCommand(text)),
  findErrors: (text) => findErrors(text, 100),
  readCheck: (text) => readCheck(text),
  outcomeOf: (text) =>
    outcomeOf({ result: { role: 'bashExecution', command: '', output: text, cancelled: false }, command: 'make' }),
  'outcomeOf a long command': (text) =>
    outcomeOf({
      result: { role: 'bashExecution', command: '', output: 'ok', cancelled: false },
      command: `make; ${text}`,
    }),
  isErrorLine,
  quotesError,
  saysCallFailed,
  stopsProgram,
  withoutEnvelope,
  searchedLines,
  findErrorLines: (text) => {
    const lines = new Lines(text)
    return [...findErrorLines(lines, 0, lines.count)]
  },
  findDemands,
  closeMarks,
  splitPasted,
  findDecisions,
  readCommitMessage: (text) => readCommitMessage(`git commit -m "${text}"`, splitCommand(`git commit -m "${text}"`)),
  findMadeCommits: (text) => {
    const command = 'git commit -qm "x" && git log --oneline'
    return findMadeCommits(command, splitCommand(command), text)
  },
  'words about missing work': (text) => [readMissing(text), isLeaving(text), isStopping(text), isWithdrawing(text)],
  'words to go on, and bans': (text) => [isGoOn(text), bansThing(text)],
  overruledBy: (text) => overruledBy(text, findOverruling([text, ...text.split('\n')])),
  saidOf: (text) => saidOf(text, [{ sentence: text, roots: rootsOf(text) }]),
  replacerOf: (text) => replacerOf(text, `${text}x`)(text),
  findComplaints: (text) => findComplaints(text, 3),
  describeFailedTests,
  isProgramMissing: (text) => isProgramMissing(splitCommand('jest'), text),
  WorkNews: (text) => {
    const part = text.slice(0, text.length / 16)
    const news = new WorkNews(pairMessages(sessionOf(part)))
    return [
      news.uncommitted({ paths: part.split('\n', 20), hasOthers: true }),
      ...part.split('\n').map((line) => [markState(line, news), markSaid(`${line} still fails`, news)]),
    ]
  },
  findNextSteps,
  findProjectRules: (text) => findProjectRules([{ path: 'CLAUDE.md', text }], String),
  itemName,
  findDeclarations,
  findWork: (text) =>
    findWork(pairMessages(planned(text)), {
      earlier: { steps: text.split('\n').map((step) => ({ text: step, isOlder: false })), tasks: [] },
    }),
  isDocument,
  splitDocument,
  splitPassages,
  scorePassages: (text) => scorePassages(text.split('\n')),
  collectFiles: (text) => collectFiles(pairMessages(session(text))),
  normalizePath,
  readPatchPaths,
  valueCalls: (text) => valueCalls(pairMessages(run('a', text))),
  extractFileTags,
  removeFileTags,
  readGroupedPaths: (text) => readGroupedPaths(text.split('\n')),
  appendFileTags: (text) => appendFileTags(text, { readFiles: text.split('\n'), modifiedFiles: [text] }),
  summarizePrompt: (text) => summarizePrompt(text),
  summarizeConversation: (text) => summarizePrompt(`<conversation>\n${text}\n</conversation>`),
  summarizePrevious: (text) => summarizePrompt(`<previous-summary>\n${text}\n</previous-summary>`),
  summarizeSession: (text) => writeExtract(assignmentOf(session(text), text)),
  readFocus: (text) => readFocus(text)?.matchesOf(text),
  findForeignCalls,
  parseSummary,
  outputCutter: (text) => outputCutter(text)(2000),
  elideBlobs,
  chunkClientPrompt: (text) => chunkClientPrompt(text, templates),
  joinSummaries: (text) => joinSummaries(text.split('\n')),
  escapeLabels,
  escapePairs,
  escapeTags,
  framePrompt: (text) => framePrompt({ previousSummary: text, context: [text], instructions: [text] }),
  escapeTranscript,
  serializeConversation: (text) => serializeConversation(session(text), 1000),
  splitMessages: (text) => splitConversation(text, { capacityTokens: 1000, unit: 'message' }),
  splitText: (text) => splitConversation(text, { capacityTokens: 1000, unit: 'text' }),
  fillTemplate: (text) => fillTemplate(templates.focus, { focus: text }),
  parseToolCalls,
  findJsonEnd: (text) => findJsonEnd(`[${text}`, 0),
  findDelimiter: (text) => findDelimiter(text, 0),
  findJsonFault: (text) => findJsonFault(Buffer.from(`{"a": [${text}`)),
  'findJsonFault in a string': (text) => findJsonFault(Buffer.from(`{"a": "${JSON.stringify(text).slice(1)}, ${text}`)),
  parseConversation,
  findConversation,
  readCompactionText: (text) => readCompactionText(wrapCompactionSummary(text).slice(0, -1)),
  writeSession: (text) => writeSession('claude-code', { summary: text, kept: keptOf(text), facts: FACTS }),
  withoutWaiting: (text) => withoutWaiting(readSummary(`## Next Steps\n- ${text}`), user('Go on.')),
  carryConstraints: (text) =>
    carryConstraints(readSummary(text), {
      messages: session(text),
      previousSummary: readSummary(`${text}x`),
      maxTokens: 500,
    }),
  checkDraft: (text) => {
    const expected = expectationsOf(
      assignmentOf(session(text), text),
      { previousSummary: text },
      {
        templates,
        previous: readSummary(text),
      },
    )
    return checkDraft(draft(text), expected)
  },
  extractShortSummary,
  evidence: (text) => {
    const { evidence } = takeFacts(readSummary(text))
    const merged = mergeEvidence(evidence, collectEvidence(pairMessages(session(text)), evidence))
    return writeEvidence(withoutStated(merged, text), { maxTokens: 500 })
  },
  findLatestRequest: (text) => findLatestRequest(text.split('\n').map(user)) ?? findLatestRequest([user(text)]),
  findOpenQuestion: (text) => findOpenQuestion([assistant(text)]),
  findQuestion: (text) => findOpenQuestion([assistant(`${text}?`)]),
  isWordForWord: (text) => isWordForWord(text, text.slice(-500)),
  takeFacts: (text) => takeFacts(readSummary(text)),
  takeManyFacts: (text) => takeFacts(readSummary(`## Evidence\n${text.replaceAll('\n', '\n## User Messages\n')}`)),
  writeUserMessages: (text) => writeUserMessages({ texts: text.split('\n'), leftOut: 0 }, 1000),
  restoreEssentials: (text) =>
    restoreEssentials(
      { history: readSummary(text), turnPrefix: readSummary(text) },
      {
        history: session(text),
        turnPrefix: [assistant(`${text}?`)],
        kept: [],
        runs: pairCalls(session(text)),
        previousSummary: readSummary(`${text}x`),
        ...takeFacts(readSummary(text)),
        hasSections: true,
        limitTokens: 8000,
      },
    ),
  cutAtSections: (text) => cutAtSections(readSummary(text), 1000),
  findMissingSections: (text) => findMissingSections(readSummary(text), ['## Goal', '## Next Steps']),
  insertInSection: (text) => insertInSection(readSummary(text), '## Goal', { lines: ['x'], after: '## Next' }),
  linesInSection: (text) => linesInSection(readSummary(text), '## Goal'),
  quoteSectionLines,
  readAskedSections: (text) => readAskedSections(`<conversation></conversation>${text}`),
  deriveShortSummary: (text) => deriveShortSummary(readSummary(text)),
  checkGrounding: (text) => checkGrounding(text, [`${text}x`]),
  checkGroundingInParts: (text) => checkGrounding(text, text.split('\n')),
  findClaims,
  findMarks,
  findProvenance: (text) =>
    findProvenance({ summary: text, details: { readFiles: [], modifiedFiles: [] } }, [
      { id: 'a', message: user(text) },
      ...run('b', text).map((message, index) => ({ id: `b${index}`, message })),
    ]),
  markUnverified: (text) => markUnverified(text, [...findClaims(text).map((claim) => claim.text), 'src/a.ts']),
  addSections: (text) =>
    addSections(readSummary(text), ['## Goal', '### Done'], { headings: ['## Goal', '### Done'], request: text }),
  findNumbers,
  findKept: (text) =>
    findKept(
      SESSION_FACT_KINDS.map((kind) => ({ kind, text: text.slice(0, 240), entryIds: [] })),
      text,
    ),
  keepsFacts: (text) => keepsFacts({ text, findings: {} }, { text }),
  findBlocks: (text) => removeBlocks(text, findBlocks(text, /<[a-z_]+>/, '</x>')),
  getSection: (text) => getSection(parseSections(text), '## Goal'),
  readHeading: (text) => readHeading(`# ${text}`),
  oneLine,
  beginning: (text) => beginning(text, 500),
  shorten: (text) => shorten(text, 500),
  countCharacters,
  truncateMiddle: (text) => truncateMiddle(text, 500),
  findLineStart: (text) => findLineStart(text, 0),
  saysNothing,
  readItems: readListItems,
  endOfElement: (text) => endOfElement(`<tick ${text}`, ['tick']) + endOfElement(`<tick>${text}`, ['tick']),
  neutralizeTags: (text) => neutralizeTags(text, CLAUDE_TAGS),
  rawParts: (text) => rawParts(`{"a":[${JSON.stringify(text)}],"b":${JSON.stringify(text)}}`),
  rawItems: (text) => rawItems(`[${'[1],'.repeat(text.length / 8)}${JSON.stringify(text)}]`),
  splitParts: (text) => splitText(text, 2),
  readFormData: readForms,
}

/** Forms whose document, header and boundary are hostile. */
function readForms(text: string): void {
  const name = 'Content-Disposition: form-data; name="session"'
  const forms = [
    [`--b\r\n${name}\r\n\r\n${text}\r\n--b--`, 'b'],
    [`--b\r\n${name}${text}\r\n\r\n\r\n--b--`, 'b'],
    [`--b\r\n${name}\r\n\r\n${'\r\n--aaaaaaaaaaaaaaaaaaaaa'.repeat(text.length / 24)}`, `${'a'.repeat(60)}b`],
  ] as const
  for (const [body, boundary] of forms)
    try {
      readFormData(Buffer.from(body), boundary)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
}

/**
 * Large enough for quadratic time to be seen, and to be past the limits within which some functions are quadratic: with half of
 * it, five of them seem to be.
 */
const SIZE = 32 * 1024

/** Work of this much CPU time for the long text, in milliseconds, is not quadratic in any way that matters. */
const MEASURABLE_MS = 50

/** Each hostile text in two lengths, and a third if it is needed. They are written once: all functions read the same strings. */
const TEXTS = HOSTILE_INPUTS.map(([input, text]) => ({
  input,
  texts: { short: text(SIZE), long: text(4 * SIZE), longest: () => text(16 * SIZE) },
}))

for (const [name, work] of Object.entries(FUNCTIONS))
  t.test(`${name} takes linear time for any text`, async (t) => {
    const grown = TEXTS.map(
      ({ input, texts }) => [input, growthOf({ work, ...texts, measurableMs: MEASURABLE_MS })] as const,
    )
    t.same(
      grown.filter(([, growth]) => growth > MAX_GROWTH),
      [],
    )
  })

t.test('a chat takes linear time, however many compactions it has', async (t) => {
  const summary = { role: 'user', content: writeSummaryMessage('x') }
  const read = (text: string) =>
    readChatItems(
      Array.from(text, () => summary),
      responsesReader,
    )
  const [short, long] = ['x'.repeat(SIZE / 4), 'x'.repeat(SIZE)]
  t.ok(growthOf({ work: read, short, long }) <= MAX_GROWTH)
})
