import { importTests } from '../support/import-tests.ts'

/** The whole service in one process, and its workers. */
importTests('runtime', 'routes')
