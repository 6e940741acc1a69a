import type { PlanReply } from '../../client/client.ts'
import type { PreparedSummary } from '../../jobs/background-summaries.ts'
import { numberOf, type Values } from '../read-arguments.ts'
import { openService, type Service, type ServiceChoice } from '../service.ts'
import { CallCount } from './call-count.ts'
import { createSecret } from './state-folder.ts'
import { KEEP_MS, SummaryFolder } from './summary-folder.ts'

/** The model calls of a day: some fifty preparations, more than one person's sessions need. */
const DEFAULT_CALLS = 100

/** Returns how many model calls a day may have. @throws CliError */
export const callsPerDayOf = (values: Values): number => numberOf(values, 'calls-per-day') ?? DEFAULT_CALLS

/** Returns whether a summary should be prepared: the session may have grown beyond its threshold already. */
export const wantsPreparation = ({ action, prepared }: PlanReply): boolean =>
  action === 'prepare' || (action !== 'none' && prepared?.use !== 'whole')

/** A service in this process that writes summaries into the folder. */
interface Preparing {
  service: Service
  folder: SummaryFolder
  calls: CallCount
}

interface PreparingOptions {
  /** The state folder, which is there. */
  path: string
  now: () => number
  onPrepared: (summary: PreparedSummary) => void
}

/** Opens a service that writes summaries into the folder of its user, and counts the calls of models. @throws CliError */
export async function openPreparing(
  writer: Pick<ServiceChoice, 'model' | 'commands' | 'env'>,
  { path, now, onPrepared }: PreparingOptions,
): Promise<Preparing> {
  const secret = createSecret(path)
  const folder = new SummaryFolder({ path, secret, now })
  folder.tidy()
  const calls = new CallCount({ path, now })
  const keeping = { shared: { place: folder, secret }, keepMs: KEEP_MS, restMs: 0, onPrepared }
  const service = await openService({ ...writer, local: { observer: calls.observer(), keeping } })
  return { service, folder, calls }
}
