import { Problem } from '../errors.ts'
import { CLAIM_MS } from '../model/sharing/summary-store.ts'
import { anyOf, openController, startTimer as startRealTimer, untilAborted, type StartTimer } from '../runtime/abort.ts'
import type { Settings } from '../settings.ts'
import type { Background, SummaryCall } from './background.ts'
import type { ReceivedRequest } from './job-runner.ts'
import type { Reply } from './protocol.ts'
import { runRequest } from './run-request.ts'
import type { Services } from './services.ts'

export type SummaryServices = Pick<Services, 'jobs' | 'summarizer' | 'hooks' | 'admission' | 'startTimer'> & {
  settings: Pick<Settings, 'deadlineMs' | 'bodyLimitBytes'>
}

/** The chunks of its body are its own. */
export interface BackgroundCall extends SummaryCall {
  received: ReceivedRequest & { chunks: Buffer[] }
}

interface BackgroundLimits {
  signal: AbortSignal
  /** The memory that it takes. */
  memory: { bytes: number }
  /** Aborts once a request waits for it. */
  wanted: AbortSignal
  /** Called when it has its slot, before models are asked. */
  onBegin: () => void
}

/** Runs a summary in the share of its caller, as a request of its own. */
export async function runInBackground(
  { received, budget: { caller, tokenDigest } }: BackgroundCall,
  services: SummaryServices & { background: Background },
  { signal: stopped, memory, wanted, onBegin }: BackgroundLimits,
): Promise<Reply> {
  const { settings, admission, startTimer = startRealTimer } = services
  const { deadlineMs } = settings
  const timeout = openController()
  const stopTimer = startTimer(
    () => timeout.abort(new Problem('deadline-exceeded', `Timed out: no summary after ${deadlineMs} ms.`)),
    deadlineMs,
  )
  const onHeld = (bytes: number): void => {
    // A job has read the body, which is not needed any more while the model works.
    received.chunks.splice(0)
    memory.bytes = bytes
  }
  const slot = admission.open(caller)
  const onCalls = async (): Promise<void> => {
    await slot.acquire(signal, wanted)
    onBegin()
  }
  const signal = anyOf(stopped, timeout.signal)
  const deadlineAt = Date.now() + deadlineMs
  try {
    const limits = { signal, replySignal: signal, caller, tokenDigest, slot, wanted, deadlineAt, onHeld, onCalls }
    return await untilAborted(runRequest(received, services, limits), signal)
  } finally {
    slot.release()
    stopTimer()
  }
}

/** Extends a claim until the returned function is called. */
export function keepClaim(renew: () => Promise<void>, startTimer: StartTimer = startRealTimer): () => void {
  let stop = (): void => undefined
  const again = (): void => {
    stop = startTimer(() => {
      void renew()
      again()
    }, CLAIM_MS / 3)
  }
  again()
  return () => stop()
}
