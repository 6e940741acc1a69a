import { Problem } from '../errors.ts'
import type { Summarizer } from './summarizer.ts'

/** Failures of the model side. A deadline or a hang-up is none: nobody waits for a reply then. */
const MODEL_PROBLEMS = new Set(['model-failed', 'model-misconfigured', 'prompt-too-large'])

/**
 * Lets the embedded summarizer answer when every candidate has failed (`PRECIS_ON_FAILURE=embedded`). Its drafts are
 * marked as degraded.
 */
export function fallBackToEmbedded(model: Summarizer, embedded: Summarizer): Summarizer {
  return {
    ...model,
    async summarize(task, budget) {
      try {
        return await model.summarize(task, budget)
      } catch (error) {
        if (!(error instanceof Problem) || !MODEL_PROBLEMS.has(error.type)) throw error
        return { ...(await embedded.summarize(task, budget)), isDegraded: true }
      }
    },
  }
}
