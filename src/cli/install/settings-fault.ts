/** What is wrong in the text of a settings file, with its line: it cannot be read, or has something else where a setting belongs. */
export class SettingsFault extends Error {
  override readonly name = 'SettingsFault'

  constructor(fault: string, line: number) {
    super(`line ${line}: ${fault}`)
  }
}

/** Returns the number of the line with an index. */
export const lineOf = (text: string, index: number): number => text.slice(0, index).split('\n').length
