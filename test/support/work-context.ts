import { workContextOf } from '../../src/jobs/services.ts'
import { readSettings } from '../../src/settings.ts'
import { templates } from './templates.ts'

/** What work knows of a service with the default settings and without a model. */
export const WORK_CONTEXT = workContextOf(
  {
    settings: readSettings({}),
    prompts: { templates },
    summarizer: { name: 'embedded', windowTokens: () => 128_000 },
  },
  0,
)
