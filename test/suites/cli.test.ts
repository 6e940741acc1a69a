import { importTests } from '../support/import-tests.ts'

/** The command line and the server of tools, as processes, and the client. */
importTests('cli', 'client', 'mcp')
