import type { OpenedSession, SettingChanges } from './use-session.ts'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { AgentPanel } from './agent-panel.tsx'
import { CompactPanel } from './compact-panel.tsx'
import { Compare } from './compare.tsx'
import { EntriesPanel, useSearchKey } from './entries-panel.tsx'
import { focusSearch } from './passage-keys.ts'
import { PromptsView } from './prompts.tsx'
import type { ResultContext } from './result-view.tsx'
import { Source } from './source.tsx'
import { hasSummary } from './strip-layout.ts'
import { Tabs, type TabsProps } from './tabs.tsx'
import type { Problems, ServiceFacts } from './use-access.ts'
import type { useCompactions } from './use-compactions.ts'
import { useComparison } from './use-comparison.ts'
import { useCorrection } from './use-correction.ts'
import type { useLookup } from './use-lookup.ts'
import { usePlanPart } from './use-plan-part.ts'
import type { useSelection } from './use-selection.ts'
import type { ShownView } from './use-view.ts'

export interface SessionViewProps extends Problems {
  session: OpenedSession
  isBusy: boolean
  change: (changes: SettingChanges, isFinal: boolean) => Promise<void>
  service: ServiceFacts
  view: ShownView
  go: (view: ShownView) => void
  /** Whether the correction was edited: the caller asks before it is lost. */
  isEdited: { current: boolean }
}

interface ViewsProps extends Omit<SessionViewProps, 'isBusy' | 'change'> {
  compactions: ReturnType<typeof useCompactions>
  selection: ReturnType<typeof useSelection>
  lookup: ReturnType<typeof useLookup>
  tab: string
}

/** The views of the session, of which one is shown. */
export function Views(props: ViewsProps) {
  const { session, compactions, service, onProblem, selection, lookup, tab, view, go, isEdited } = props
  const { document, entries } = session
  const [result] = compactions.results
  const prompts = usePlanPart('prompts', session, { isWanted: tab === 'prompts' || result !== undefined, onProblem })
  const correction = useCorrection(result?.reply.summary, { view, go })
  isEdited.current = correction.isEdited || result?.reply.report.model === 'caller'
  useLossWarning(result !== undefined)
  const comparison = useComparison(session, onProblem)
  const openSearch = useOpenSearch(tab, go)
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
  const shared = { session, compactions, comparison, prompts, source, correction, past }
  const { candidates, replyForms } = service
  const context = { ...shared, candidates, replyForms, onFact: selection.onFact, onLookUp, onProblem }
  const shown = <EntriesPanel {...{ session, lookup, selection, isLookUp: view.from !== undefined }} />
  return <Tabs panels={panelsOf(context, shown)} current={tab} onChange={(next) => go({ tab: next })} />
}

const NO_SETTINGS = {}

/** Returns what each compaction of a session dropped; undefined until it has arrived, and where it has fewer than two of them. */
function usePastCompactions({ document, entries }: OpenedSession, options: Parameters<typeof usePlanPart>[2]) {
  const isWanted = options.isWanted && entries.filter(hasSummary).length > 1
  const plan = usePlanPart('compactions', { document, settings: NO_SETTINGS }, { ...options, isWanted })
  return plan?.compactions === undefined || plan.compactions.length < 2 ? undefined : plan.compactions
}

/** Has the browser ask before a result is lost with the page. */
function useLossWarning(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return
    const ask = (event: Event): void => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isNeeded])
}

/** Returns a function that shows the search field and moves the focus to it, before another key can be typed. */
function useOpenSearch(tab: string, go: (view: ShownView) => void): () => void {
  const openSearch = (): void => {
    if (tab !== 'entries') go({ tab: 'entries', from: tab })
    // A view is drawn in a microtask that is queued when it is chosen (Preact 11, component.js).
    queueMicrotask(focusSearch)
  }
  useSearchKey(openSearch)
  return openSearch
}

/** Returns the views of the session, by their tabs. */
const panelsOf = (
  context: ResultContext &
    Pick<ServiceFacts, 'candidates'> & {
      comparison: ReturnType<typeof useComparison>
      past: ReturnType<typeof usePastCompactions>
    },
  entries: ComponentChildren,
): TabsProps['panels'] => ({
  entries: { name: 'Entries', view: () => entries },
  prompts: {
    name: 'What the model reads',
    view: () => <PromptsView reply={context.prompts} hasModel={context.candidates.length > 0} />,
  },
  compact: { name: 'Compact', view: () => <CompactPanel {...context} /> },
  agent: { name: 'Your agent’s summary', view: () => <AgentPanel {...context} /> },
  compare: { name: 'Another version', view: () => <Compare {...context} /> },
})
