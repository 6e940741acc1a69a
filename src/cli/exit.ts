/** The exit codes of all commands (docs/cli.md). */
export const EXIT = {
  failed: 1,
  usage: 2,
  nothingToCompact: 3,
  nothingFound: 3,
  notFound: 4,
  inUse: 5,
  service: 6,
} as const

/** An error for the user of the command line: its text goes to stderr, without a stack. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly code: number

  constructor(code: keyof typeof EXIT | number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = typeof code === 'number' ? code : EXIT[code]
  }
}
