/**
 * Where an entry stood in its body, for pointers, where that is not its place in the list: blank lines of a session file
 * are counted and not kept.
 */
export const KNOWN_PLACE = Symbol('place')
