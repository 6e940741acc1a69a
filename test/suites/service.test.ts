import { importTests } from '../support/import-tests.ts'

/** The layers with sockets and timers. */
importTests('model', 'observe', 'http', 'jobs')
