/** The first words of what Codex writes before a summary, and by which it recognizes one (0.120 and 0.169). */
export const SUMMARY_LEAD = 'Another language model started to solve this problem'

/** Its first sentence. */
export const SUMMARY_SENTENCE = `${SUMMARY_LEAD} and produced a summary of its thinking process.`

/** Its last words. */
export const SUMMARY_LEAD_END = 'assist with your own analysis:'

/** The whole text before a summary. */
export const SUMMARY_PREFIX =
  `${SUMMARY_SENTENCE} You also have access to the state of the tools that were used by that language model. Use this to build ` +
  'on the work that has already been done and avoid duplicating work. Here is the summary produced by the other language ' +
  `model, use the information in this summary to ${SUMMARY_LEAD_END}\n`
