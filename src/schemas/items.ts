import { Type, type Static } from '@sinclair/typebox'
import { describedOneOf, Flag, oneOf, Text } from './typebox.ts'

/** The kinds of items of work, in the order in which a reply has them. */
export const ITEM_KINDS = ['request', 'wish', 'task', 'box', 'step'] as const

export const ItemSchema = Type.Object(
  {
    kind: oneOf(...ITEM_KINDS),
    text: Text('The item on one line, shortened, without secrets.'),
    state: describedOneOf(
      '`open`: it is not done where the summary ends; `note` says if the messages that stay answer it. `said`: the agent says that it is done. `done`: a list of tasks, or a ticked box, says so. `answered`: the agent has answered, and the user went on; nothing says that it is done. `replaced`: the user wants it no more, has undone it, or has asked for it again in other words. `unknown`: nothing of these.',
      ...(['open', 'said', 'done', 'answered', 'replaced', 'unknown'] as const),
    ),
    isOlder: Type.Optional(
      Flag('True if nothing mentions it since the newest request that was answered: an open item may be done by now.'),
    ),
    entryId: Type.Optional(Text('The entry that has it first; the previous compaction, if its summary names it.')),
    stateEntryId: Type.Optional(Text('The entry that shows its state, such as the result of a call or an answer.')),
    note: Type.Optional(Text('Why it is in this state, if that does not follow from the state.')),
    source: Type.Optional(Text('The tool that keeps the list of the task, or the file with the box.')),
  },
  { title: 'Item' },
)
export type SessionItem = Static<typeof ItemSchema>
