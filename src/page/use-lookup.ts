import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { RecallPassage, RecallReply } from '../schemas/recall.ts'
import { phraseOf } from './find-passage.ts'
import { sendLookup, type LookupFields } from './look-up.ts'
import type { Problems } from './use-access.ts'
import { useRunning } from './use-running.ts'
import type { OpenedSession } from './use-session.ts'

/** The passages that a look-up has found so far. */
export interface FoundPassages extends Pick<RecallReply, 'matches' | 'unknownTerms' | 'searched' | 'nextOffset'> {
  fields: LookupFields
  passages: readonly RecallPassage[]
  /** The numbers of passages by kind, without a filter; undefined if only a filtered look-up was made. */
  byKind: Readonly<Record<string, number>> | undefined
}

interface PickedPassage {
  passage: RecallPassage
  entryId: string
}

/** A search while the user types sends the session with each pause: a larger one is sent with Enter only. */
const LIVE_BYTES = 5_000_000

/** Where a look-up takes longer, another one is made with Enter only. */
const LIVE_MS = 1000

/** How long a user does not type in a pause. */
const PAUSE_MS = 300

const NO_FIELDS: LookupFields = { text: '', kind: undefined, scope: 'all' }

/** The search in the opened session: what is asked for, and what was found. */
export function useLookup(session: OpenedSession, problems: Problems) {
  const [fields, setFields] = useState(NO_FIELDS)
  const [picked, pick] = useState<PickedPassage>()
  const { found, isBusy, lastMs, search, clear } = useSearch(session, problems)
  /** Whether a text is looked up while it is typed. */
  const isLive = session.document.blob.size <= LIVE_BYTES && lastMs <= LIVE_MS
  /** Looks a text up in the whole session. */
  const start = (text: string): void => {
    const next = { ...NO_FIELDS, text }
    setFields(next)
    search(next)
  }
  return {
    ...{ fields, found, isBusy, isLive, picked, pick },
    entryIds: useMemo(() => found?.passages.flatMap(({ entryIds }) => entryIds), [found]),
    /** Changes the fields. A text is looked up after a pause, or with `submit`. */
    change: (changes: Partial<LookupFields>): void => {
      const next = { ...fields, ...changes }
      setFields(next)
      if (next.text.trim() === '') clear()
      else if (changes.text === undefined) search(next)
      else if (isLive) search(next, PAUSE_MS)
      // What another query has found would look like the answer.
      else clear()
    },
    submit: (): void => {
      if (fields.text.trim() !== '') search(fields)
    },
    start,
    startFact: useFactSearch(found, start),
    /** Looks up the next page. */
    more: (): void => {
      if (found !== undefined) search(found.fields, 0, found)
    },
  }
}

/** Returns a function that looks a fact up word for word and, where nothing has it so, by its words. */
function useFactSearch(found: FoundPassages | undefined, start: (text: string) => void): (text: string) => void {
  const fact = useRef('')
  useEffect(() => {
    if (found?.matches.some === 0 && found.fields.text === phraseOf(fact.current)) start(fact.current)
  }, [found])
  return (text) => {
    fact.current = text
    start(phraseOf(text))
  }
}

export type LookupState = ReturnType<typeof useLookup>

/** The newest search, and its result. A search ends the one before it. */
function useSearch(session: OpenedSession, { onProblem, clearProblem }: Problems) {
  const [found, setFound] = useState<FoundPassages>()
  const [lastMs, setLastMs] = useState(0)
  const { progress: isBusy = false, setProgress: setBusy, start } = useRunning<boolean>(onProblem)
  /** Ends the search before: its problem belongs to it too. */
  const begin = (): AbortSignal => {
    clearProblem()
    return start()
  }
  const run = async (fields: LookupFields, before: FoundPassages | undefined, signal: AbortSignal): Promise<void> => {
    setBusy(true)
    const startedAt = performance.now()
    try {
      const reply = await sendLookup(session, { ...fields, offset: before?.nextOffset ?? 0, signal })
      if (signal.aborted) return
      setFound((last) => (before === undefined ? firstPage(fields, reply, last) : nextPage(before, reply)))
      setLastMs(performance.now() - startedAt)
    } catch (error) {
      if (signal.aborted) return
      if (before === undefined) setFound(undefined)
      onProblem(error)
    } finally {
      if (!signal.aborted) setBusy(false)
    }
  }
  return {
    ...{ found, isBusy, lastMs },
    /** @param before the pages before this one */
    search: (fields: LookupFields, waitMs = 0, before?: FoundPassages): void => {
      const signal = begin()
      if (waitMs === 0) void run(fields, before, signal)
      else runLater(() => void run(fields, before, signal), waitMs, signal)
    },
    clear: (): void => {
      begin()
      setFound(undefined)
    },
  }
}

function runLater(run: () => void, ms: number, signal: AbortSignal): void {
  setTimeout(() => {
    if (!signal.aborted) run()
  }, ms)
}

function firstPage(fields: LookupFields, reply: RecallReply, last: FoundPassages | undefined): FoundPassages {
  const isSame = last?.fields.text === fields.text && last.fields.scope === fields.scope
  const byKind = fields.kind === undefined ? reply.matches.someByKind : isSame ? last.byKind : undefined
  return { ...reply, fields, byKind }
}

const nextPage = ({ fields, byKind, passages }: FoundPassages, reply: RecallReply): FoundPassages => ({
  ...{ ...reply, fields, byKind },
  passages: [...passages, ...reply.passages],
})
