import { elementsOf } from './break-session.ts'

/** What a session can have, with a sign of it in the text: all sessions of the reviewed files tell the same story. */
export const ELEMENTS: Readonly<Record<string, (input: string) => boolean>> = {
  'a side chain or a branch': (input) => /Search the folder|lexer badly/.test(input),
  'reasoning with a signature': (input) => /"c2ln|"enc-/.test(input),
  'parallel calls': (input) => input.includes('npm run spell') && /docs\.md/.test(input),
  'an image': (input) => /iVBORw0KGgo=|images\/px\.png/.test(input),
  'two compactions': (input) => input.includes('OLD SUMMARY ONE') && input.includes('OLD SUMMARY TWO'),
  'a repeated element': (input) => {
    const elements = elementsOf(input).list.map((element) => JSON.stringify(element))
    return new Set(elements).size < elements.length
  },
  'an older element that was edited': (input) => /laxer|"compacted": ?\d|thread_rolled_back|lexer badly/.test(input),
}

type Reasons = Readonly<Partial<Record<keyof typeof ELEMENTS, string>>>

const CLIENT_LIST = {
  'a side chain or a branch': 'the client sends one list of messages',
  'two compactions': 'the list has the newest summary only',
  'an older element that was edited': 'an edit leaves no trace in a list that is sent whole',
}
const UNSIGNED = { 'reasoning with a signature': 'reasoning is a text without a signature' }
const NO_TREE = { 'a side chain or a branch': 'the file is one list without parents' }
const NO_EDIT = { 'an older element that was edited': 'the client writes the element anew, so an edit leaves no trace' }
/** A test repeats an element of such a session. */
export const REFUSED = {
  'a repeated element': 'an older element that stands again at the end is refused: its id is taken',
}
const EVENTS = { ...NO_TREE, ...REFUSED, 'an older element that was edited': 'events never change' }
const DATABASE = { ...NO_TREE, 'a repeated element': 'an export of a database, where an id stands once' }

/** Why a format cannot have an element. What is not listed here must be in the input. */
export const MISSING: Readonly<Record<string, Reasons>> = {
  'claude-code': {},
  'claude-code-subagent': {
    'a side chain or a branch': 'all lines are those of one side chain',
    'an older element that was edited': 'nobody edits the prompt of a sub-agent',
  },
  codex: {},
  'codex-0.120': {},
  'codex-2025': {},
  gemini: {},
  'gemini-one-object': {
    ...NO_TREE,
    ...NO_EDIT,
    'a repeated element': 'Gemini CLI writes the whole list again, each record once',
  },
  qwen: {},
  opencode: DATABASE,
  'opencode-list': DATABASE,
  pi: REFUSED,
  'pi-version-1': { ...NO_TREE, ...NO_EDIT },
  'pi-document': REFUSED,
  cline: { ...NO_TREE, ...NO_EDIT, 'two compactions': 'the compactions of Cline are in the file beside the messages' },
  'cline-compacted': { ...NO_TREE, ...NO_EDIT, 'two compactions': 'the file has the newest compaction only' },
  'cline-legacy': { ...NO_TREE, ...NO_EDIT },
  'openhands-v1': EVENTS,
  'openhands-v1-list': EVENTS,
  'openhands-v0': EVENTS,
  atif: { ...NO_TREE, ...UNSIGNED, ...NO_EDIT, 'a repeated element': 'the number of a step stands once' },
  chat: { ...CLIENT_LIST, ...UNSIGNED },
  'chat-lines': { ...CLIENT_LIST, ...UNSIGNED },
  'ai-model': CLIENT_LIST,
  'ai-ui': CLIENT_LIST,
  'ai-ui-4': { ...CLIENT_LIST, ...UNSIGNED },
  anthropic: CLIENT_LIST,
  responses: CLIENT_LIST,
  'gemini-contents': CLIENT_LIST,
}
