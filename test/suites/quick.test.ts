import { importTests } from '../support/import-tests.ts'

/** How sessions are read, and what is planned, redacted and checked: without sockets and processes. */
importTests('ingest', 'schemas', 'session', 'agents', 'tokens', 'files')
importTests('text', 'extract', 'redact', 'plan', 'recall', 'prompt', 'summary')
