import { importTests } from '../support/import-tests.ts'

/** The server of tools, as a process, and the client. */
importTests('client', 'mcp')
