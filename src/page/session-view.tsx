import { useMemo, useRef, useState } from 'preact/hooks'
import type { Fact } from '../schemas/provenance.ts'
import { CompactPanel } from './compact-panel.tsx'
import { Compare } from './compare.tsx'
import { Correct } from './correct.tsx'
import { Controls } from './controls.tsx'
import { EntryDetail } from './entry-detail.tsx'
import { EntryList } from './entry-list.tsx'
import { describeEntry } from './entry-words.ts'
import { Overview } from './overview.tsx'
import { Prompts, usePrompts } from './prompts.tsx'
import { Strip } from './strip.tsx'
import { Tabs } from './tabs.tsx'
import type { ServiceFacts } from './use-access.ts'
import type { useCompactions } from './use-compactions.ts'
import type { OpenSession, Settings } from './use-session.ts'

interface SessionViewProps {
  session: OpenSession
  isBusy: boolean
  change: (changes: Settings, isFinal: boolean) => Promise<void>
  compactions: ReturnType<typeof useCompactions>
  service: ServiceFacts
  onProblem: (problem: unknown) => void
}

/** An opened session: its strip, and what can be done with it. */
export function SessionView({ session, isBusy, change, compactions, service, onProblem }: SessionViewProps) {
  const { document, plan, entries } = session
  const [selected, setSelected] = useState(0)
  const [hovered, setHovered] = useState<number>()
  const [tab, setTab] = useState('entries')
  const [result] = compactions.results
  const isWanted = tab === 'prompts' || (result !== undefined && plan.hasPreviousSummary)
  const prompts = usePrompts(session, { isWanted, onProblem })
  const onFact = useFactCursor(entries, setSelected)
  const shown = Math.min(hovered ?? selected, entries.length - 1)
  const context = { session, compactions, previousSummary: prompts?.previousSummary, onFact }
  const panels = {
    entries: {
      name: 'Entries',
      view: () => <Entries {...{ entries, selected, onSelect: setSelected, shown }} blob={document.blob} />,
    },
    prompts: { name: 'What the model will read', view: () => <Prompts reply={prompts} /> },
    compact: { name: 'Compact', view: () => <CompactPanel {...context} /> },
    correct: { name: 'Correct', view: () => <Correct {...context} {...service} onProblem={onProblem} /> },
    compare: { name: 'Compare', view: () => <Compare {...context} {...service} /> },
  }
  return (
    <section aria-label="Session" aria-busy={isBusy}>
      <h2>{document.name}</h2>
      <Overview plan={plan} entries={entries} hasFacts={result !== undefined} />
      <div class="sticky">
        <Strip
          {...{ entries, selected, onSelect: setSelected, onHover: setHovered }}
          entryFacts={result?.reply.provenance?.entryFacts}
        />
        <p class="current">{describeEntry(entries[shown], shown, entries.length)}</p>
      </div>
      {tab === 'entries' ? null : <ShownEntry {...{ entries, shown }} blob={document.blob} />}
      <Controls session={session} onChange={(changes, isFinal) => void change(changes, isFinal)} />
      <Tabs panels={panels} current={tab} onChange={setTab} />
    </section>
  )
}

/** The entry that a fact has led to, where no list of entries is shown. */
function ShownEntry({ entries, shown, blob }: Pick<EntriesProps, 'entries' | 'shown' | 'blob'>) {
  return (
    <details>
      <summary>Show this entry</summary>
      <EntryDetail entry={entries[shown]} index={shown} total={entries.length} blob={blob} />
    </details>
  )
}

interface EntriesProps {
  entries: OpenSession['entries']
  selected: number
  onSelect: (index: number) => void
  /** The entry that is shown: the one under the pointer, or the selected one. */
  shown: number
  blob: Blob
}

function Entries({ entries, selected, onSelect, shown, blob }: EntriesProps) {
  return (
    <div class="columns">
      <EntryList entries={entries} selected={selected} onSelect={onSelect} />
      <EntryDetail entry={entries[shown]} index={shown} total={entries.length} blob={blob} />
    </div>
  )
}

/** Returns a function that selects the next entry of a fact, each time it is called. */
function useFactCursor(entries: OpenSession['entries'], select: (index: number) => void): (fact: Fact) => void {
  const indexes = useMemo(() => new Map(entries.map(({ id }, index) => [id, index])), [entries])
  const last = useRef({ text: '', at: -1 })
  return ({ text, entryIds }) => {
    const at = last.current.text === text ? (last.current.at + 1) % entryIds.length : 0
    last.current = { text, at }
    const index = indexes.get(entryIds[at] ?? '')
    if (index !== undefined) select(index)
  }
}
