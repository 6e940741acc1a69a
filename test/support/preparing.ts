import type { FastifyInstance } from 'fastify'
import type { CompactionReply } from '../../src/schemas/compaction-reply.ts'
import type { PlanReply } from '../../src/schemas/plan.ts'
import type { PrepareReply } from '../../src/schemas/prepare.ts'
import { assistant, buildRawEntries, call, result, tokens, user, type EntryDraft } from './build-entries.ts'
import type { ReadTask } from './fake-summarizer.ts'

/** Turns of a session, each of some 190 tokens with a call: `t0` to `tN`. */
export const turns = (count: number): EntryDraft[] =>
  Array.from({ length: count }, (_, turn) => [
    user(`Request ${turn}: read file ${turn}.`),
    assistant(`I read file ${turn}.`, [call(`c${turn}`, 'read', { path: `src/file${turn}.ts` })]),
    result(`c${turn}`, `export const value${turn} = ${turn}\n${tokens(60)}`),
    assistant(`Done with ${turn}. ${tokens(90)}`),
  ]).flat()

/** Settings with a step of 300 tokens, by our estimate. */
export const SETTINGS = { keepRecentTokens: 400, contextWindow: 4000, reserveTokens: 600 }

/** The body of a session of so many turns. */
export const bodyOf = (count: number, fields: object = {}) => ({
  entries: buildRawEntries(turns(count)),
  settings: SETTINGS,
  ...fields,
})

interface Posted<T> {
  status: number
  body: T
}

/** Returns the functions that post to a service. */
export function poster(app: FastifyInstance, headers: Record<string, string> = {}) {
  const post = async <T>(url: string, payload: object, remoteAddress = '127.0.0.1'): Promise<Posted<T>> => {
    const { statusCode: status, body } = await app.inject({ method: 'POST', url, payload, headers, remoteAddress })
    return { status, body: JSON.parse(body) as T }
  }
  return {
    prepare: (payload: object) => post<PrepareReply>('/compaction/prepare', payload),
    plan: (payload: object) => post<PlanReply>('/compaction/plan', payload),
    compact: (payload: object, address?: string) =>
      post<CompactionReply & { type?: string; detail?: string }>('/compaction', payload, address),
  }
}

/** Returns a summary that has all sections, so that no model is asked to add one. */
export const writeSummary = (goal: string): string =>
  `## Goal\n${goal}\n\n## Constraints & Preferences\n- (none)\n\n## Progress\n### Done\n- The files were read.\n\n## Key Decisions\n- (none)\n\n## Next Steps\n1. Go on.\n\n## Critical Context\n- (none)`

/** A model that answers with a numbered summary, when it is told to if `isHeld`. */
export function numberedModel({ isHeld = false } = {}) {
  let calls = 0
  const held: (() => void)[] = []
  return {
    held,
    answer: async ({ kind }: ReadTask): Promise<string> => {
      calls += 1
      const number = calls
      if (isHeld)
        await new Promise<void>((resolve) => {
          held.push(resolve)
        })
      return writeSummary(`Summary ${number} of the ${kind}.`)
    },
  }
}
