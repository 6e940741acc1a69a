import type { ComponentChildren } from 'preact'
import type { Fact } from '../schemas/provenance.ts'
import { FactLink } from './fact-view.tsx'
import { showSource } from './source.tsx'

export interface FactListeners {
  /** Shows an entry. */
  onFact: (fact: Fact) => void
  /** Looks a text up in the session. */
  onLookUp: (text: string) => void
}

interface LostFactProps extends FactListeners {
  text: string
  /** The entries that have it. Without one, it is searched for. */
  entryIds?: readonly string[] | undefined
  /** What the fact is. */
  lead?: string
  children?: ComponentChildren
}

/** A fact that was lost: a link to its entry, and what leads to the passages of the session that have it. */
export function LostFact({ text, entryIds = [], lead, onFact, onLookUp, children }: LostFactProps) {
  const fact: Fact = { text, kind: 'quote', entryIds: [...entryIds], count: entryIds.length || null }
  return (
    <li class="lost-fact">
      <span>
        {lead === undefined ? null : <span class="hint">{lead}</span>}
        <FactLink
          class="fact"
          fact={fact}
          title="Show its entry"
          onFact={(shown) => {
            onFact(shown)
            showSource()
          }}
        />
      </span>
      <button type="button" class="small" aria-label={`Look it up: ${text}`} onClick={() => onLookUp(text)}>
        Look it up
      </button>
      {children}
    </li>
  )
}
