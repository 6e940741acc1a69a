/** Returns a text with `\n` at the end of each line: clients on Windows write `\r\n`. */
export const toLineFeeds = (text: string): string => text.replaceAll('\r\n', '\n')
