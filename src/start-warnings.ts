import { BlockList, isIPv6 } from 'node:net'
import type { Environment } from './environment.ts'
import { presetNamed, PRESET_NAMES, splitPreset } from './presets.ts'
import type { Settings } from './settings.ts'

/** Shorter service tokens can be guessed. */
const SHORTEST_TOKEN = 16

/** Names by which other programs know the variables of this one. */
const OTHER_NAMES: readonly (readonly [RegExp, ours: string])[] = [
  [/^OPENAI_(?:API_)?(?:BASE|BASE_URL|ENDPOINT|HOST|URL)$/, 'OPENAI_BASE_URL'],
  [/^OPENAI_(?:API_)?(?:KEY|TOKEN)$/, 'OPENAI_API_KEY'],
  [/^OPENAI_MODEL(?:_NAME)?$/, 'PRECIS_MODEL'],
]

const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4')
LOOPBACK.addAddress('::1', 'ipv6')

/** Returns a sentence for each setting that is valid, and likely not what the operator wants. No sentence has a value. */
export function startWarnings({ host, model, tokens, redisUrl, storeKey }: Settings, env: Environment): string[] {
  const warnings = otherNamesIn(env)
  if (model === undefined && isSet(env, 'PRECIS_MODEL'))
    warnings.push(
      'PRECIS_MODEL has no effect: neither OPENAI_BASE_URL nor OPENAI_API_KEY is set. The embedded summarizer is used.',
    )
  warnings.push(...unusedKeys(model, env))
  if (tokens.length === 0 && !LOOPBACK.check(host, isIPv6(host) ? 'ipv6' : 'ipv4'))
    warnings.push(
      'HOST is not a loopback address, and PRECIS_TOKENS is not set: everybody who can reach the port can use this service.',
    )
  if (redisUrl !== undefined && storeKey === undefined)
    warnings.push(
      'PRECIS_REDIS_URL is set, and PRECIS_STORE_KEY is not: replicas share no prepared summaries. ' +
        'Create one secret for all of them with: openssl rand -hex 32',
    )
  if (tokens.some((token) => /\s/.test(token)))
    warnings.push('PRECIS_TOKENS has a token with a blank in it. Separate tokens by commas.')
  if (model !== undefined && isSet(env, 'OPENAI_BASE_URL') && !isSet(env, 'PRECIS_MODEL'))
    warnings.push(
      `OPENAI_BASE_URL is set, and PRECIS_MODEL is not: the model is ${model.candidates[0]?.model ?? ''}. Name the model of your server if it has another.`,
    )
  if (tokens.some((token) => token.length < SHORTEST_TOKEN))
    warnings.push(
      `PRECIS_TOKENS has a token of less than ${SHORTEST_TOKEN} characters, which can be guessed. ` +
        'Create one with: openssl rand -hex 32',
    )
  return warnings
}

/** Returns a sentence for each key of a server of which no candidate is a model. */
function unusedKeys(model: Settings['model'], env: Environment): string[] {
  const used = new Set(model?.candidates.map((candidate) => splitPreset(candidate.model).preset ?? 'openai'))
  return PRESET_NAMES.flatMap((preset) => {
    const { key } = presetNamed(preset)
    if (key === undefined || !isSet(env, key) || used.has(preset)) return []
    return [`${key} has no effect: PRECIS_MODEL names no model of its server. Write ${preset}:NAME there.`]
  })
}

/** Returns a sentence for each variable that has the name of one of ours in other programs, unless ours is set as well. */
export function otherNamesIn(env: Environment): string[] {
  return Object.keys(env).flatMap((name) => {
    const ours = OTHER_NAMES.find(([pattern]) => pattern.test(name))?.[1]
    if (ours === undefined || !isSet(env, name) || isSet(env, ours)) return []
    return [`${name} is not read. Did you mean ${ours}?`]
  })
}

const isSet = (env: Environment, name: string): boolean => (env[name]?.trim() ?? '') !== ''
