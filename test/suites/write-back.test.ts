import { importTests } from '../support/import-tests.ts'

/** Compactions that are written back into the sessions of agents. */
importTests('write-back')
