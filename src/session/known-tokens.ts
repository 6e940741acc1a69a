/**
 * Under this key a raw message carries the tokens of the whole of which it was made, where parts of it were left out as it
 * came. No JSON has such a key.
 */
export const KNOWN_TOKENS = Symbol('tokens')
