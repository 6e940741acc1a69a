import { answerFrom } from '../src/mcp/answer-call.ts'
import { TOOLS, type ToolName } from '../src/mcp/tools.ts'
import { fieldsOf, isObject, NO_RANGE, parseJson, type Entry } from '../src/session/entry.ts'
import { estimateTextTokens } from '../src/tokens/estimate-tokens.ts'
import { readSearched } from '../src/use-cases/recall/searched.ts'
import type { Ask } from './ask-model.ts'
import type { SessionCut, SessionFile } from './session.ts'

/** Returns the answer to a call of a tool. */
type AnswerCall = (name: ToolName, args: Readonly<Record<string, unknown>>) => string

/** What a reader has looked up: the number of its calls, and the tokens of these and their answers. */
export interface LookUpTally {
  calls: number
  tokens: number
}

/** Returns the function that looks things up in what the summary replaces, as `precis mcp` does: nothing after the cut is there. */
export function openLookUps({ branch, text, name }: SessionFile, { index }: SessionCut, redact: boolean): AnswerCall {
  const body = Buffer.from(text)
  const all = [...branch.slice(0, index), REPLACED]
  const searched = readSearched({ entries: all, branch: all, bodyOf: () => body }, redact)
  const stored = { agent: 'the agent', id: name, modifiedMs: 0, project: () => undefined }
  return (tool, args) => answerFrom({ ...searched, stored, unread: [] }, { name: tool, args })
}

/** Stands for the compaction whose summary is evaluated. */
const REPLACED: Entry = {
  ...{ id: 'compaction', parentId: null, type: 'compaction', index: -1, range: NO_RANGE },
  compaction: { summary: '', isOpaque: false },
}

/** The look-ups of one reader: it asks for them in its replies, and the next prompt has their answers. */
export class ReaderLookUps {
  /** The description of the tools for the reader. */
  readonly tools = describeTools()
  /** The most calls. */
  readonly most: number
  readonly tally: LookUpTally = { calls: 0, tokens: 0 }
  readonly #answer: AnswerCall
  readonly #earlier: string[] = []

  constructor(answer: AnswerCall, most: number) {
    this.#answer = answer
    this.most = most
  }

  /** Returns the first reply that looks nothing up. What was looked up before is in each prompt. */
  async ask(prompt: string, ask: Ask): Promise<string> {
    for (;;) {
      const reply = await ask([prompt, ...this.#earlier, ...this.#whatIsLeft()].join('\n\n'))
      const calls = readCalls(reply).slice(0, this.most - this.tally.calls)
      if (calls.length === 0) return reply
      for (const call of calls) this.#make(call)
    }
  }

  #make({ line, name, args }: Call): void {
    const answer = this.#answerOf(name, args)
    this.tally.calls += 1
    this.tally.tokens += estimateTextTokens(line) + estimateTextTokens(answer)
    this.#earlier.push(`=== Call ${this.tally.calls}: ${line} ===\n\n${answer}`)
  }

  #answerOf(name: ToolName, args: unknown): string {
    if (!isObject(args)) return 'Error: the arguments are not a JSON object on one line.'
    try {
      return this.#answer(name, fieldsOf(args))
    } catch (error) {
      return `Error: ${error instanceof Error ? error.message : String(error)}`
    }
  }

  #whatIsLeft(): string[] {
    if (this.#earlier.length === 0) return []
    const left = this.most - this.tally.calls
    return [
      left === 0
        ? '=== No calls are left: reply with the JSON array. ==='
        : `=== ${left} calls are left: reply with more of them, or with the JSON array. ===`,
    ]
  }
}

interface Call {
  line: string
  name: ToolName
  /** Undefined if they are not JSON. */
  args: unknown
}

const CALL = /^[\s`*-]*(LOOK UP (recall|outline|read_entries)\b(.*))$/

/** Returns the calls in a reply, each on a line of its own; none if it has answers. */
function readCalls(reply: string): Call[] {
  return reply.split('\n').flatMap((text): Call[] => {
    const [, line, name, args = ''] = CALL.exec(text) ?? []
    if (line === undefined) return []
    const json = args.slice(0, args.lastIndexOf('}') + 1)
    return [{ line: line.trim(), name: name as ToolName, args: json === '' ? {} : parseJson(json) }]
  })
}

/** Returns the tools as `precis mcp` describes them to a model, without the choice of a session: there is only one. */
function describeTools(): string {
  const tools = Object.entries(TOOLS).map(([name, { description, properties }]) => {
    const { session: _session, ...others } = properties
    return `${name}: ${description}\nIts arguments: ${JSON.stringify(others)}`
  })
  return tools.join('\n\n')
}
