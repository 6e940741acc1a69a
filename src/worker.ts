import { answerJob } from './jobs/job.ts'
import { ownFile } from './own-package.ts'
import { loadTemplates } from './prompt/templates.ts'
import { serveJobs } from './runtime/serve-jobs.ts'
import { USE_CASES } from './use-cases/use-cases.ts'

/** A worker process: does the CPU work of requests, one job at a time, and remembers nothing of it. */
const templates = loadTemplates(ownFile('prompts/'))
const works = new Map(await Promise.all(USE_CASES.map(async ({ path, load }) => [path, await load()] as const)))
const workOf = works.get.bind(works)

serveJobs((job) => answerJob(job, { workOf, templates }))
