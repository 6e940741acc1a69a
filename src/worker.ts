import { answerJob } from './jobs/job.ts'
import { loadTemplates } from './prompt/templates.ts'
import { serveJobs } from './runtime/serve-jobs.ts'

/** A worker process: does the CPU work of requests, one job at a time, and remembers nothing of it. */
const templates = loadTemplates(new URL('../prompts/', import.meta.url))

serveJobs((job) => answerJob(job, templates))
