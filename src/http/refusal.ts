/** Why a request was refused because of load, whatever it holds. */
export type Refusal = 'queue-full' | 'event-loop' | 'memory' | 'body-bytes' | 'draining' | 'rate-limit'

export type OnRefused = (reason: Refusal) => void
