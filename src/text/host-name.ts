/** Returns a host name without the dot at the end of an absolute one (RFC 1034, section 3.1), as resolvers of clusters write it. */
export const withoutFinalDot = (name: string): string => name.replace(/(?<=[\w-])\.$/, '')

/** Returns whether a text is an address that begins with `http://` or `https://`: `URL` takes one without them for a scheme. */
export const isHttpAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)
