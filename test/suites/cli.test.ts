import { importTests } from '../support/import-tests.ts'

/** The command line, as processes. */
importTests('cli')
