import type { SessionItem } from '../schemas/items.ts'

/** A state of items, as the page shows it. */
export interface StateGroup {
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
export const STATE_GROUPS: readonly StateGroup[] = [
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
  { name: 'Answered', sign: '↩', meaning: 'the user went on', has: inState('answered') },
  { name: 'Replaced', sign: '✕', meaning: 'the user wants it no more', has: inState('replaced') },
  { name: 'State unknown', sign: '?', meaning: 'nothing shows it', has: inState('unknown') },
]
