import { escapePattern } from '../../text/escape-pattern.ts'
import { type Rule, rulesOf } from '../rule.ts'
import { alnum, SERVICES, some, word } from './services.ts'
import { tokenRule } from './token-rule.ts'

/** The kinds of tokens of GitLab. */
const GITLAB = 'pat|dt|rt|cbt|ptt|ft|ffct|soat|imt|agent|oas'

/**
 * The tokens that agents meet most; each names its service in the replacement. Sources: the documentation of each service;
 * GitHub secret scanning patterns; RFC 7519, and RFC 7516 for encrypted tokens.
 */
const TOKENS: readonly (readonly [kind: string, hints: string, pattern: string])[] = [
  ['anthropic-key', 'sk-ant-', `sk-ant-${word(8)}`],
  // Old keys are 48 letters and digits; `proj`, `svcacct` and `admin` name newer ones. Other vendors copied `sk-`.
  ['openai-key', 'sk-', `sk-(?:(?:proj|svcacct|admin|or-v1|None)-${word(8)}|(?=[A-Za-z]{0,200}\\d)${alnum(20)})`],
  [
    'github-token',
    'ghp_|gho_|ghu_|ghs_|ghr_|github_pat_',
    `(?:gh[pousr]_${alnum(16)}|github_pat_${some('A-Za-z0-9_', 20)})`,
  ],
  ['gitlab-token', GITLAB.replaceAll(/\w+/g, 'gl$&-'), `gl(?:${GITLAB})-${word(16)}(?:\\.[A-Za-z0-9_-]{2,40}){0,4}`],
  ['aws-access-key', 'AKIA|ASIA|ABIA|ACCA', '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{12,16}[A-Z0-9]{0,4}(?![A-Za-z0-9])'],
  [
    'google-key',
    'AIza|GOCSPX-|ya29.|1//0',
    `(?:AIza${word(30)}|GOCSPX-${word(20)}|ya29\\.${some('A-Za-z0-9_.-', 20)}|1//0${word(30)})`,
  ],
  [
    'slack-token',
    'xox|xapp-',
    `(?:xox[abceoprsd](?:\\.xox[bp])?-${some('A-Za-z0-9-', 10)}|xapp-\\d-${some('A-Za-z0-9-', 10)})`,
  ],
  [
    'stripe-key',
    'sk_live_|sk_test_|rk_live_|rk_test_|sk_prod_|whsec_',
    `(?:[sr]k_(?:live|test|prod)_${alnum(10)}|whsec_${some('A-Za-z0-9+/=', 16)})`,
  ],
  ['npm-token', 'npm_', `npm_${alnum(30)}`],
  [
    'jwt',
    'eyJ',
    'eyJ[A-Za-z0-9_-]{8,16000}\\.(?:eyJ[A-Za-z0-9_-]{8,16000}(?:\\.[A-Za-z0-9_-]{0,16000})?|[A-Za-z0-9_-]{0,16000}(?:\\.[A-Za-z0-9_-]{8,16000}){3})',
  ],
]

/** Tokens whose mark does not stand at the beginning. */
const MARKED: readonly (readonly [kind: string, mark: string, before: RegExp, after: string])[] = [
  // Client secrets of Entra.
  ['azure-secret', 'Q~', /[A-Za-z0-9_~.-]{3}\d$/, '[A-Za-z0-9_~.-]{31,34}'],
  ['service-token', '_mmk', /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}$/, '(?![A-Za-z0-9])'],
  ['service-token', '.atlasv1.', /[A-Za-z0-9]{14}$/, word(40)],
  // Keys of Azure: those of DevOps and of the services of AI.
  ['service-token', 'JQQJ99', /[A-Za-z0-9]{40,60}$/, alnum(16)],
  ['service-token', '-us', /(?<![0-9a-zA-Z])[0-9a-f]{32}$/, '\\d{1,2}(?![A-Za-z0-9])'],
  ['service-token', ':AA', /(?<!\d)\d{8,10}$/, '[A-Za-z0-9_-]{33}(?![A-Za-z0-9])'],
]

/** The first letters of the Base64 of a number, as which Discord writes the id of a bot; others begin many words. */
const IDS = ['MT', 'Mj', 'Mz', 'ND', 'NT', 'Nj', 'Nz', 'OD', 'OT'].flatMap((first) =>
  Array.from('AEIMQUYcgk', (letter) => first + letter),
)

export const TOKEN_RULES: readonly Rule[] = [
  ...TOKENS.map(([kind, hints, pattern]) => tokenRule({ kind, hints: hints.split('|'), pattern })),
  ...rulesOf({
    'aws-secret-key': [
      // docs.aws.amazon.com/IAM, "Access keys": the two parts of a key are printed together.
      [
        'AKIA|ASIA',
        /[A-Z0-9]{12,16}(?![A-Za-z0-9+/])[^]{1,100}?(?:(?<![A-Za-z0-9+/=_-])|(?<=\\[tnr]))(?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=_-])/,
        (value) => /[A-Z]/.test(value) && /[a-z]/.test(value) && /\d/.test(value),
      ],
    ],
    // A mail or a terminal wraps lines.
    jwt: [
      [
        'eyJ',
        /(?<![\w.-])eyJ[\w-]{8,200}(?:\.[\w-]{0,200}){0,2}(?:\n[\w.-]{40,200}){0,60}\n[\w.-]{4,200}(?=\n|$)/,
        (_, { 0: wrapped }) => {
          const lines = wrapped.split('\n')
          const isEven = lines.slice(0, -1).every(({ length }) => length === lines[0]?.length)
          const isByPart = lines.slice(0, -1).every((line) => line.endsWith('.'))
          return (isEven || isByPart) && /^eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{16,}$/.test(lines.join(''))
        },
      ],
    ],
  }),
  ...Object.entries(SERVICES).map(([prefixes, form]) =>
    tokenRule({
      kind: 'service-token',
      hints: prefixes.split(' '),
      pattern: `(?:${escapePattern(prefixes).replaceAll(' ', '|')})${form}`,
    }),
  ),
  tokenRule({ kind: 'service-token', hints: IDS, pattern: '[MNO][A-Za-z0-9]{22,27}\\.[\\w-]{6}\\.[\\w-]{27,40}' }),
  tokenRule({
    kind: 'service-token',
    hints: ['0/', '1/', '2/'],
    pattern: '[012]/\\d{13,17}(?:/\\d{14,17})?:[0-9a-f]{32}(?![A-Za-z0-9])',
  }),
  // bitcoin.org, "Wallet import format": the first signs of an uncompressed key and of a compressed one.
  tokenRule({
    kind: 'private-key',
    hints: ['5H', '5J', '5K', 'Kw', 'Kx', 'Ky', 'Kz', 'L1', 'L2', 'L3', 'L4', 'L5'],
    pattern: '(?<![+/])(?:5[1-9A-HJ-NP-Za-km-z]{50}|[KL][1-9A-HJ-NP-Za-km-z]{51})(?![A-Za-z0-9+/=_-])',
  }),
  ...MARKED.map(([kind, mark, before, after]) =>
    tokenRule({ kind, hints: [mark], before, pattern: escapePattern(mark) + after }),
  ),
]
