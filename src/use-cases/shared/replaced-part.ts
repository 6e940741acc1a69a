import type { Agent } from '../../agents/agent.ts'
import { AGENTS } from '../../agents/agents.ts'
import { emptyDocument, parseElement } from '../../agents/shared/elements.ts'
import type { SessionRequest, SessionSource } from '../../ingest/read-request.ts'
import { fieldsOf, parseJson, type Entry } from '../../session/entry.ts'
import type { ReplacedPart } from '../../summary/looking-up.ts'
import { defined } from '../../text/defined.ts'
import { timeOfElement } from './element-time.ts'

/**
 * Returns which part of a session a summary replaces.
 * @param branch the active branch
 * @param end the position of the first entry that stays
 */
export function describeReplaced(
  { source, format }: Pick<SessionRequest<object>, 'source' | 'format'>,
  branch: readonly Entry[],
  end: number,
): ReplacedPart {
  const replaced = branch.slice(0, end)
  const timeOf = ({ range }: Entry): number | undefined =>
    timeOfElement(fieldsOf(parseJson(source.body.toString('utf8', range.start, range.end))))
  return defined({
    session: findSessionId(source, AGENTS[format ?? (source.name === 'entries' ? 'pi' : 'chat')]),
    entries: end,
    hasEarlier: branch[0]?.compaction !== undefined,
    fromMs: firstOf(replaced.slice(0, MAX_SEARCHED), timeOf),
    toMs: firstOf(replaced.slice(-MAX_SEARCHED).reverse(), timeOf),
  })
}

/** Some entries have no time, such as changes of the model. */
const MAX_SEARCHED = 20

/** An id is at the beginning of a document. */
const SEARCHED_VALUES = 20

const ID = /^[\w.:-]{1,100}$/

/** Returns the id by which the agent finds the session; undefined if the document does not say it. */
function findSessionId(source: SessionSource, { homes = [], idIn }: Agent): string | undefined {
  const { body, isLines, places } = source
  const values = places.slice(0, SEARCHED_VALUES).map((element) => parseElement(body, element))
  const readers = [...homes.flatMap(({ resume }) => resume?.idIn ?? []), ...(idIn === undefined ? [] : [idIn])]
  const ids = [...(isLines ? [] : [emptyDocument(source)]), ...values].flatMap((value) =>
    readers.map((read) => read(value)),
  )
  return ids.find((id) => typeof id === 'string' && ID.test(id)) as string | undefined
}

function firstOf<T, R>(values: readonly T[], read: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = read(value)
    if (found !== undefined) return found
  }
  return undefined
}
