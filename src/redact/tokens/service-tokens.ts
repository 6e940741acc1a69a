import { type Rule, tokenRule } from '../rule.ts'
import { alnum, SERVICES, word } from './service-forms.ts'

/** Tokens of services whose mark does not stand at the beginning. */
const MARKED: readonly [mark: string, before: RegExp, after: string][] = [
  ['_mmk', /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}$/, '(?![A-Za-z0-9])'],
  ['.atlasv1.', /[A-Za-z0-9]{14}$/, word(40)],
  // Keys of Azure: those of DevOps and of the services of AI.
  ['JQQJ99', /[A-Za-z0-9]{40,60}$/, alnum(16)],
  ['-us', /(?<![0-9a-zA-Z])[0-9a-f]{32}$/, '\\d{1,2}(?![A-Za-z0-9])'],
  [':AA', /(?<!\d)\d{8,10}$/, '[A-Za-z0-9_-]{33}(?![A-Za-z0-9])'],
]

const literally = (text: string): string => text.replaceAll(/[.$]/g, '\\$&')

const ofService = { kind: 'service-token', source: 'see SERVICES' }

/** The first letters of the Base64 of a number, as which Discord writes the id of a bot; others begin many words. */
const IDS = ['MT', 'Mj', 'Mz', 'Nj', 'Nz'].flatMap((first) => Array.from('AEIMQUYcgk', (letter) => first + letter))

/** Rules for the tokens of many services. */
export const SERVICE_TOKEN_RULES: readonly Rule[] = [
  ...Object.entries(SERVICES).map(([prefix, rest]) =>
    tokenRule({ ...ofService, hints: [prefix], pattern: literally(prefix) + rest }),
  ),
  tokenRule({ ...ofService, hints: IDS, pattern: '[MNO][A-Za-z0-9]{22,27}\\.[\\w-]{6}\\.[\\w-]{27,40}' }),
  tokenRule({
    ...ofService,
    hints: ['0/', '1/', '2/'],
    pattern: '[012]/\\d{14,17}/\\d{14,17}:[0-9a-f]{32}(?![A-Za-z0-9])',
  }),
  ...MARKED.map(([mark, before, after]) =>
    tokenRule({ ...ofService, hints: [mark], before, pattern: literally(mark) + after }),
  ),
]
