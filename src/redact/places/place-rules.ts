import { CONFIG_RULES, QUERY_RULES } from './config-rules.ts'
import { placeRule, type Rule } from '../rule.ts'
import {
  isBasicCredentials,
  isMixed,
  isNoPlaceholder,
  isPlaceholder,
  isRandom,
  isToken,
  isWordy,
} from '../values/secret-values.ts'

const HEADER_RULES = [
  placeRule({
    kind: 'authorization',
    hints: ['authorization'],
    pattern: String.raw`authorization\\{0,3}["']?\]?\s{0,3}(?:[:=,]|=>)\s{0,3}f?\\{0,3}["'${'`'}]?(?:(?<scheme>[a-z][\w-]{1,30})\s{1,4})?(?:\\{0,3}["']\s?\+\s?(?=\\{0,3}["']))?\\{0,3}["']?(?<secret>[^\s"'${'`'},;<>\\]{8,200})`,
    isAnyCase: true,
    accepts: (value, { groups, 0: all }) =>
      isCredentials(value, {
        scheme: groups?.['scheme']?.toLowerCase(),
        isQuoted: /["'`]$/.test(all.slice(0, all.length - (groups?.['secret'] ?? '').length)),
      }),
    source: 'RFC 9110, section 11.6.2; RFC 6750; RFC 7617',
  }),
  placeRule({
    kind: 'authorization',
    hints: ['bearer '],
    pattern: String.raw`bearer {1,4}\\{0,3}["']?(?<secret>[A-Za-z0-9._~+/-]{8,200}={0,2})`,
    isAnyCase: true,
    before: /(?:^|[^A-Za-z0-9_-])$/,
    accepts: isToken,
    source: 'RFC 6750',
  }),
  placeRule({
    kind: 'authorization',
    hints: ['basic '],
    pattern: String.raw`basic {1,4}\\{0,3}["']?(?<secret>[A-Za-z0-9+/_-]{6,200}={0,2})`,
    isAnyCase: true,
    before: /(?:^|[^A-Za-z0-9_-])$/,
    accepts: isBasicCredentials,
    source: 'RFC 7617',
  }),
  placeRule({
    kind: 'authorization',
    hints: ['signature=', 'response=', 'X-JFrog-Art-Api'],
    pattern: String.raw`(?:signature=|response=\\{0,3}"|X-JFrog-Art-Api\\{0,3}["']?: ?\\{0,3}["']?)(?<secret>[A-Za-z0-9]{32,2000}(?![A-Za-z0-9%+/])|[A-Za-z0-9+/%]{24,100}={0,2}(?=[&\s"'<>)]|$))`,
    isAnyCase: true,
    accepts: isRandom,
    source: 'AWS Signature Version 4; RFC 7616; JFrog REST API',
  }),
]

/** A header without a scheme needs more to look like a secret. */
function isCredentials(
  value: string,
  { scheme, isQuoted }: { scheme: string | undefined; isQuoted: boolean },
): boolean {
  if (
    isPlaceholder(value) ||
    /^(?:token|secret|key)[-_]?\d{0,3}$/i.test(value) ||
    value.includes('(') ||
    isWordy(value)
  )
    return false
  if (scheme === 'basic' && isBasicCredentials(value)) return true
  const isLong = /^[A-Za-z0-9]{20,}$/.test(value)
  if (scheme === undefined) return isToken(value) || (isQuoted && value.length >= 12 && isMixed(value))
  return isLong || (isMixed(value) && !/^[a-z]+=/i.test(value))
}

const URL_RULES = [
  placeRule({
    kind: 'url-password',
    hints: ['://', ':\\/\\/', ':\\\\/\\\\/'],
    pattern: String.raw`:\\{0,3}/\\{0,3}/[^\s:@/"'<>]{0,100}:(?<secret>[^\s@"'<>${'`'}\\]{1,200}(?:@[^\s@/"'<>${'`'}]{1,100}){0,2})@(?=[\w[.-])`,
    isAnyCase: true,
    // What follows a port is not a password: `http://localhost:3000,joe@acme.io`.
    accepts: (value) =>
      !isPlaceholder(value) && !/^\d{1,5}[/,;?#)]/.test(value) && !/^(?:x-oauth-basic|bar|xyz|pw|guest)$/.test(value),
    source: 'RFC 3986, section 3.2.1',
  }),
  placeRule({
    kind: 'url-password',
    hints: ['://'],
    pattern: String.raw`://(?<secret>[A-Za-z0-9_.-]{16,300})(?::(?:x-oauth-basic)?)?@(?!o\d+\.|[\w.-]*sentry)(?=[\w[])`,
    accepts: isToken,
    source: 'docs.github.com, tokens as the user of an address',
  }),
  placeRule({
    kind: 'url-password',
    hints: ['@tcp(', '@unix('],
    pattern: String.raw`(?<=[\w.-]{1,60}:(?<secret>[^\s:@/"']{3,200}))@(?:tcp|unix)\(`,
    accepts: isNoPlaceholder,
    source: 'github.com/go-sql-driver/mysql, DSN',
  }),
  placeRule({
    kind: 'service-token',
    hints: ['api.telegram.org/'],
    pattern: String.raw`api\.telegram\.org/(?:file/)?bot(?<secret>\d{6,12}:[\w-]{30,60})`,
    source: 'core.telegram.org/bots/api, "Making requests"',
  }),
  placeRule({
    kind: 'slack-token',
    hints: ['hooks.slack.com/', 'hooks.slack-gov.com/'],
    pattern: 'hooks\\.slack(?:-gov)?\\.com/(?:services|workflows|triggers)/(?<secret>[A-Za-z0-9/_-]{20,200})',
    source: 'api.slack.com, "Incoming webhooks"',
  }),
  placeRule({
    kind: 'webhook',
    hints: ['/hooks/'],
    pattern: String.raw`(?<=https?://[\w.:/-]{1,200})/hooks/(?<secret>(?=[a-z]{0,26}\d)[a-z0-9]{26})(?![\w-])`,
    source: 'docs.mattermost.com, "Incoming webhooks"',
  }),
  placeRule({
    kind: 'webhook',
    hints: ['maker.ifttt.com/'],
    pattern: String.raw`maker\.ifttt\.com/[\w/-]{1,100}?/key/(?<secret>[\w-]{20,60})`,
    source: 'ifttt.com/maker_webhooks',
  }),
  placeRule({
    kind: 'webhook',
    hints: ['/api/webhooks/', 'hooks.zapier.com/', '/webhookb2/', 'office.com/webhook/'],
    pattern: String.raw`(?:/api/webhooks/|hooks\.zapier\.com/hooks/catch/|/webhookb2/|office\.com/webhook/)(?<secret>[\w@-]{6,200}/[\w/-]{6,200})`,
    accepts: (value) => /\d/.test(value),
    source: 'discord.com/developers, zapier.com, learn.microsoft.com/microsoftteams: webhooks',
  }),
]

/** Rules for secrets that are recognizable by the text around them. */
export const PLACE_RULES: readonly Rule[] = [...HEADER_RULES, ...URL_RULES, ...QUERY_RULES, ...CONFIG_RULES]
