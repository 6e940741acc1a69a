import { importTests } from '../support/import-tests.ts'

/** The layers with sockets and timers. */
importTests('runtime', 'model', 'observe', 'http', 'pipelines', 'routes')
