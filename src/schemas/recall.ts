import { Type, type Static } from '@sinclair/typebox'
import { sessionForms } from './compaction-request.ts'
import { RequestReportSchema } from './ignored.ts'
import { RECALL_KINDS, RECALL_ORDERS, RECALL_SCOPES } from './recall-kinds.ts'
import { describedOneOf, Flag, Integer, oneOf, Text } from './typebox.ts'

const KindSchema = oneOf(...RECALL_KINDS)

const MOMENT =
  'An entry id, or its beginning; a time (RFC 3339, without a zone in UTC; a date is its first moment), where the format has times; or `compaction:2`, the second compaction of the branch, whose summary is on neither side of it.'

const lookupFields = {
  query: Type.Optional(
    Text(
      'Words, and `"exact phrases"` in double quotes. Signs such as `=>` are words too; punctuation (`,;:!?().`) at the end of a word, or alone, counts only in a phrase. The first 24 words and 8 phrases count. ' +
        'Case does not count (`GRÖSSE` finds `Größe`), nor how Unicode writes a character (`４２` is 42). A word finds longer ' +
        'ones that begin with it, and names that contain it: `config` finds `parseConfig`, `parseConfig` finds ' +
        '`parse_config`. Typographic quotation marks, apostrophes and hyphens are the same as those of a keyboard. Phrases narrow the search to passages with at least one of them; a phrase that occurs nowhere ' +
        'does not.',
      { maxLength: 1000 },
    ),
  ),
  entryIds: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 100,
      description:
        'The ids of the entries to be returned; with a query, only these entries are searched. At least the first 8 characters ' +
        'of an id are enough, where no other id begins with them.',
    }),
  ),
  around: Type.Optional(
    Integer('Only with `entryIds`: so many entries before and after each, too.', { minimum: 0, maximum: 50 }),
  ),
  kinds: Type.Optional(
    Type.Array(KindSchema, {
      description:
        'Only passages of one of these kinds. A `request` has only words of the user; a `failure` is a call that has failed, or that the user has stopped. A `call` and an `edit` are found by what was called, and not by what it returned; an `output` also by its call, which says what it is the output of.',
    }),
  ),
  tool: Type.Optional(Text('Only calls of the tool with this name, and their outputs.')),
  path: Type.Optional(
    Text(
      'Only calls that read or change a file whose path has this text. Neither case nor the direction of slashes counts.',
    ),
  ),
  before: Type.Optional(Text(`Only what stands before this. ${MOMENT}`)),
  after: Type.Optional(Text(`Only what stands after this. ${MOMENT}`)),
  order: Type.Optional(
    describedOneOf('Default: `relevance`. Without a query, the newest passages come first.', ...RECALL_ORDERS),
  ),
  scope: Type.Optional(
    describedOneOf(
      '`replaced` (default): what the agent no longer sees, which is all before the last compaction or reset, and branches that were left, but not the newest summary. `all`: the whole session.',
      ...RECALL_SCOPES,
    ),
  ),
  maxTokens: Type.Optional(
    Integer(
      'The limit of all passages with their ids, in tokens. Passages are whole; only a first one that does not fit is cut. Default: 2000.',
      { minimum: 100, maximum: 50_000 },
    ),
  ),
  offset: Type.Optional(Integer('How many passages to skip: `nextOffset` of a reply.', { minimum: 0 })),
}

export const RECALL_FORMS = {
  ...sessionForms('Recall', lookupFields),
  conversation: Type.Object(
    {
      conversation: Text(
        'A serialized transcript, without instructions. Its messages get the ids `c0`, `c1`, and so on.',
      ),
      ...lookupFields,
    },
    { title: 'RecallConversation' },
  ),
}
export type RecallRequest = Static<(typeof RECALL_FORMS)[keyof typeof RECALL_FORMS]>

const PassageSchema = Type.Object(
  {
    entryIds: Type.Array(Type.String(), { description: 'The entry, and of a call also that of its result.' }),
    kind: KindSchema,
    kinds: Type.Array(KindSchema, { description: 'All that it is: a failed command is also a call and an output.' }),
    tool: Type.Optional(Type.String()),
    time: Type.Optional(Text('When it was said (RFC 3339), if the format has times.')),
    position: Text(
      'Such as `entry 285 of 986, before the 2nd compaction`. What a sub-agent did is `in a side chain` after that entry.',
    ),
    lead: Type.Optional(
      Text(
        'The call whose output or part it is, the edit and which of its parts it is, or the question that it answers.',
      ),
    ),
    text: Type.String(),
    cutBefore: Integer('How many characters of the same text stand before.'),
    cutAfter: Integer('How many characters of the same text stand after.'),
    outcome: Type.Optional(
      Text(
        'What came of a call whose output has passages of its own, unless the next passage is of that call: the first error, if it ' +
          'has failed, and the last lines; `…` stands for what is left out.',
      ),
    ),
    copies: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'The ids of older entries that say the same, or of an equal call that has returned nearly the same.',
      }),
    ),
  },
  { title: 'RecallPassage' },
)
export type RecallPassage = Static<typeof PassageSchema>

const CountsSchema = Type.Record(Type.String(), Type.Integer())

export const RecallReplySchema = Type.Object(
  {
    passages: Type.Array(PassageSchema),
    matches: Type.Object(
      {
        all: Integer('The number of messages, summaries and calls with a passage that has all words and phrases.'),
        some: Integer(
          'The number of those with a passage that has at least one word; if the query has phrases that occur, at least one of them.',
        ),
        allByKind: CountsSchema,
        someByKind: CountsSchema,
      },
      {
        description:
          'How many messages, summaries and calls match, also those that are not shown. A call with its outcome, or a message, counts once, however many passages it has, and once for each of its kinds: for a kind, if what is of this kind matches. So `allByKind.call` of `docker push` is how often it was called.',
      },
    ),
    unknownTerms: Type.Array(Type.String(), {
      description:
        'Words with which no word or part of a name begins in what was searched (one letter: that are no word in it), and phrases that occur nowhere in it.',
    }),
    scope: oneOf(...RECALL_SCOPES),
    searched: Type.Object({
      entries: Integer('The number of entries that were searched.'),
      note: Type.Optional(Text('Why more or less was searched than asked for.')),
    }),
    truncated: Flag('Whether there are more passages: `nextOffset` returns them.'),
    nextOffset: Type.Optional(Type.Integer()),
    report: Type.Optional(RequestReportSchema),
  },
  { title: 'RecallReply' },
)
export type RecallReply = Static<typeof RecallReplySchema>
