import { type Rule, tokenRule } from './rule.ts'
import { alnum, SERVICES, word } from './service-forms.ts'

/** Tokens of services whose mark does not stand at the beginning. */
const MARKED: readonly [mark: string, before: RegExp, after: string][] = [
  ['_mmk', /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}$/, '(?![A-Za-z0-9])'],
  ['.atlasv1.', /[A-Za-z0-9]{14}$/, word(40)],
  // Keys of Azure: those of DevOps and of the services of AI.
  ['JQQJ99', /[A-Za-z0-9]{40,60}$/, alnum(16)],
  ['-us', /(?<![0-9a-zA-Z])[0-9a-f]{32}$/, '\\d{1,2}(?![A-Za-z0-9])'],
  [':AA', /\d{8,10}$/, '[A-Za-z0-9_-]{33}(?![A-Za-z0-9])'],
]

const literally = (text: string): string => text.replaceAll(/[.$]/g, '\\$&')

const ofService = { kind: 'service-token', source: 'see SERVICES' }

/** Rules for the tokens of many services. */
export const SERVICE_TOKEN_RULES: readonly Rule[] = [
  ...Object.entries(SERVICES).map(([prefix, rest]) =>
    tokenRule({ ...ofService, hints: [prefix], pattern: literally(prefix) + rest }),
  ),
  ...MARKED.map(([mark, before, after]) =>
    tokenRule({ ...ofService, hints: [mark], before, pattern: literally(mark) + after }),
  ),
]
