import { withoutFinalDot } from './text/host-name.ts'
import { nearName } from './text/near-name.ts'
import type { VariableName } from './variables.ts'

export type Environment = Readonly<Record<string, string | undefined>>

interface IntegerRule {
  fallback: number
  min: number
  max?: number
}

const HTTP_URL = { schemes: ['http:', 'https:'], what: 'a URL that starts with http:// or https://' }
export const REDIS_URL = { schemes: ['redis:', 'rediss:'], what: 'a URL that starts with redis:// or rediss://' }

export const NO_EMPTY_ITEM = 'must not have an empty item between its commas'

/** Returns the items of a value, which stand between commas. */
export const splitItems = (value: string): string[] => value.split(',').map((part) => part.trim())

/** Reads variables one by one, and collects what is wrong with them. */
export class VariableReader {
  readonly #env: Environment
  readonly #faults: string[] = []
  readonly #known = new Set<string>()

  constructor(env: Environment) {
    this.#env = env
  }

  text(name: VariableName): string | undefined {
    this.#known.add(name)
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  integer(name: VariableName, rule: IntegerRule): number {
    const value = this.text(name)
    return value === undefined ? rule.fallback : this.#parseInteger(name, value, rule)
  }

  integers(name: VariableName, rule: IntegerRule): number[] {
    return this.list(name)?.map((value) => this.#parseInteger(name, value, rule)) ?? [rule.fallback]
  }

  choice<const T extends string>(name: VariableName, choices: readonly T[], fallback: T): T {
    return this.optionalChoice(name, choices) ?? fallback
  }

  optionalChoice<const T extends string>(name: VariableName, choices: readonly T[]): T | undefined {
    const value = this.text(name)
    const choice = choices.find((one) => one === value)
    if (value !== undefined && choice === undefined) this.addFault(name, `must be one of ${choices.join(', ')}`)
    return choice
  }

  list(name: VariableName): string[] | undefined {
    const value = this.text(name)
    const parts = value === undefined ? undefined : splitItems(value)
    if (parts?.includes('')) this.addFault(name, NO_EMPTY_ITEM)
    return parts
  }

  url(name: VariableName, { schemes, what } = HTTP_URL): string | undefined {
    const value = this.text(name)
    if (value !== undefined && !schemes.includes(URL.parse(value)?.protocol ?? ''))
      this.addFault(name, `must be ${what}`)
    return value
  }

  /** Reads names or addresses as browsers send them in `Host`, without the port. */
  hosts(name: VariableName): string[] | undefined {
    const hosts = this.list(name)?.map((host) => host.toLowerCase())
    if (hosts?.some((host) => host !== '' && URL.parse(`http://${host}`)?.hostname !== host))
      this.addFault(name, 'must be names such as precis.example.org, without a scheme, a port or a path')
    return hosts?.map(withoutFinalDot)
  }

  /** Reads origins as browsers send them: scheme, host, and the port unless it is the usual one of the scheme. */
  origins(name: VariableName): string[] | undefined {
    const origins = this.list(name)
    if (origins?.some((origin) => !/^https?:/i.test(origin) || URL.parse(origin)?.origin !== origin.toLowerCase()))
      this.addFault(name, 'must be origins such as https://example.org, without a path or a slash at the end')
    return origins?.map((origin) => origin.toLowerCase())
  }

  optionalInteger(name: VariableName, rule: Omit<IntegerRule, 'fallback'>): number | undefined {
    const value = this.text(name)
    return value === undefined ? undefined : this.#parseInteger(name, value, { ...rule, fallback: rule.min })
  }

  addFault(name: VariableName, what: string): void {
    const fault = `${name} ${what}`
    // A list may have the same fault several times.
    if (!this.#faults.includes(fault)) this.#faults.push(fault)
  }

  /** Call it when all variables have been read: those that begin with `PRECIS_` and were not read are faults too. */
  throwIfInvalid(): void {
    const unknown = Object.entries(this.#env).filter(
      ([name, value = '']) => isOurs(name, value) && !this.#known.has(name),
    )
    for (const [name] of unknown)
      this.#faults.push(`${name} is not a variable of this service. ${suggest(name, [...this.#known])}`)
    if (this.#faults.length > 0) throw new Error(`Invalid configuration:\n${this.#faults.join('\n')}`)
  }

  #parseInteger(name: VariableName, value: string, { min, max = Number.MAX_SAFE_INTEGER }: IntegerRule): number {
    const number = /^\d+$/.test(value) ? Number(value) : NaN
    if (number >= min && number <= max) return number
    const range = max < Number.MAX_SAFE_INTEGER ? `from ${min} to ${max}` : `of at least ${min}`
    // 16MB, 30s
    const unit = /^\d+(?:\.\d+)? ?[a-z]+$/i.test(value) ? unitOf(name) : undefined
    this.addFault(name, `must be an integer ${range}${unit === undefined ? '' : `: ${unit}, without their name`}`)
    return min
  }
}

const UNITS = [
  [/_MS$/, 'milliseconds'],
  [/_MB$/, 'mebibytes'],
  [/_BODY_LIMIT$/, 'bytes'],
  [/_MIN_RATE$/, 'bytes per second'],
  [/_(?:WINDOW|TOKENS)$/, 'tokens'],
] as const

/** Returns the unit of a variable whose value is a number of something. */
const unitOf = (name: VariableName): string | undefined => UNITS.find(([pattern]) => pattern.test(name))?.[1]

/** The variables that Kubernetes sets for each Service, here for one named `precis` or `precis-redis` ("Environment variables"). */
const SERVICE_LINK =
  /_(?:SERVICE_HOST|SERVICE_PORT(?:_[A-Z0-9_]+)?|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:ADDR|PORT|PROTO))?)$/

const SERVICE_ADDRESS = /^(?:tcp|udp|sctp):\/\//

/** Variables of the command line, which a user may set for all programs. */
const OF_COMMANDS = ['PRECIS_CONFIG', 'PRECIS_NESTED']

/** Returns true for a variable that was meant for this service. */
function isOurs(name: string, value: string): boolean {
  if (OF_COMMANDS.includes(name)) return false
  const isServiceLink = SERVICE_LINK.test(name) || (name.endsWith('_PORT') && SERVICE_ADDRESS.test(value))
  return /^PRECIS_/i.test(name) && value.trim() !== '' && !isServiceLink
}

/** Returns the remedy for an unknown name: a known one that is near, also without the prefix, or of which it is the beginning. */
function suggest(name: string, known: readonly string[]): string {
  const upper = name.toUpperCase()
  const meant =
    nearName(upper, known) ??
    nearName(upper.slice('PRECIS_'.length), known) ??
    known.find((one) => one.startsWith(upper))
  return meant === undefined ? 'docs/configuration.md lists all variables.' : `Did you mean ${meant}?`
}

/** Of the service's own variables, a hook process gets none: they have keys and tokens. */
const FOR_HOOKS = /^(?:HOOK_.*|PATH|HOME|TZ|LANG|LC_\w+|TMPDIR|NODE_EXTRA_CA_CERTS)$/

/** Returns the environment of the operator's hooks: what programs need anyway, and the variables that are meant for hooks. */
export function hookEnvironment(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && FOR_HOOKS.test(name) ? [[name, value]] : [],
    ),
  )
}
