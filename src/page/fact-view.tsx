import type { ComponentChildren } from 'preact'
import type { Fact } from '../schemas/provenance.ts'
import { counted } from '../text/numbers.ts'

interface FactViewProps {
  fact: Fact
  onFact: (fact: Fact) => void
  /** Facts that only this one of two results has. */
  own?: ReadonlySet<string> | undefined
}

/** A fact in a summary: a link to its entries, or to a search for it. */
export function FactView({ fact, onFact, own }: FactViewProps) {
  const { text, count } = fact
  const isOwn = own?.has(text) === true
  const note = isOwn ? <span class="sr"> (only in this result)</span> : null
  if (count === 0 || count === null) {
    const words = count === 0 ? 'no entry has this word for word' : 'not found; a part of the session was not searched'
    return (
      <mark class={count === 0 ? 'unknown' : 'unsearched'} tabIndex={-1}>
        <FactLink {...{ fact, onFact }} class="" title={`${words}. Click to search for it`}>
          <span class="sr">{` (${words})`}</span>
          {note}
        </FactLink>
      </mark>
    )
  }
  const title = `In ${counted(count, 'entry', 'entries')}. Click to see ${count === 1 ? 'it' : 'them'}`
  return (
    <FactLink {...{ fact, onFact, title }} class={isOwn ? 'fact is-own' : 'fact'}>
      {note}
    </FactLink>
  )
}

interface FactLinkProps extends Omit<FactViewProps, 'own'> {
  class: string
  title: string
  children?: ComponentChildren
}

/** A link to the entries of a fact. Not a button: a button does not break across lines. */
export function FactLink({ fact, class: name, title, onFact, children }: FactLinkProps) {
  return (
    <a
      href="#"
      class={name}
      title={title}
      onClick={(event) => {
        event.preventDefault()
        onFact(fact)
      }}
    >
      {fact.text}
      {children}
    </a>
  )
}
