import { availableParallelism } from 'node:os'

/** What a measurement was made on, in one line. */
export const describeMachine = (): string =>
  `Node ${process.version}, ${availableParallelism()} cores, ${process.platform}/${process.arch}`
