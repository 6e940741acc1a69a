import { importTests } from '../support/import-tests.ts'

/** The layers with sockets and timers, compactions that are written back into the sessions of agents, and the evaluation. */
importTests('model', 'observe', 'http', 'jobs', 'use-cases', 'write-back', 'eval')
