import { UUID_FORM } from '../scan.ts'

/** Returns a pattern of at least so many characters of a token. Longer runs are replaced whole. */
export const some = (characters: string, least: number): string => `[${characters}]{${least},4000}`
export const alnum = (least: number): string => some('A-Za-z0-9', least)
export const word = (least: number): string => some('A-Za-z0-9_-', least)
const base64 = (least: number): string => some('A-Za-z0-9+/=_-', least)
const hex = (least: number): string => some('0-9a-fA-F', least)

/**
 * Tokens of many services: the texts with which they begin, separated by blanks, and what follows.
 * Sources: GitHub secret scanning patterns; the rules of gitleaks; the documentation of each service.
 */
export const SERVICES: Record<string, string> = {
  // Distinct beginnings, by what may follow: secret keys of minisign and signify are among those in Base64.
  'eyJrIjoi bedrock-api-key- fm2_ fm1a_ fm1r_ ABSK ATATT3 ATCTT3 ops_eyJ RWRTY0Iy RWQAAEIy RWRCSwAAAA': base64(60),
  'glc_ sntrys_ sntryu_': base64(32),
  'CCIPAT_ CFPAT- fo1_ nvapi- pypi- tk-us- y0_ HRKU-AA pcsk_ fio-u- sha256~ 4/0A duffel_live_ duffel_test_': word(40),
  'figd_ tgp_v1_ NRII- AQVN cfsk_ mdb_sa_sk_ vercel_blob_rw_ ory_at_ ory_rt_ ory_pat_ ory_ac_': word(30),
  'pdl_live_apikey_ pdl_sdbx_apikey_ polar_oat_ polar_pat_ polar_at_ polar_rt_': word(30),
  'hvs. hvb. hvr. sb_secret_ tskey- GR1348941 dckr_pat_ dckr_oat_': word(20),
  'v1.local. v2.local. v3.local. v4.local. sl. sl.u.': word(60),
  'AKCp ZXlK cmVmd xprv yprv zprv': alnum(55),
  'CLOJARS_ EZAK EZTK jina_ gsk_ ntn_ pplx- xai- phs_ phx_ xau_': alnum(40),
  'nfp_ r8_ pnu_ ddp_ ico- p8e- lin_api_ lin_oauth_': alnum(30),
  ATBB: alnum(28),
  'apify_api_ dbtc_ dbtu_': word(30),
  AVNS_: word(15),
  // Okta: the scheme of the header belongs to the token.
  SSWS: ' 00[A-Za-z0-9_-]{38,42}(?![A-Za-z0-9_-])',
  npg_: '(?=[a-z]{0,20}[A-Z\\d])[A-Za-z0-9]{12,20}(?![A-Za-z0-9_])',
  'AGE-SECRET-KEY-1 NRAK-': some('A-Z0-9', 27),
  'oy2 rdme_ os_v2_app_ csk- hcaik_ hcxik_ napi_ suiprivkey1': some('a-z0-9', 40),
  retool_: some('0-9a-z', 26),
  sgp_: some('0-9a-z_', 40),
  api_org_: some('A-Za-z', 30),
  'pul- rubygems_ sbp_ bkua_ e2b_ sqa_ sqp_ squ_ shippo_live_ shippo_test_ s-s4t2ud- s-s4t2af- mlsn.': hex(40),
  'depot_user_ depot_org_ depot_project_': hex(40),
  'doo_v1_ dop_v1_ dor_v1_ plane_api_ shpat_ shpca_ shppa_ shpss_ signkey-prod- signkey-test- signkey-branch-': hex(32),
  'lsv2_pt_ lsv2_sk_ PMAK-': some('0-9a-f_-', 32),
  'xkeysib- xsmtpsib-': `${some('0-9a-f', 60)}(?:-[A-Za-z0-9]{16})?`,
  'pscale_tkn_ pscale_pw_ pscale_oauth_ tfp_': some('\\w=.-', 32),
  'access-sandbox- access-development- access-production- pat-na1- pat-na2- pat-eu1- sdk- sk-lf- xaat- xapt-':
    UUID_FORM,
  // Short beginnings, which need the length of what follows.
  'key- fc-': '[0-9a-f]{32}(?![A-Za-z0-9])',
  'cs_ ck_ sk_': '[0-9a-f]{40}(?:[0-9a-f]{8})?(?![A-Za-z0-9])',
  'cio aio_ rnd_': '[A-Za-z0-9]{28,36}(?![A-Za-z0-9_])',
  SK: '(?=[0-9a-f]{0,31}\\d)[0-9a-f]{32}(?![A-Za-z0-9])',
  // docs.nats.io, "NKeys": the seeds of users, accounts, operators and servers.
  'SUA SAA SOA SNA SCA SXA': '(?=[A-Z]{0,40}\\d)[A-P][A-Z2-7]{54}(?![A-Za-z0-9])',
  LTAI: '[A-Za-z0-9]{16,24}(?![A-Za-z0-9])',
  fw_: '[A-Za-z0-9]{22,24}(?![A-Za-z0-9_])',
  secret_: '[A-Za-z0-9]{43}(?![A-Za-z0-9_])',
  dapi: '[0-9a-f]{32}(?:-\\d)?',
  hf_: '(?:[A-Za-z0-9]{34}(?![A-Za-z0-9])|[A-Za-z]{30,4000})',
  EAA: '(?:[AC-Z][A-Za-z0-9_-]{58,4000}|[A-Za-z0-9]{100,4000}(?![A-Za-z0-9+/=_-]))',
  // docs.docker.com, config.json, and the Secrets of Kubernetes for it: `{"auths":`, also with blanks, in Base64.
  'eyJhdXRocyI6 eyAiYXV0aHMi ewogICJhdXRocyI6 ewogICAgImF1dGhzIj ewoJImF1dGhzIj': base64(20),
  AAAAAAAAAAAAAAAAAAAAA: 'A{0,2}(?!A)(?=[A-Za-z0-9%]{0,60}\\d)[A-Za-z0-9%]{50,4000}',
  // Tokens of several parts.
  'A3-': '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}',
  'API-': '[A-Z0-9]{26}(?![A-Za-z0-9_-])',
  FLWSECK: '(?:_TEST)?-[A-Za-z0-9]{12,40}(?:-X)?',
  K10: '[0-9a-f]{64}::(?:server|node):[0-9a-f]{32}',
  'SG.': `[\\w-]{16,100}\\.${word(16)}`,
  access_token$: `(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}`,
  // A key of 128 or 256 bits: laravel.com, "Encryption".
  'base64:': '(?:[A-Za-z0-9+/]{22}==|[A-Za-z0-9+/]{43}=)(?![A-Za-z0-9+/=])',
  'dp.': `(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,40}\\.)?${alnum(40)}`,
  'dt0c01.': `[A-Z0-9]{24}\\.${some('A-Z0-9', 60)}`,
  glsa_: `[A-Za-z0-9]{32}_${hex(8)}`,
  'pat.': '[A-Za-z0-9_-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}',
  pat: '[A-Za-z0-9]{14}\\.[0-9a-f]{60,64}',
  re_: `[A-Za-z0-9]{8}_${alnum(20)}`,
  'sk.eyJ': `${word(20)}\\.${word(20)}`,
  sm_: '[aps]at_[A-Za-z0-9]{16}',
  snyk_: `[a-z]{3}\\.[0-9a-f]{8}\\.${word(40)}`,
  sq0: `(?:atp|csp)-${word(22)}`,
  't1.': `[\\w-]{10,1000}={0,2}\\.${word(80)}`,
  'tvly-': `(?:dev-|prod-)?${alnum(28)}`,
  'v1.0-': '[0-9a-f]{24}-[0-9a-f]{100,200}',
}
