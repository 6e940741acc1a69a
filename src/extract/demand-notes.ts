/** What stands behind a demand: the name of the request that it belongs to, or what the user said later about the same thing. */

const LATER = / \(the user later: "(.*)"\)$/u
const FOR_REQUEST = / \(only for: (?:"([^\n]{1,100})"|the newest request)\)$/

/** Returns a demand with what the user said later. */
export const withLater = (demand: string, said: string): string => `${demand} (the user later: "${said}")`

/** Returns a demand without what the user said later. */
export const withoutLater = (demand: string): string => demand.replace(LATER, '')

/** Returns what the user said later of a demand, if that stands beside it. */
export const saidLater = (demand: string): string | undefined => LATER.exec(demand)?.[1]

/** Returns a demand with the name of its request. */
export const forRequest = (demand: string, name: string): string => `${demand} (only for: ${name})`

/** Returns a demand without the name of its request. */
export const withoutRequest = (demand: string): string => demand.replace(FOR_REQUEST, '')

/** Whether a demand has the name of the request that it belongs to. */
export const isForRequest = (demand: string): boolean => FOR_REQUEST.test(demand)

/** Returns the name of the request that a demand belongs to; undefined without one. */
export const namedRequest = (demand: string): string | undefined => FOR_REQUEST.exec(demand)?.[1]
