/** What is no prose: fenced code, our tags and evidence, headings, inline code. */
const NO_PROSE = [
  /^(```|~~~)[^]*?^\1/gm,
  /<(read-files|modified-files)>[^]*?<\/\1>/g,
  /^## Evidence\n(?:- .*\n?)*/gm,
  /^#{1,6} .*$/gm,
  /`[^`\n]*`/g,
] as const

/** A run of ASCII: a word, or a path, an address, a name with marks or capitals in it. */
const ASCII_RUN = /[\x21-\x7e]+/g
const IS_NO_WORD = /[\\/_=<>{}()[\]|@#$]|\w[.:-]\w|[a-z][A-Z]|\d/

/** Takes what people wrote in a language out of what they wrote in none: enough to tell which it is. */
export function takeProse(text: string): string {
  const left = NO_PROSE.reduce((rest, pattern) => rest.replace(pattern, ' '), text)
  const prose = left.replace(ASCII_RUN, (run) => (IS_NO_WORD.test(run) ? ' ' : run))
  // Gaps would count as words' ends.
  return prose.replace(/\s+/g, ' ').trim()
}
