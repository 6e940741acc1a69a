import { Type, type Static } from '@sinclair/typebox'
import { describedOneOf, Integer, Text } from './typebox.ts'

/** The results of the checks of a summary; a check that does not apply is left out. */
export const ChecksSchema = Type.Object(
  {
    sections: Type.Optional(
      Type.Object({
        missing: Type.Array(
          Text(
            'A required heading that the model did not write. Code adds it if no content is lost: the newest request below a missing goal, `(none)` below the others.',
          ),
        ),
      }),
    ),
    latestRequest: Type.Optional(
      describedOneOf(
        'Whether the model kept the newest request and an unanswered question word for word (`kept`), or code added them (`restored`). `cut`: the request is longer than 4,000 characters or a quarter of the output limit, and has notes in the place of pastes, or of its middle. `missing`: it is not in a summary that the request brought.',
        ...(['kept', 'restored', 'cut', 'missing'] as const),
      ),
    ),
    constraints: Type.Optional(
      Type.Object({
        restored: Integer("The number of the user's lasting demands that code restored."),
      }),
    ),
    evidence: Type.Optional(
      Type.Object({
        tokens: Integer('The size of the `## Evidence` section; 0 without one.'),
      }),
    ),
    grounding: Type.Optional(
      Type.Object({
        checked: Integer('The number of paths, URLs, hashes, ports, versions and errors in the summary.'),
        unknown: Type.Array(Type.String(), {
          description: 'Those that are in the input in no form: the summary marks them with `(unverified)`.',
        }),
      }),
    ),
    size: Type.Optional(
      Type.Object(
        { tokens: Type.Integer(), limitTokens: Type.Integer() },
        {
          description:
            'The size of the model output, and its limit: less than it replaces, but at least 500, and at least 2000 if an earlier summary is continued. Of a summary over the limit, lists lose their oldest items, which are counted, and sections that do not fit are left out.',
        },
      ),
    ),
    repaired: Integer('The number of model calls to repair the summary: 0 or 1.'),
  },
  { title: 'Checks' },
)

export type Checks = Static<typeof ChecksSchema>
