import { importTests } from '../support/import-tests.ts'

/** How sessions are read. Like all quick suites, it has no sockets and no processes. */
importTests('ingest', 'schemas', 'session', 'agents', 'tokens', 'files')
