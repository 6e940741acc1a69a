import { placeRule, type Rule, tokenRule } from '../rule.ts'
import { alnum, some, word } from './service-forms.ts'

/** The kinds of tokens of GitLab. */
const GITLAB = ['pat', 'dt', 'rt', 'cbt', 'ptt', 'ft', 'ffct', 'soat', 'imt', 'agent', 'oas']

/** Rules for the tokens that agents meet most; each names its service in the replacement. */
export const TOKEN_RULES: readonly Rule[] = [
  tokenRule({
    kind: 'anthropic-key',
    hints: ['sk-ant-'],
    pattern: `sk-ant-${word(8)}`,
    source: 'docs.anthropic.com, "API keys"; GitHub secret scanning patterns',
  }),
  tokenRule({
    kind: 'openai-key',
    hints: ['sk-'],
    // Old keys are 48 letters and digits; `proj`, `svcacct` and `admin` name newer ones. Other vendors copied `sk-`.
    pattern: `sk-(?:(?:proj|svcacct|admin|or-v1|None)-${word(8)}|(?=[A-Za-z]{0,200}\\d)${alnum(20)})`,
    source: 'platform.openai.com/docs, "API keys"; GitHub secret scanning patterns',
  }),
  tokenRule({
    kind: 'github-token',
    hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    pattern: `(?:gh[pousr]_${alnum(16)}|github_pat_${some('A-Za-z0-9_', 20)})`,
    source: 'docs.github.com, "About authentication to GitHub": token prefixes',
  }),
  tokenRule({
    kind: 'gitlab-token',
    hints: GITLAB.map((kind) => `gl${kind}-`),
    pattern: `gl(?:${GITLAB.join('|')})-${word(16)}(?:\\.[A-Za-z0-9_-]{2,40}){0,4}`,
    source: 'docs.gitlab.com, "Token overview": token prefixes',
  }),
  tokenRule({
    kind: 'aws-access-key',
    hints: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    pattern: '(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{12,16}[A-Z0-9]{0,4}(?![A-Za-z0-9])',
    source: 'docs.aws.amazon.com/IAM, "Unique identifiers"',
  }),
  placeRule({
    kind: 'aws-secret-key',
    hints: ['AKIA', 'ASIA'],
    pattern:
      '(?:AKIA|ASIA)[A-Z2-7]{12,16}(?![A-Za-z0-9+/])[^]{1,100}?(?:(?<![A-Za-z0-9+/=_-])|(?<=\\\\[tnr]))(?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=_-])',
    accepts: (value) => /[A-Z]/.test(value) && /[a-z]/.test(value) && /\d/.test(value),
    source: 'docs.aws.amazon.com/IAM, "Access keys": the two parts of a key are printed together',
  }),
  tokenRule({
    kind: 'google-key',
    hints: ['AIza', 'GOCSPX-', 'ya29.', '1//0'],
    pattern: `(?:AIza${word(30)}|GOCSPX-${word(20)}|ya29\\.${some('A-Za-z0-9_.-', 20)}|1//0${word(30)})`,
    source:
      'cloud.google.com/docs, "API keys"; developers.google.com/identity, "OAuth 2.0"; GitHub secret scanning patterns',
  }),
  tokenRule({
    kind: 'azure-secret',
    hints: ['Q~'],
    before: /[A-Za-z0-9_~.-]{3}\d$/,
    pattern: 'Q~[A-Za-z0-9_~.-]{31,34}',
    source: 'learn.microsoft.com/entra, client secrets',
  }),
  tokenRule({
    kind: 'slack-token',
    hints: ['xox', 'xapp-'],
    pattern: `(?:xox[abceoprsd](?:\\.xox[bp])?-${some('A-Za-z0-9-', 10)}|xapp-\\d-${some('A-Za-z0-9-', 10)})`,
    source: 'api.slack.com, "Token types"',
  }),
  tokenRule({
    kind: 'stripe-key',
    hints: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'sk_prod_', 'whsec_'],
    pattern: `(?:[sr]k_(?:live|test|prod)_${alnum(10)}|whsec_${some('A-Za-z0-9+/=', 16)})`,
    source: 'docs.stripe.com/keys',
  }),
  tokenRule({
    kind: 'npm-token',
    hints: ['npm_'],
    pattern: `npm_${alnum(30)}`,
    source: 'docs.npmjs.com, "About access tokens"; github.blog, npm token format',
  }),
  tokenRule({
    kind: 'jwt',
    hints: ['eyJ'],
    pattern: `eyJ[A-Za-z0-9_-]{8,16000}\\.(?:eyJ[A-Za-z0-9_-]{8,16000}(?:\\.[A-Za-z0-9_-]{0,16000})?|[A-Za-z0-9_-]{0,16000}(?:\\.[A-Za-z0-9_-]{8,16000}){3})`,
    source: 'RFC 7519; RFC 7516 for encrypted ones',
  }),
]
