import { availableParallelism } from 'node:os'

/** Returns a line about the machine and the runtime of a measurement. */
export const describeMachine = (): string =>
  `Node ${process.version}, ${availableParallelism()} cores, ${process.platform}/${process.arch}`
