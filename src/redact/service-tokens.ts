import { type Rule, tokenRule } from './rule.ts'

/** Characters of tokens, at least so many. The upper limit is far above any token; longer runs are replaced whole. */
const some = (characters: string, least: number): string => `[${characters}]{${least},4000}`
const alnum = (least: number): string => some('A-Za-z0-9', least)
const word = (least: number): string => some('A-Za-z0-9_-', least)
const base64 = (least: number): string => some('A-Za-z0-9+/=_-', least)
const hex = (least: number): string => some('0-9a-fA-F', least)
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

/**
 * Tokens of many services, by the text with which they begin: what follows it.
 * Sources: GitHub secret scanning patterns; the rules of gitleaks; the documentation of each service.
 */
const SERVICES: Record<string, string> = {
  'A3-': '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}',
  ABSK: base64(80),
  'AGE-SECRET-KEY-1': some('A-Z0-9', 40),
  AKCp: alnum(60),
  'API-': '[A-Z0-9]{26}(?![A-Za-z0-9_-])',
  AQVN: word(35),
  ATATT3: base64(100),
  ATCTT3: base64(100),
  CCIPAT_: word(40),
  'CFPAT-': word(40),
  CLOJARS_: alnum(50),
  EAA: '[AC-Z][A-Za-z0-9_-]{58,4000}',
  EZAK: alnum(50),
  EZTK: alnum(50),
  FLWSECK: '(?:_TEST)?-[A-Za-z0-9]{12,40}(?:-X)?',
  GR1348941: word(16),
  'HRKU-AA': word(50),
  LTAI: '[A-Za-z0-9]{16,24}(?![A-Za-z0-9])',
  'NRAK-': some('A-Z0-9', 27),
  'NRII-': word(32),
  'PMAK-': some('0-9a-f-', 50),
  'SG.': `[\\w-]{16,100}\\.${word(16)}`,
  SK: '(?=[0-9a-f]{0,31}\\d)[0-9a-f]{32}(?![A-Za-z0-9])',
  ZXlK: alnum(60),
  'access-': `(?:sandbox|development|production)-${UUID}`,
  api_org_: some('A-Za-z', 30),
  cio: '[A-Za-z0-9]{32}(?![A-Za-z0-9])',
  cmVmd: alnum(55),
  dapi: '[0-9a-f]{32}(?:-\\d)?',
  dckr_: `(?:pat|oat)_${word(20)}`,
  doo_v1_: hex(32),
  dop_v1_: hex(32),
  dor_v1_: hex(32),
  'dp.': `(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,40}\\.)?${alnum(40)}`,
  'dt0c01.': `[A-Z0-9]{24}\\.${some('A-Z0-9', 60)}`,
  duffel_: `(?:test|live)_${word(40)}`,
  eyJrIjoi: base64(60),
  figd_: word(36),
  'fio-u-': word(60),
  fm1: `[ar]_${base64(90)}`,
  fm2_: base64(90),
  fo1_: word(40),
  glc_: base64(32),
  glsa_: `[A-Za-z0-9]{32}_${hex(8)}`,
  gsk_: alnum(40),
  hf_: some('A-Za-z', 30),
  'hvs.': word(20),
  'hvb.': word(20),
  'hvr.': word(20),
  'ico-': alnum(32),
  'key-': '[0-9a-f]{32}(?![A-Za-z0-9])',
  lin_: `(?:api|oauth)_${alnum(30)}`,
  lsv2_: `(?:pt|sk)_${some('0-9a-f_', 32)}`,
  nfp_: alnum(30),
  ntn_: alnum(40),
  'nvapi-': word(40),
  ops_eyJ: base64(100),
  oy2: some('a-z0-9', 43),
  'pat-': `(?:na|eu)\\d-${UUID}`,
  'pat.': '[A-Za-z0-9_-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}',
  pat: '[A-Za-z0-9]{14}\\.[0-9a-f]{60,64}',
  'p8e-': alnum(32),
  'pplx-': alnum(40),
  pnu_: alnum(36),
  pscale_: `(?:tkn|pw|oauth)_${some('\\w=.-', 32)}`,
  'pul-': hex(40),
  'pypi-': word(40),
  r8_: alnum(30),
  rdme_: some('a-z0-9', 60),
  re_: `[A-Za-z0-9]{8}_${alnum(20)}`,
  rubygems_: hex(40),
  's-s4t2': `(?:ud|af)-${hex(60)}`,
  sb_secret_: word(20),
  sbp_: hex(40),
  secret_: '[A-Za-z0-9]{43}(?![A-Za-z0-9_])',
  sgp_: some('0-9a-z_', 40),
  'sha256~': word(43),
  shippo_: `(?:live|test)_${hex(40)}`,
  shp: `(?:at|ca|pa|ss)_${hex(32)}`,
  // Mapbox; its public tokens begin with "pk.".
  'sk.eyJ': `${word(20)}\\.${word(20)}`,
  sm_: '[aps]at_[A-Za-z0-9]{16}',
  sntry: `[su]_${base64(40)}`,
  sq0: `(?:atp|csp)-${word(22)}`,
  tfp_: some('\\w.=-', 50),
  'tk-us-': word(40),
  'tskey-': word(20),
  'v1.0-': '[0-9a-f]{24}-[0-9a-f]{100,200}',
  'xai-': alnum(40),
  'xkeysib-': `${some('0-9a-f', 60)}(?:-[A-Za-z0-9]{16})?`,
  'xsmtpsib-': `${some('0-9a-f', 60)}(?:-[A-Za-z0-9]{16})?`,
}

/** Tokens of services whose mark does not stand at the beginning. */
const MARKED: readonly [mark: string, before: RegExp, after: string][] = [
  ['_mmk', /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}$/, '(?![A-Za-z0-9])'],
  ['.atlasv1.', /[A-Za-z0-9]{14}$/, word(40)],
  ['-us', /(?<![0-9a-zA-Z])[0-9a-f]{32}$/, '\\d{1,2}(?![A-Za-z0-9])'],
  [':AA', /\d{8,10}$/, '[A-Za-z0-9_-]{33}(?![A-Za-z0-9])'],
]

const literally = (text: string): string => text.replaceAll('.', '\\.')

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
