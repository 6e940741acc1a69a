import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'

const closed = { additionalProperties: false }
const Text = Type.String({ minLength: 1 })

/** What is known of an item; test/fixtures/states/README.md says when each of them is right. */
const State = Type.Union([
  Type.Literal('done'),
  Type.Literal('said to be done'),
  Type.Literal('answered'),
  Type.Literal('replaced'),
  Type.Literal('open'),
  Type.Literal('unknown'),
])

const Kind = Type.Union([
  Type.Literal('request'),
  Type.Literal('wish'),
  Type.Literal('todo'),
  Type.Literal('box'),
  Type.Literal('next step'),
])

/** A request, a wish in it, an item of a todo tool, a box of a plan, or a next step of an earlier summary. */
const ItemSchema = Type.Object(
  {
    kind: Kind,
    /** Words of the session. */
    text: Text,
    /** The entry that has the words. */
    entry: Text,
    state: State,
    /** The entry that proves the state; null for what is open. */
    by: Type.Union([Text, Type.Null()]),
    why: Text,
  },
  closed,
)

const DemandSchema = Type.Object(
  {
    text: Text,
    entry: Text,
    scope: Type.Union([Type.Literal('lasting'), Type.Literal('request')]),
    /** Whether a summary of the whole session must keep it. */
    holds: Type.Boolean(),
    why: Text,
  },
  closed,
)

const FailureSchema = Type.Object(
  { text: Text, entry: Text, /** Whether it is the last state of that check. */ isCurrent: Type.Boolean(), why: Text },
  closed,
)

const StatesSchema = Type.Object(
  {
    session: Text,
    agent: Text,
    about: Text,
    items: Type.Array(ItemSchema, { minItems: 1 }),
    demands: Type.Array(DemandSchema),
    failures: Type.Array(FailureSchema),
    /** Texts that look like items or demands, and are none. */
    noItems: Type.Array(Type.Object({ text: Text, why: Text }, closed)),
  },
  closed,
)

/** The states that are right for a session, written and reviewed by people. */
export type SessionStates = Static<typeof StatesSchema>

/**
 * Reads a file of states.
 * @throws Error that names the first fault and its place
 */
export function readStates(text: string): SessionStates {
  const value: unknown = JSON.parse(text)
  const fault = Value.Errors(StatesSchema, value).First()
  if (fault !== undefined) throw new Error(`The states have a fault at ${fault.path || '/'}: ${fault.message}.`)
  return Value.Decode(StatesSchema, value)
}
