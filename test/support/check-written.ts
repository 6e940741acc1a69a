import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { findLeaks } from './find-leaks.ts'
import { LEDGER, type Ledger } from './ledger.ts'

/**
 * After all tests: no token, key, prompt, summary or body stands in any log line, error or metric that the service wrote
 * through the whole suite. Run by tap (.taprc); a leak fails the run.
 */
const ledger: Ledger = { content: [], keys: [], written: [] }
for (const file of existsSync(LEDGER) ? readdirSync(LEDGER) : [])
  for (const line of readFileSync(`${LEDGER}${file}`, 'utf8').split('\n').filter(Boolean)) {
    const { content, keys, written } = JSON.parse(line) as Ledger
    // One by one: as arguments of a call they may be too many.
    for (const one of content) ledger.content.push(one)
    for (const one of keys) ledger.keys.push(one)
    for (const one of written) ledger.written.push(one)
  }

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]
const leaks = findLeaks({
  content: unique(ledger.content),
  keys: unique(ledger.keys),
  written: unique(ledger.written),
})
const tell = (leak: string): string => `The service wrote what nobody may be told: ${leak.slice(0, 200)}\n`
process.stderr.write(leaks.slice(0, 20).map(tell).join(''))
if (leaks.length > 0) process.exitCode = 1
