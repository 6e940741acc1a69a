import { useMemo, useState } from 'preact/hooks'
import type { SessionItem } from '../schemas/items.ts'
import type { Fact } from '../schemas/provenance.ts'
import { count } from '../text/numbers.ts'
import { InlineText } from './inline-text.tsx'
import { showSource } from './source.tsx'
import type { Compaction } from './use-compactions.ts'

interface ItemsProps {
  result: Compaction
  /** Shows an entry. */
  onFact: (fact: Fact) => void
}

/** The requests, tasks and steps of the summarized entries by their states, each with the entries where it comes from. */
export function Items({ result: { reply, entries }, onFact }: ItemsProps) {
  const places = useMemo(() => new Map(entries.map(({ id }, index) => [id, index])), [entries])
  const groups = STATE_GROUPS.map((group) => ({ group, items: reply.items?.filter(group.has) ?? [] })).filter(
    ({ items }) => items.length > 0,
  )
  if (groups.length === 0) return null
  return (
    <section class="items" aria-label="What was asked for and planned">
      <h3>What was asked for and planned</h3>
      <p class="hint">
        As it stands where the summary ends: the entries that stay may be further. Code reads it from lists, boxes and
        words.
      </p>
      {groups.map(({ group, items }, at) => (
        <ItemGroup key={group.name} isFirst={at === 0} {...{ group, items, places, onFact }} />
      ))}
    </section>
  )
}

interface ItemGroupProps extends Pick<ItemsProps, 'onFact'> {
  group: StateGroup
  items: readonly SessionItem[]
  places: ReadonlyMap<string, number>
  isFirst: boolean
}

function ItemGroup({ group: { name, sign, meaning }, items, isFirst, ...context }: ItemGroupProps) {
  const [isOpen, setOpen] = useState(isFirst)
  return (
    <details open={isFirst} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="item-sign" aria-hidden="true">
          {sign}
        </span>
        <strong>{`${name}: ${count(items.length)}`}</strong>
        <span class="hint">{` ${meaning}`}</span>
      </summary>
      {isOpen ? (
        <ul>
          {items.map((item, index) => (
            <ItemView key={index} item={item} {...context} />
          ))}
        </ul>
      ) : null}
    </details>
  )
}

const KIND_NAMES_OF_ITEMS: Readonly<Record<SessionItem['kind'], string>> = {
  request: 'Request',
  wish: 'Wish in a request',
  task: 'Task',
  box: 'Box',
  step: 'Next step',
}

function ItemView({ item, places, onFact }: Pick<ItemGroupProps, 'places' | 'onFact'> & { item: SessionItem }) {
  const { kind, text, source, note, entryId, stateEntryId } = item
  const link = { text, places, onFact }
  return (
    <li>
      <p class="item-text">
        <InlineText text={text} />
      </p>
      <p class="hint">
        {`${KIND_NAMES_OF_ITEMS[kind]}${source === undefined ? '' : ` of ${source}`}`}
        <EntryLink {...link} id={entryId} lead="" />
        <EntryLink {...link} id={stateEntryId} lead="state shown by " />
        {note === undefined ? null : <InlineText text={` · ${note}`} />}
      </p>
    </li>
  )
}

interface EntryLinkProps extends Pick<ItemGroupProps, 'places' | 'onFact'> {
  text: string
  id: string | undefined
  lead: string
}

function EntryLink({ text, id = '', lead, places, onFact }: EntryLinkProps) {
  const place = places.get(id)
  if (place === undefined) return null
  return (
    <>
      {` · ${lead}`}
      <button
        type="button"
        class="link"
        onClick={() => {
          onFact({ text, kind: 'quote', entryIds: [id], count: 1 })
          showSource()
        }}
      >
        {`${lead === '' ? 'Entry' : 'entry'} ${place + 1}`}
      </button>
    </>
  )
}

/** A state of items, as the page shows it. */
interface StateGroup {
  name: string
  sign: string
  /** What the state means, after its name and number. */
  meaning: string
  has: (item: SessionItem) => boolean
}

const inState =
  (wanted: SessionItem['state']) =>
  ({ state }: SessionItem): boolean =>
    state === wanted

/** The states in the order in which a reader needs them. */
const STATE_GROUPS: readonly StateGroup[] = [
  {
    name: 'Open',
    sign: '○',
    meaning: 'not done yet',
    has: ({ state, isOlder }) => state === 'open' && isOlder !== true,
  },
  {
    ...{ name: 'Open when last mentioned', sign: '◌', meaning: 'later work may have done it' },
    has: ({ state, isOlder }) => state === 'open' && isOlder === true,
  },
  { name: 'Said to be done', sign: '◐', meaning: 'by the agent alone', has: inState('said') },
  { name: 'Done', sign: '●', meaning: 'by a list or a ticked box', has: inState('done') },
  { name: 'Answered', sign: '↩', meaning: 'by later messages', has: inState('answered') },
  { name: 'Replaced', sign: '✕', meaning: 'the user wants it no more, or has undone it', has: inState('replaced') },
  { name: 'State unknown', sign: '?', meaning: 'nothing shows it', has: inState('unknown') },
]
