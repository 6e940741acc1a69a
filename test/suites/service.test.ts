import { importTests } from '../support/import-tests.ts'

/** The layers with sockets and timers, and the evaluation. */
importTests('model', 'observe', 'http', 'jobs', 'use-cases', 'eval')
