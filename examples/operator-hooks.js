// Rules of a team for all compactions of a service: what is never summarized, what each prompt is told, and a count for later.
// The setting: PRECIS_HOOKS=examples/operator-hooks.js, and HOOK_CONTEXT with a sentence for the prompts.
// Its types: precis/hooks. To run it: PRECIS_HOOKS=examples/operator-hooks.js npm start

/** Paths whose sessions stay out of summaries. */
const CLOSED = /(?:^|\/)(?:payroll|legal)\//

/** @type {import('precis/hooks').Hooks} */
export default {
  beforeCompact({ preparation }) {
    const { readFiles, modifiedFiles } = preparation.files
    const isClosed = [...readFiles, ...modifiedFiles].some((path) => CLOSED.test(path))
    return isClosed
      ? { cancel: true, reason: 'Sessions with files of payroll/ or legal/ are not summarized.' }
      : undefined
  },

  compacting({ preparation }) {
    const { compactions = 0 } = preparation.previousPreserveData?.team ?? {}
    const sentence = process.env.HOOK_CONTEXT
    return {
      context: sentence === undefined ? [] : [sentence],
      preserveData: { team: { compactions: compactions + 1 } },
    }
  },
}
