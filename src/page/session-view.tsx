import { useEffect } from 'preact/hooks'
import { optionsOf } from './compact-panel.tsx'
import { Controls } from './controls.tsx'
import { showDetail } from './entries-panel.tsx'
import { describeEntry } from './entry-words.ts'
import { Legend, RegionLabels } from './legend.tsx'
import { SessionHeading } from './overview.tsx'
import { Strip } from './strip.tsx'
import { useCompactions } from './use-compactions.ts'
import { useLookup } from './use-lookup.ts'
import { useSelection } from './use-selection.ts'
import { EDITOR } from './use-view.ts'
import { Views, type SessionViewProps } from './views.tsx'

/** An opened session: its strip, and what can be done with it. */
export function SessionView(props: SessionViewProps) {
  const { session, isBusy, change, service, onProblem, view, go } = props
  const tab = view.tab === EDITOR ? 'compact' : (view.tab ?? 'entries')
  const compactions = useCompactions(props)
  const selection = useSelection(session, onProblem)
  const { place, clearPlace } = selection
  const lookup = useLookup(session, props)
  // A place belongs to the view in which it was chosen.
  useEffect(clearPlace, [tab])
  const [result] = compactions.results
  const onCompact = (): void => {
    go({ tab: 'compact' })
    void compactions.run(session, optionsOf(session))
  }
  return (
    <section aria-label="Session" aria-busy={isBusy}>
      <SessionHeading
        {...{ session, canCompact: session.plan.firstKeptEntryId !== null && result === undefined }}
        onCompact={onCompact}
        onKeep={(keepRecentTokens) => void change({ keepRecentTokens }, true)}
      />
      <StripView
        {...{ session, selection, ...marksOf(tab, { place, lookup }) }}
        onShow={() => {
          if (tab !== 'entries') go({ tab: 'entries', from: tab })
          showDetail()
        }}
      />
      <Controls
        session={session}
        defaults={service.defaults}
        isBusy={isBusy}
        isOpen={tab === 'entries'}
        onChange={(changes, isFinal) => void change(changes, isFinal)}
      />
      <Views {...{ ...props, compactions, selection, lookup, tab }} />
    </section>
  )
}

/** Returns the entries that are marked on the strip, and what the marks mean. */
const marksOf = (
  tab: string,
  { place, lookup }: Pick<ReturnType<typeof useSelection>, 'place'> & { lookup: ReturnType<typeof useLookup> },
) =>
  tab === 'entries'
    ? { marked: lookup.entryIds, mark: lookup.entryIds && 'Has what was searched for' }
    : { marked: place?.fact.entryIds, mark: place && 'Has the path, command or quote that was clicked' }

interface StripViewProps extends Pick<SessionViewProps, 'session'> {
  selection: ReturnType<typeof useSelection>
  /** The entries that are marked, and what the marks mean. */
  marked: readonly string[] | undefined
  mark: string | undefined
  /** Shows the entry in the list of entries. */
  onShow: () => void
}

const STEPS = [
  [-1, 'Previous entry', '‹'],
  [1, 'Next entry', '›'],
] as const

/** The strip, the entry that is shown in words, and what colours and marks mean. */
function StripView({ session: { entries }, selection, marked, mark, onShow }: StripViewProps) {
  const { selected, setSelected, setHovered, shown } = selection
  return (
    <>
      <div class="sticky">
        <RegionLabels entries={entries} />
        <Strip {...{ entries, selected, onSelect: setSelected, onHover: setHovered, marked }} />
        <div class="current">
          {STEPS.map(([step, name, sign]) => (
            <button
              key={step}
              type="button"
              class="small"
              aria-label={name}
              disabled={entries[shown + step] === undefined}
              onClick={() => setSelected(shown + step)}
            >
              {sign}
            </button>
          ))}
          <p onClick={onShow}>{describeEntry(entries[shown], shown, entries.length)}</p>
        </div>
      </div>
      <Legend {...{ entries, mark }} />
    </>
  )
}
