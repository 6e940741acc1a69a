import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { AgentPanel } from './agent-panel.tsx'
import { CompactPanel, optionsOf, type ResultContext } from './compact-panel.tsx'
import { Compare } from './compare.tsx'
import { Controls } from './controls.tsx'
import { Correct } from './correct.tsx'
import { EntriesPanel, useSearchKey } from './entries-panel.tsx'
import { describeEntry } from './entry-words.ts'
import { Legend, RegionLabels } from './legend.tsx'
import { SessionHeading } from './overview.tsx'
import { focusSearch } from './passage-keys.ts'
import { PromptsView, usePrompts } from './prompts.tsx'
import { Source } from './source.tsx'
import { Strip } from './strip.tsx'
import { Tabs, type TabsProps } from './tabs.tsx'
import type { ServiceFacts } from './use-access.ts'
import type { useCompactions } from './use-compactions.ts'
import { useComparison } from './use-comparison.ts'
import { useCorrection } from './use-correction.ts'
import { useLookup } from './use-lookup.ts'
import { usePastCompactions } from './use-past-compactions.ts'
import { useSelection } from './use-selection.ts'
import type { OpenedSession, SettingChanges } from './use-session.ts'

interface SessionViewProps {
  session: OpenedSession
  isBusy: boolean
  change: (changes: SettingChanges, isFinal: boolean) => Promise<void>
  compactions: ReturnType<typeof useCompactions>
  service: ServiceFacts
  onProblem: (problem: unknown) => void
}

/** An opened session: its strip, and what can be done with it. */
export function SessionView(props: SessionViewProps) {
  const { session, isBusy, change, compactions, service, onProblem } = props
  const selection = useSelection(session, onProblem)
  const { place, clearPlace } = selection
  const [tab, setTab] = useState('entries')
  const lookup = useLookup(session, onProblem)
  // A place belongs to the view in which it was chosen.
  useEffect(clearPlace, [tab])
  const [result] = compactions.results
  const isDone = result?.options.settings === session.settings
  const marks =
    tab === 'entries'
      ? { marked: lookup.entryIds, mark: lookup.entryIds && 'Has what was searched for' }
      : { marked: place?.fact.entryIds, mark: place && 'Has the path, command or quote that was clicked' }
  return (
    <section aria-label="Session" aria-busy={isBusy}>
      <SessionHeading
        {...{ session, canCompact: session.plan.firstKeptEntryId !== null && result === undefined }}
        onCompact={() => {
          setTab('compact')
          void compactions.run(session, optionsOf(session))
        }}
      />
      <StripView {...{ session, selection, isDone, ...marks }} />
      <Controls
        session={session}
        defaults={service.defaults}
        isBusy={isBusy}
        isOpen={tab === 'entries'}
        onChange={(changes, isFinal) => void change(changes, isFinal)}
      />
      <Views {...{ ...props, selection, lookup, tab, setTab }} />
    </section>
  )
}

interface ViewsProps extends Omit<SessionViewProps, 'isBusy' | 'change'> {
  selection: ReturnType<typeof useSelection>
  lookup: ReturnType<typeof useLookup>
  tab: string
  setTab: (tab: string) => void
}

/** The views of the session, of which one is shown. */
function Views({ session, compactions, service, onProblem, selection, lookup, tab, setTab }: ViewsProps) {
  const { document, entries } = session
  const [result] = compactions.results
  const prompts = usePrompts(session, { isWanted: tab === 'prompts' || result !== undefined, onProblem })
  const correction = useCorrection(result?.reply.summary)
  const comparison = useComparison(session, onProblem)
  const openSearch = useOpenSearch(setTab)
  const source = (
    <Source
      {...{ ...selection, entries, blob: document.blob, onClose: selection.clearPlace }}
      onQuery={(text) => {
        openSearch()
        lookup.start(text)
      }}
    />
  )
  const past = usePastCompactions(session, { isWanted: tab === 'agent', onProblem })
  const onLookUp = (text: string): void => {
    openSearch()
    lookup.startFact(text)
  }
  const { onFact } = selection
  const shared = { session, compactions, comparison, prompts, source, correction, past }
  const context = { ...shared, onFact, onLookUp, onProblem }
  const panels = panelsOf(context, service, <EntriesPanel {...{ session, lookup, selection }} />)
  return <Tabs panels={panels} current={tab} onChange={setTab} />
}

/** Returns a function that shows the search field and moves the focus to it: of the view that is shown, at once. */
function useOpenSearch(setTab: (tab: string) => void): () => void {
  const openSearch = (): void => {
    setTab('entries')
    focusSearch()
    requestAnimationFrame(focusSearch)
  }
  useSearchKey(openSearch)
  return openSearch
}

interface StripViewProps extends Pick<SessionViewProps, 'session'> {
  selection: ReturnType<typeof useSelection>
  isDone: boolean
  /** The entries that are marked, and what the marks mean. */
  marked: readonly string[] | undefined
  mark: string | undefined
}

/** The strip, the entry that is shown in words, and what colours and marks mean. */
function StripView({ session: { plan, entries }, selection, isDone, marked, mark }: StripViewProps) {
  const { selected, setSelected, setHovered, shown } = selection
  return (
    <>
      <div class="sticky">
        <RegionLabels entries={entries} isDone={isDone} />
        <Strip {...{ entries, selected, onSelect: setSelected, onHover: setHovered, marked }} />
        <p class="current">{describeEntry(entries[shown], shown, entries.length)}</p>
      </div>
      <Legend {...{ entries, isDone, mark }} earlierTokens={plan.previousSummaryTokens} />
    </>
  )
}

/** Returns the views of the session, by their tabs. */
const panelsOf = (
  context: ResultContext & {
    onProblem: SessionViewProps['onProblem']
    comparison: ReturnType<typeof useComparison>
    past: ReturnType<typeof usePastCompactions>
  },
  { candidates, replyForms }: ServiceFacts,
  entries: ComponentChildren,
): TabsProps['panels'] => ({
  entries: { name: 'Entries', view: () => entries },
  prompts: {
    name: 'What the model reads',
    view: () => <PromptsView reply={context.prompts} hasModel={candidates.length > 0} />,
  },
  compact: { name: 'Compact', view: () => <CompactPanel {...context} /> },
  correct: { name: 'Correct', view: () => <Correct {...context} replyForms={replyForms} /> },
  agent: { name: 'Your agent’s summary', view: () => <AgentPanel {...context} candidates={candidates} /> },
  compare: { name: 'Compare', view: () => <Compare {...context} candidates={candidates} /> },
})
