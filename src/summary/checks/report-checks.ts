import type { Checks } from '../../schemas/compaction-reply.ts'
import type { CheckedDraft } from '../check-draft.ts'
import type { Essentials } from '../keep-essentials.ts'

/** Reports what the checks found, over all drafts of a reply. */
export function reportChecks(
  drafts: readonly CheckedDraft[],
  { latestRequest, constraintsRestored }: Partial<Omit<Essentials, 'summary'>> = {},
): Checks {
  const found = <K extends keyof CheckedDraft['findings']>(name: K) =>
    drafts.flatMap(({ findings }) => findings[name] ?? []) as NonNullable<CheckedDraft['findings'][K]>[]
  const [sections, grounding, sizes, languages, injections] = [
    found('sections'),
    found('grounding'),
    found('size'),
    found('language'),
    found('injection'),
  ]
  const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)
  return {
    ...(sections.length === 0 ? {} : { sections: { missing: sections.flatMap(({ missing }) => missing) } }),
    ...(latestRequest === undefined ? {} : { latestRequest }),
    ...(constraintsRestored === undefined ? {} : { constraints: { restored: constraintsRestored } }),
    ...(grounding.length === 0
      ? {}
      : {
          grounding: {
            checked: sum(grounding.map(({ checked }) => checked)),
            unknown: [...new Set(grounding.flatMap(({ unknown }) => unknown))],
          },
        }),
    ...pickLanguage(languages),
    ...(sizes.length === 0
      ? {}
      : {
          size: {
            tokens: sum(sizes.map(({ tokens }) => tokens)),
            limitTokens: sum(sizes.map(({ limitTokens }) => limitTokens)),
          },
        }),
    ...(injections.length === 0 ? {} : { injection: { obeyed: injections.flatMap(({ obeyed }) => obeyed) } }),
    repaired: sum(drafts.map(({ repairs }) => repairs)),
  }
}

type Language = NonNullable<CheckedDraft['findings']['language']>

/** The one that is wrong, else one that could be told. */
function pickLanguage(languages: Language[]): { language?: Language } {
  const wrong = languages.find(({ expected, found }) => expected !== null && found !== null && expected !== found)
  const language = wrong ?? languages.find(({ expected }) => expected !== null) ?? languages[0]
  return language === undefined ? {} : { language }
}
