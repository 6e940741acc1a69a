import { DETAIL, shortenPath } from './describe-details.ts'
import type { SessionFacts } from './facts.ts'
import type { Statement } from './ranked-lines.ts'
import type { Stand } from './stand-log.ts'
import { STEP_LABELS } from './step-labels.ts'

/** Returns what failed last, in the newest turn or the one before it: a check, a commit that was refused, an edit. */
export function writeFailing({ work, stand }: SessionFacts): Statement[] {
  const { items, failing, following } = work
  if (following !== undefined) return []
  const requests = items.filter(({ kind }) => kind === 'request')
  const isNew = ({ at }: { at: number }): boolean => at >= (requests.at(-2)?.at ?? 0)
  const { refused, complaints, failedCommand, failedEdit } = stand
  const check = failing.findLast(isNew)
  return [
    ...(check === undefined ? [] : [{ head: writeCheck(check) }]),
    ...(complaints === undefined || !isNew(complaints) ? [] : [writeComplaints(STEP_LABELS.complaints, complaints)]),
    ...(refused === undefined || !isNew(refused) ? [] : [writeRefused(refused)]),
    ...(failedCommand === undefined || !isNew(failedCommand)
      ? []
      : [writeComplaints(STEP_LABELS.command, failedCommand)]),
    ...(failedEdit === undefined || !isNew(failedEdit)
      ? []
      : [{ head: `${STEP_LABELS.edit}\`${shortenPath(failedEdit.path)}\`: ${failedEdit.reason}` }]),
  ]
}

const writeCheck = ({ command, tests }: SessionFacts['work']['failing'][number]): string =>
  `${STEP_LABELS.check}\`${command}\`${tests === undefined ? '' : `: ${tests}`}`

/** The details belong to the command, and always stay with it. */
const writeComplaints = (label: string, { command, reasons }: NonNullable<Stand['complaints']>): Statement => ({
  head: [`${label}\`${command}\``, ...details(reasons)].join('\n'),
})

/** Returns what stands in the way of a commit. The details belong to it, and always stay with it. */
function writeRefused({ message, command, reasons }: NonNullable<Stand['refused']>): Statement {
  const about = message === undefined ? `\`${command}\`` : message.subject
  return { head: [`${STEP_LABELS.commit}${about}`, ...details(reasons)].join('\n') }
}

const details = (lines: readonly string[]): string[] => lines.map((line) => DETAIL + line)
