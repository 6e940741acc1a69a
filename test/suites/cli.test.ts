import { importTests } from '../support/import-tests.ts'

/** The command line, as processes, and the client. */
importTests('client', 'cli', 'mcp')
