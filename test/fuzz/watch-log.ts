import { Writable } from 'node:stream'
import { findLeaks } from '../support/find-leaks.ts'
import { SECRET_CHARACTERS } from '../support/ledger.ts'

/** The key that the service sends to its model server. */
export const FUZZ_KEY = 'sk-proj-fuzzKey7Qx9Zr2Lm4Tn8Vb3Wc5Ys1Kd6'

/** The line of a request that the model server failed. */
const MODEL_FAULT = /"route":"[^"]*","status":(?:424|502|504),/

export type WatchedLog = ReturnType<typeof watchLog>

/** A log in memory. */
export function watchLog() {
  const lines: string[] = []
  const logTo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(...chunk.toString().split('\n').filter(Boolean))
      done()
    },
  })
  /**
   * Returns the faults of what was logged since the last call: content of the case, the key, or an error of the service
   * itself.
   */
  const takeFaults = (content: readonly string[]): string[] => {
    const written = lines.splice(0)
    const errors = written.filter((line) => /"level":(?:50|60)\b/.test(line) && !MODEL_FAULT.test(line))
    const leaks = findLeaks({ content: content.flatMap(linesOf), keys: [FUZZ_KEY], written })
    return [
      ...errors.map((line) => `the service logged an error: ${line.slice(0, 600)}`),
      ...leaks.slice(0, 3).map((leak) => `the log has content or the key: ${leak.slice(0, 100)}`),
    ]
  }
  return { logTo, takeFaults }
}

/**
 * Returns the lines of a text, or of the strings in JSON, that are long enough to be recognized. What is between two strings
 * of JSON may also be in a log line.
 */
const linesOf = (text: string): string[] =>
  text
    .split(/\n|\\n|"/)
    .map((line) => line.trim())
    .filter((line) => line.length >= SECRET_CHARACTERS)
