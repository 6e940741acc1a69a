/** How one kind of secret is found. */
export interface Rule {
  /** Stands in the replacement: `[redacted:KIND]`. */
  kind: string
  /** Literal texts, one of which stands in or beside every match. They are searched first, since that is fast. */
  hints: readonly string[]
  /** The secret is the group `secret`, or the whole match. Global; linear on any text. */
  pattern: RegExp
  /** Where the form is documented. */
  source: string
}

/** A token does not begin inside a word: `task-1` is not a token that begins with `sk-`. */
const START = String.raw`(?<![A-Za-z0-9_-])`

const token = (body: string): RegExp => new RegExp(START + body, 'g')

/** Rules for tokens that are recognizable by their form. */
export const TOKEN_RULES: readonly Rule[] = [
  {
    kind: 'anthropic-key',
    hints: ['sk-ant-'],
    pattern: token('sk-ant-[A-Za-z0-9_-]{8,}'),
    source: 'docs.anthropic.com, "API keys"; GitHub secret scanning patterns',
  },
  {
    kind: 'openai-key',
    hints: ['sk-'],
    // Old keys are 48 letters and digits; `proj`, `svcacct` and `admin` name newer ones. Other vendors copied `sk-`.
    pattern: token(
      String.raw`sk-(?:(?:proj|svcacct|admin|or-v1|None)-[A-Za-z0-9_-]{8,}|(?=[A-Za-z0-9]*\d)[A-Za-z0-9]{20,})`,
    ),
    source: 'platform.openai.com/docs, "API keys"; GitHub secret scanning patterns',
  },
  {
    kind: 'github-token',
    hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    pattern: token('(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{20,})'),
    source: 'docs.github.com, "About authentication to GitHub": token prefixes',
  },
  {
    kind: 'gitlab-token',
    hints: ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glsoat-', 'glimt-', 'glagent-', 'GR1348941'],
    pattern: token('(?:gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent)-[A-Za-z0-9_.-]{16,}|GR1348941[A-Za-z0-9_-]{16,})'),
    source: 'docs.gitlab.com, "Token overview": token prefixes',
  },
  {
    kind: 'aws-access-key',
    hints: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    pattern: token('(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{12,16}[A-Z0-9]{0,4}(?![A-Za-z0-9])'),
    source: 'docs.aws.amazon.com/IAM, "Unique identifiers"',
  },
  {
    kind: 'google-key',
    hints: ['AIza', 'GOCSPX-', 'ya29.'],
    pattern: token('(?:AIza[A-Za-z0-9_-]{30,}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\\.[A-Za-z0-9_-]{20,})'),
    source: 'cloud.google.com/docs, "API keys"; GitHub secret scanning patterns',
  },
  {
    kind: 'azure-secret',
    hints: ['AccountKey=', 'SharedAccessKey=', 'Q~', 'sig='],
    pattern:
      /(?:(?:AccountKey|SharedAccessKey)=(?<secret>[A-Za-z0-9+/]{20,}={0,2})|(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,34}|(?<=[?&]sig=)[A-Za-z0-9%+/]{30,}(?:=|%3[dD])?)/g,
    source: 'learn.microsoft.com/azure, "storage connection string", "service SAS", Entra client secrets (Q~)',
  },
  {
    kind: 'slack-token',
    hints: ['xox', 'xapp-', 'hooks.slack.com'],
    pattern:
      /(?<![A-Za-z0-9_-])(?:xox[abeoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{10,})|(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/_-]{20,}/g,
    source: 'api.slack.com, "Token types", "Incoming webhooks"',
  },
  {
    kind: 'stripe-key',
    hints: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'],
    pattern: token('(?:[sr]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,})'),
    source: 'docs.stripe.com/keys',
  },
  {
    kind: 'npm-token',
    hints: ['npm_', '_authToken='],
    pattern: /(?<![A-Za-z0-9_-])npm_[A-Za-z0-9]{30,}|(?<=_authToken=)[A-Za-z0-9_-][A-Za-z0-9_=+/-]{9,}/g,
    source: 'docs.npmjs.com, "About access tokens"; github.blog, npm token format',
  },
  {
    kind: 'jwt',
    hints: ['eyJ'],
    pattern: token(String.raw`eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?`),
    source: 'RFC 7519',
  },
  {
    kind: 'service-token',
    hints: ['hf_', 'SG.', 'pypi-', 'dop_v1_', 'gsk_', 'xai-', 'pplx-', 'dapi', 'sntrys_', 'shpat_', 'AGE-SECRET-KEY-'],
    pattern: token(
      String.raw`(?:hf_[A-Za-z]{30,}|SG\.[\w-]{16,}\.[\w-]{16,}|pypi-[\w-]{40,}|dop_v1_[0-9a-f]{32,}|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{40,}|pplx-[A-Za-z0-9]{40,}|dapi[0-9a-f]{32}|sntrys_[\w=+/-]{40,}|shpat_[0-9a-f]{32}|AGE-SECRET-KEY-1[A-Z0-9]{40,})`,
    ),
    source:
      'GitHub secret scanning patterns: Hugging Face, SendGrid, PyPI, DigitalOcean, Groq, xAI, Perplexity, Databricks, Sentry, Shopify, age',
  },
]

/** Rules for secrets that are recognizable by the text around them. */
export const PLACE_RULES: readonly Rule[] = [
  {
    kind: 'authorization',
    hints: ['earer ', 'asic ', 'EARER ', 'ASIC '],
    pattern: /\b(?:bearer|basic) {1,4}["']?(?<secret>(?=[A-Za-z._~+/-]{0,200}\d)[A-Za-z0-9._~+/-]{8,}={0,2})/gi,
    source: 'RFC 6750, RFC 7617',
  },
  {
    kind: 'url-password',
    hints: ['://'],
    pattern: /:\/\/[^\s:@/"'<>]{0,100}:(?<secret>[^\s@/"'<>${}*[\]]{1,200})@(?=[\w[])/g,
    source: 'RFC 3986, section 3.2.1',
  },
]
