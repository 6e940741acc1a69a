import fc from 'fast-check'
import t from 'tap'
import { emptyTally } from '../src/model/summarizer.ts'
import { checkAnswers } from '../src/use-cases/shared/check-answers.ts'
import { compactSession } from '../src/use-cases/compaction/compact-session.ts'
import type { Material } from '../src/use-cases/shared/pipeline.ts'
import type { Assignment } from '../src/prompt/build-tasks.ts'
import type { CompactionReply } from '../src/schemas/compaction-reply.ts'
import { Problem } from '../src/errors.ts'
import { buildContext } from '../src/plan/region.ts'
import { readingOf, readRawMessage, readRequest } from '../src/ingest/read-request.ts'
import { EntriesFormSchema } from '../src/schemas/compaction-request.ts'
import { textOf, type Message } from '../src/session/message.ts'
import { selectBranch } from '../src/session/link-session.ts'
import { templates } from './support/templates.ts'
import { WORK_CONTEXT } from './support/work-context.ts'
import { casesOf } from './support/random-cases.ts'

const FORMS = { entries: EntriesFormSchema }
const WHOLE = readingOf(FORMS, true)
const TRIMMED = readingOf(FORMS, false)

type Kind = 'user' | 'answer' | 'call' | 'bash' | 'note' | 'meta'

/** A session that grows: every message says a number of its own, so that it can be followed. */
class Growing {
  readonly entries: Record<string, unknown>[] = []
  #number = 0

  add(entry: Record<string, unknown>): void {
    const id = `e${this.entries.length}`
    this.entries.push({ id, parentId: this.entries.at(-1)?.['id'] ?? null, ...entry })
  }

  say(kind: Kind, words: number): void {
    if (kind === 'meta') {
      this.add({ type: 'model_change', model: 'p/m' })
      return
    }
    const text = `#${this.#number++} ${'word '.repeat(words)}`
    const message = (fields: object) => {
      this.add({ type: 'message', message: fields })
    }
    if (kind === 'user') message({ role: 'user', content: text })
    if (kind === 'answer') message({ role: 'assistant', content: [{ type: 'text', text }] })
    if (kind === 'bash') message({ role: 'bashExecution', command: text, output: '', exitCode: 0 })
    if (kind === 'note') this.add({ type: 'custom_message', customType: 'note', content: text })
    if (kind !== 'call') return
    const id = `c${this.#number}`
    message({
      role: 'assistant',
      content: [
        { type: 'text', text },
        { type: 'toolCall', id, name: 'bash', arguments: {} },
      ],
    })
    message({
      role: 'toolResult',
      toolCallId: id,
      toolName: 'bash',
      content: `#${this.#number++} result`,
      isError: false,
    })
  }

  /** Reads the session as a route does. */
  read(fields: object, isWhole = false) {
    const body = Buffer.from(JSON.stringify({ entries: this.entries, ...fields }))
    return readRequest({ body, isLines: false, query: {} }, isWhole ? WHOLE : TRIMMED, services)
  }

  context() {
    const { session, source } = this.read({}, true)
    return buildContext(selectBranch(session), (entry) => readRawMessage(source, entry))
  }
}

const numbersIn = (text: string): number[] => Array.from(text.matchAll(/#(\d+) /g), ([, digits]) => Number(digits))

const spoken = (message: Message): string =>
  message.role === 'bashExecution' ? message.command : 'summary' in message ? message.summary : textOf(message.content)

const summarizedBy = ({ assignments: { history, turnPrefix } }: Material): number[] =>
  [history, turnPrefix].flatMap((assignment) =>
    assignment?.source.form === 'messages' ? assignment.source.messages.flatMap((one) => numbersIn(spoken(one))) : [],
  )

const services = { ...WORK_CONTEXT, maxSummaryTokens: 1000, windowLimitTokens: 128_000 }

/** Compacts the session with a short draft for each segment, and returns what was summarized, if anything was. */
function compact(session: Growing, keepRecentTokens: number): number[] | undefined {
  try {
    const request = session.read({ settings: { keepRecentTokens } })
    const prepared = compactSession.prepare(request, services)
    if (prepared.kind === 'lookup') throw new Error('There is no store.')
    const { material } = prepared
    const draft = ({ kind }: Assignment) => ({
      text: `## Goal\nA summary of the ${kind}.`,
      model: 'm',
      chunks: 1,
      ...emptyTally(),
    })
    const { history, turnPrefix } = material.assignments
    const drafts = { ...(history && { history: draft(history) }), ...(turnPrefix && { turnPrefix: draft(turnPrefix) }) }
    const checked = checkAnswers(material, { answers: { drafts, mayRepair: false } }, { templates, redact: true })
    if (!('drafts' in checked)) throw new Error('asks for a repair')
    const { reply } = compactSession.finish(material, checked.drafts, { ...services, startedAt: 0 })
    const { summary, firstKeptEntryId, details } = reply as CompactionReply
    session.add({ type: 'compaction', summary, firstKeptEntryId, details })
    return summarizedBy(material)
  } catch (error) {
    if (error instanceof Problem && error.type === 'nothing-to-compact') return undefined
    throw error
  }
}

const step = fc.tuple(
  fc.constantFrom<Kind>('user', 'answer', 'call', 'call', 'bash', 'note', 'meta'),
  fc.integer({ min: 0, max: 30 }),
)
const rounds = fc.array(fc.tuple(fc.array(step, { maxLength: 12 }), fc.integer({ min: 0, max: 120 })), {
  minLength: 4,
  maxLength: 4,
})

t.test(
  'after each of four compactions the context is whole: summary first, every kept message once and in order',
  async (t) => {
    let nested = 0
    fc.assert(
      fc.property(rounds, (plan) => {
        const session = new Growing()
        const summarized: number[] = []
        let compactions = 0
        let said = 0
        for (const [steps, keepRecentTokens] of plan) {
          for (const [kind, words] of steps) session.say(kind, words)
          const numbers = compact(session, keepRecentTokens)
          if (numbers !== undefined) compactions += 1
          summarized.push(...(numbers ?? []))
          const [first, ...rest] = session.context()
          const lead = JSON.stringify(first ?? '')
          if (compactions > 0 && !/<summary>/.test(lead)) return undefined
          const kept = (compactions > 0 ? rest : session.context()).flatMap((message) =>
            numbersIn(JSON.stringify(message)),
          )
          said = session.entries.flatMap((entry) =>
            numbersIn(JSON.stringify(entry['message'] ?? entry['content'] ?? '')),
          ).length
          // Nothing is dropped before it was summarized, nothing is summarized twice, all of it in order.
          if (JSON.stringify([...summarized, ...kept]) !== JSON.stringify(Array.from({ length: said }, (_, n) => n)))
            return undefined
          if (!callsStandBeforeResults(session.context())) return undefined
        }
        if (compactions === 4) nested += 1
        return true
      }),
      { seed: 11, numRuns: casesOf(120), interruptAfterTimeLimit: 60_000 },
    )
    t.ok(nested > casesOf(120) / 5, `${nested} of the sessions were compacted four times`)
  },
)

function callsStandBeforeResults(messages: ReturnType<Growing['context']>): boolean {
  const called = new Set<unknown>()
  return messages.every((message) => {
    for (const block of message.content as { type: string; id?: string }[])
      if (block.type === 'toolCall') called.add(block.id)
    return message.role !== 'toolResult' || called.has(message['toolCallId'])
  })
}
