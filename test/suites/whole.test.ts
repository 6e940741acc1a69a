import { importTests } from '../support/import-tests.ts'

/** The whole service and its files: the process, hooks, the contract, documents, examples and settings. */
importTests('.')
