/** Returns a host name without the dot at the end of an absolute one (RFC 1034, section 3.1), as resolvers of clusters write it. */
export const withoutFinalDot = (name: string): string => name.replace(/(?<=[\w-])\.$/, '')
