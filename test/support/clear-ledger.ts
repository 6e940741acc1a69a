import { rmSync } from 'node:fs'
import { LEDGER } from './ledger.ts'

/** Before all tests: what an earlier run has left says nothing of this one. */
rmSync(LEDGER, { recursive: true, force: true })
rmSync(new URL('../../.tap/patterns/', import.meta.url), { recursive: true, force: true })
