import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { CompactPanel, optionsOf, type ResultContext } from './compact-panel.tsx'
import { Compare } from './compare.tsx'
import { Controls } from './controls.tsx'
import { Correct } from './correct.tsx'
import { EntryDetail } from './entry-detail.tsx'
import { EntryList } from './entry-list.tsx'
import { describeEntry } from './entry-words.ts'
import { Legend, RegionLabels } from './legend.tsx'
import { SessionHeading } from './overview.tsx'
import { PromptsView, usePrompts } from './prompts.tsx'
import { Source } from './source.tsx'
import { Strip } from './strip.tsx'
import { Tabs, type TabsProps } from './tabs.tsx'
import type { ServiceFacts } from './use-access.ts'
import type { useCompactions } from './use-compactions.ts'
import { useCorrection } from './use-correction.ts'
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
export function SessionView({ session, isBusy, change, compactions, service, onProblem }: SessionViewProps) {
  const { document, plan, entries } = session
  const selection = useSelection(entries, document.blob)
  const { selected, setSelected, shown, setHovered, place, clearPlace, onFact, onStep, onSearch } = selection
  const [tab, setTab] = useState('entries')
  // A place belongs to the view in which it was chosen.
  useEffect(clearPlace, [tab])
  const [result] = compactions.results
  const prompts = usePrompts(session, { isWanted: tab === 'prompts' || result !== undefined, onProblem })
  const isDone = result?.options.settings === session.settings
  const view = { entries, shown, blob: document.blob }
  const source = <Source {...view} place={place} {...{ onStep, onSearch }} onClose={clearPlace} />
  const correction = useCorrection(result?.reply.summary)
  const context = { session, compactions, prompts, onFact, source, onProblem, correction }
  const panels = panelsOf(context, service, <Entries {...view} {...{ selected, onSelect: setSelected }} />)
  return (
    <section aria-label="Session" aria-busy={isBusy}>
      <SessionHeading
        {...{ session, canCompact: plan.firstKeptEntryId !== null && result === undefined }}
        onCompact={() => {
          setTab('compact')
          void compactions.run(session, optionsOf(session))
        }}
      />
      <div class="sticky">
        <RegionLabels entries={entries} isDone={isDone} />
        <Strip {...{ entries, selected, onSelect: setSelected, onHover: setHovered }} marked={place?.fact.entryIds} />
        <p class="current">{describeEntry(entries[shown], shown, entries.length)}</p>
      </div>
      <Legend {...{ entries, isDone }} earlierTokens={plan.previousSummaryTokens} />
      <Controls
        session={session}
        defaults={service.defaults}
        isBusy={isBusy}
        isOpen={tab === 'entries'}
        onChange={(changes, isFinal) => void change(changes, isFinal)}
      />
      <Tabs panels={panels} current={tab} onChange={setTab} />
    </section>
  )
}

/** Returns the views of the session, by their tabs. */
const panelsOf = (
  context: ResultContext & { onProblem: SessionViewProps['onProblem'] },
  { candidates, replyForms }: ServiceFacts,
  entries: ComponentChildren,
): TabsProps['panels'] => ({
  entries: { name: 'Entries', view: () => entries },
  prompts: {
    name: 'What the summarizing model reads',
    view: () => <PromptsView reply={context.prompts} hasModel={candidates.length > 0} />,
  },
  compact: { name: 'Compact', view: () => <CompactPanel {...context} /> },
  correct: { name: 'Correct', view: () => <Correct {...context} replyForms={replyForms} /> },
  compare: { name: 'Compare', view: () => <Compare {...context} candidates={candidates} /> },
})

interface EntriesProps {
  entries: OpenedSession['entries']
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
