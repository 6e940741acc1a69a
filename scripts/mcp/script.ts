import { hasTools, toolsOf, type Answer, type ModelRequest } from '../resume/fake-model.ts'

/** What a session has seen of the server. */
export interface Seen {
  /** Whether its first request with tools offered `recall`. */
  isOffered: boolean
  /** What the agent calls the tool. */
  tool?: string
  namespace?: string
  /** The calls that the model made. */
  calls: number
  /** How often the model has waited for the tool. */
  waits: number
  /** The answers of the tool, as they stood in requests. */
  answers: string[]
}

/** A word that is in the request of one session only. */
const CODE_WORD = /zebra-\d+/

/** What an answer of the server has, in whatever the agent writes around it. */
const ANSWER = /Session [^]{1,200}? of [^]{1,30}?\. Lines that begin with|Call again with \\*"session/

const MAX_WAITS = 3

/** The model of sessions in one folder: it asks for the code word of its session, and chooses a session when it is asked back. */
export class McpScript {
  readonly seen = new Map<string, Seen>()
  #calls = 0

  answer(request: ModelRequest): Answer {
    const word = wordOf(request)
    if (word === undefined || !hasTools(request)) return { text: 'A title' }
    const { tool, namespace } = findTool(request)
    const seen = this.seen.get(word) ?? { isOffered: tool !== undefined, calls: 0, waits: 0, answers: [] }
    this.seen.set(word, seen)
    if (tool !== undefined) Object.assign(seen, { tool }, namespace !== undefined && { namespace })
    const answers = request.texts.filter((text) => ANSWER.test(text))
    const answer = answers.at(-1)
    seen.answers = answers
    if (answer === undefined && seen.calls === 0) return this.#call(seen, tool, {})
    const id = answer === undefined ? undefined : idIn(answer, word)
    return id === undefined || seen.calls > 1 ? { text: 'DONE' } : this.#call(seen, tool, { session: id })
  }

  /** Some agents do not wait for their servers: the tool is in a later request. */
  #wait(seen: Seen): Answer {
    if (seen.waits === MAX_WAITS) return { text: 'DONE' }
    seen.waits += 1
    return { text: '', call: { id: `call_${++this.#calls}`, name: 'bash', args: { command: 'sleep 1' } } }
  }

  #call(seen: Seen, tool: string | undefined, args: object): Answer {
    if (tool === undefined) return this.#wait(seen)
    seen.calls += 1
    const { namespace } = seen
    const call = { id: `call_${++this.#calls}`, name: tool, args: { query: 'code word', ...args } }
    return { text: '', call: { ...call, ...(namespace !== undefined && { namespace }) } }
  }
}

/** Returns the name of `recall` in the tools of a request. */
export function findTool({ body }: ModelRequest): Pick<Seen, 'tool' | 'namespace'> {
  const tool = toolsOf(body).find((name) => /recall$/.test(name))
  if (tool !== undefined) return { tool }
  const all = (Array.isArray(body['tools']) ? body['tools'] : []) as { type?: string; name?: string }[]
  const namespace = all.find(({ type, name = '' }) => type === 'namespace' && name.includes('precis'))?.name
  return namespace === undefined ? {} : { tool: 'recall', namespace }
}

/** Returns the code word that the user of a request has said: other sessions may be quoted after it. */
const wordOf = ({ texts }: ModelRequest): string | undefined =>
  texts.flatMap((text) => (ANSWER.test(text) ? [] : (CODE_WORD.exec(text)?.[0] ?? [])))[0]

/** Returns the id of the session whose first request has a word, if an answer asks which session it is. */
function idIn(answer: string, word: string): string | undefined {
  // Cline sends the answer as JSON.
  const lines = answer.replaceAll('\\n', '\n').split('\n- ').slice(1)
  return /^[\w-]+/.exec(lines.find((one) => one.includes(word)) ?? '')?.[0]
}
