import { importTests } from '../support/import-tests.ts'

/** The pure layers: no sockets, no processes. */
importTests(
  'ingest',
  'schemas',
  'session',
  'agents',
  'tokens',
  'files',
  'text',
  'extract',
  'redact',
  'plan',
  'prompt',
  'summary',
)
