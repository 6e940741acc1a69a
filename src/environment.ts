export type Environment = Readonly<Record<string, string | undefined>>

interface IntegerRule {
  fallback: number
  min: number
  max?: number
}

const HTTP_URL = { schemes: ['http:', 'https:'], what: 'a URL that starts with http:// or https://' }
export const REDIS_URL = { schemes: ['redis:', 'rediss:'], what: 'a URL that starts with redis:// or rediss://' }

/** Reads variables one by one, and collects what is wrong with them. */
export class VariableReader {
  readonly #env: Environment
  readonly #faults: string[] = []

  constructor(env: Environment) {
    this.#env = env
  }

  text(name: string): string | undefined {
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  integer(name: string, rule: IntegerRule): number {
    const value = this.text(name)
    return value === undefined ? rule.fallback : this.#parseInteger(name, value, rule)
  }

  integers(name: string, rule: IntegerRule): number[] {
    return this.list(name)?.map((value) => this.#parseInteger(name, value, rule)) ?? [rule.fallback]
  }

  choice<const T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const value = this.text(name)
    const choice = choices.find((one) => one === value)
    if (value !== undefined && choice === undefined) this.addFault(name, `must be one of ${choices.join(', ')}`)
    return choice ?? fallback
  }

  list(name: string): string[] | undefined {
    const parts = this.text(name)
      ?.split(',')
      .map((part) => part.trim())
    if (parts?.includes('')) this.addFault(name, 'must not have an empty item between its commas')
    return parts
  }

  url(name: string, { schemes, what } = HTTP_URL): string | undefined {
    const value = this.text(name)
    if (value !== undefined && !schemes.includes(URL.parse(value)?.protocol ?? ''))
      this.addFault(name, `must be ${what}`)
    return value
  }

  /** Reads origins as browsers send them: scheme, host, and the port unless it is the usual one of the scheme. */
  origins(name: string): string[] | undefined {
    const origins = this.list(name)
    if (origins?.some((origin) => !/^https?:/i.test(origin) || URL.parse(origin)?.origin !== origin.toLowerCase()))
      this.addFault(name, 'must be origins such as https://example.org, without a path or a slash at the end')
    return origins?.map((origin) => origin.toLowerCase())
  }

  optionalInteger(name: string, rule: Omit<IntegerRule, 'fallback'>): number | undefined {
    const value = this.text(name)
    return value === undefined ? undefined : this.#parseInteger(name, value, { ...rule, fallback: rule.min })
  }

  addFault(name: string, what: string): void {
    this.#faults.push(`${name} ${what}`)
  }

  throwIfInvalid(): void {
    if (this.#faults.length > 0) throw new Error(`Invalid configuration:\n${this.#faults.join('\n')}`)
  }

  #parseInteger(name: string, value: string, { min, max = Number.MAX_SAFE_INTEGER }: IntegerRule): number {
    const number = /^\d+$/.test(value) ? Number(value) : NaN
    if (number >= min && number <= max) return number
    this.addFault(
      name,
      max < Number.MAX_SAFE_INTEGER
        ? `must be an integer from ${min} to ${max}`
        : `must be an integer of at least ${min}`,
    )
    return min
  }
}
