import { importTests } from '../support/import-tests.ts'

/** What is planned, redacted and checked. */
importTests('text', 'extract', 'redact', 'plan', 'recall', 'prompt', 'summary')
