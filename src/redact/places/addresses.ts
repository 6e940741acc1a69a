import { type Judge, rulesOf } from '../rule.ts'
import {
  isBasicCredentials,
  isMixed,
  isNoPlaceholder,
  isPlaceholder,
  isRandom,
  isToken,
  isWordy,
} from '../values/secret-values.ts'

/** Rules for secrets in the headers of HTTP. */
export const HEADER_RULES = rulesOf({
  authorization: [
    // RFC 9110, section 11.6.2; RFC 6750; RFC 7617.
    [
      'authorization',
      // In `"AWS::Config::AggregationAuthorization"`, it is a type of a resource.
      /(?<!\w::\w{0,40})authorization\\{0,3}["']?\]?\s{0,3}(?:[:=,]|=>)\s{0,3}f?\\{0,3}["'`]?(?:(?<scheme>[a-z][\w-]{1,30})\s{1,4})?(?:\\{0,3}["']\s?\+\s?(?=\\{0,3}["']))?\\{0,3}["']?(?<secret>[^\s"'`,;<>\\]{8,200})/i,
      (value, { groups, 0: all }) =>
        isCredentials(value, {
          scheme: groups?.['scheme']?.toLowerCase(),
          isQuoted: /["'`]$/.test(all.slice(0, all.length - (groups?.['secret'] ?? '').length)),
        }),
    ],
    ['bearer ', / {0,3}(?<![\w-]bearer {1,4})\\{0,3}["']?(?<secret>[A-Za-z0-9._~+/-]{8,200}={0,2})/i, isToken],
    ['basic ', / {0,3}(?<![\w-]basic {1,4})\\{0,3}["']?(?<secret>[A-Za-z0-9+/_-]{6,200}={0,2})/i, isBasicCredentials],
    // A scheme and its credentials as two arguments: `new AuthenticationHeaderValue("Basic", "x")` in C#, and the same without a type.
    [
      '"basic", "|"bearer", "|"token", "|\'basic\', \'|\'bearer\', \'|\'token\', \'',
      /(?<secret>[A-Za-z0-9+/._~-]{8,400}={0,2})\\{0,3}["']/i,
      (value) => isToken(value) || isBasicCredentials(value),
    ],
    // AWS Signature Version 4; RFC 7616; Hawk; JFrog REST API; jenkins.io, "CSRF Protection".
    [
      'signature=|response=|mac=|X-JFrog-Art-Api|Jenkins-Crumb',
      /(?:(?<==)\\{0,3}"?|\\{0,3}["']?: ?\\{0,3}["']?)(?<secret>[A-Za-z0-9]{32,2000}(?![A-Za-z0-9%+/~_-])|[A-Za-z0-9~_-]{150,2000}|[A-Za-z0-9~_-]{40,2000}(?=&Key-Pair-Id=)|[A-Za-z0-9+/%]{24,100}={0,2}(?=[&\s"'<>)]|$))/i,
      isRandom,
    ],
  ],
})

/** A header without a scheme needs more to look like a secret. */
function isCredentials(
  value: string,
  { scheme, isQuoted }: { scheme: string | undefined; isQuoted: boolean },
): boolean {
  if (isPlaceholder(value) || /^(?:token|secret|key)[-_]?\d{0,3}$/i.test(value) || value.includes('(')) return false
  if (isWordy(value)) return false
  if (scheme === 'basic' && isBasicCredentials(value)) return true
  if (scheme === undefined) return isToken(value) || (isQuoted && value.length >= 12 && isMixed(value))
  return /^[A-Za-z0-9]{20,}$/.test(value) || (isMixed(value) && !/^[a-z]+=/i.test(value))
}

/** Returns whether a part of a path is random letters of both cases and digits: ids and hashes have one case, except behind some words. */
const isPathToken: Judge = (value, { 0: all }) =>
  ((/[A-Z]/.test(value) && /[a-z]/.test(value)) ||
    (/^[0-9a-f]{32,}$/.test(value) && LINK.test(all) && !/\/(?:commit|blob|tree|raw|compare|archive)/.test(all))) &&
  isToken(value) &&
  !isWordy(value)

/** Links of mails, and addresses that programs call. */
const LINK = /^\/(?:hook|webhook|invit|reset|password|verify|confirm|activate|magic|unsubscribe)/

/** Rules for secrets in addresses. */
export const ADDRESS_RULES = rulesOf({
  'url-password': [
    // RFC 3986, section 3.2.1. What follows a port is not a password: `http://localhost:3000,joe@acme.io`.
    [
      String.raw`://|:\/\/|:\\/\\/|:\\\/\\\/`,
      /[^\s:@/"'<>]{0,100}:(?<secret>[^\s@"'<>`\\]{1,200}(?:@[^\s@/"'<>`]{1,100}){0,2})@(?=[\w[.{$%-])/i,
      (value) =>
        !isPlaceholder(value) && !/^\d{1,5}[/,;?#)]/.test(value) && !/^(?:x-oauth-basic|bar|xyz|pw|guest)$/.test(value),
    ],
    // docs.github.com, tokens as the user of an address.
    ['://', /(?<secret>[\w.-]{16,300})(?::(?:x-oauth-basic)?)?@(?!o\d+\.|[\w.-]*sentry)(?=[\w[])/, isToken],
    // github.com/go-sql-driver/mysql, DSN.
    ['@tcp(|@unix(', /(?<=[\w.-]{1,60}:(?<secret>[^\s:@/"']{3,200}))@(?:tcp|unix)\(/, isNoPlaceholder],
  ],
  // core.telegram.org/bots/api, "Making requests".
  'service-token': [['api.telegram.org/', /(?:file\/)?bot(?<secret>\d{6,12}:[\w-]{30,60})/]],
  // api.slack.com, "Incoming webhooks".
  'slack-token': [
    [
      'hooks.slack.com/|hooks.slack-gov.com/',
      /(?:services|workflows|triggers)\/(?<secret>[A-Za-z0-9/_-]{20,200})/,
      (value) => !/X{6}|0{8}/.test(value),
    ],
  ],
  // A part of a path that looks random, behind one that says what it is.
  'path-token': [
    [
      '/hook|/webhook|/services|/api|/token|/key|/secret|/incoming|/trigger|/invit|/reset|/password|/verify|/confirm|/activate|/magic|/unsubscribe|/ical|/push|/notify',
      /[\w-]{0,30}\/(?:[\w.@:-]{1,60}\/){0,3}?(?<secret>[\w-]{20,200})(?=[/?#\s"'`)&,;\\<>\]]|$)/,
      isPathToken,
    ],
    ['/bot', /(?<secret>\d{6,12}:[\w-]{20,60})(?=\/[A-Za-z]|["'`\s])/],
  ],
  // The documentation of Mattermost, Make, IFTTT, Discord, Zapier, Teams, Feishu, WeCom and DingTalk.
  webhook: [
    ['/hooks/', /(?<=https?:\/\/[\w.:/-]{1,200})\/hooks\/(?<secret>(?=[a-z]{0,26}\d)[a-z0-9]{26})(?![\w-])/],
    ['.make.com/', /(?<=\bhook\.\w{2,4}\d?)\.make\.com\/(?<secret>[a-z0-9]{32})/],
    ['maker.ifttt.com/', /[\w/-]{1,100}?\/key\/(?<secret>[\w-]{20,60})/],
    [
      '/api/webhooks/|hooks.zapier.com/hooks/catch/|/webhookb2/|office.com/webhook/|office365.com/webhook/',
      /(?<secret>[\w@-]{6,200}\/[\w/-]{6,200})/,
      (value) => /\d/.test(value),
    ],
    // developer.pagerduty.com; help.victorops.com; docs.opsgenie.com; healthchecks.io; nosnch.in; uptime.kuma.pet.
    [
      'events.pagerduty.com/integration/|alert.victorops.com/integrations/generic/|hc-ping.com/|nosnch.in/|/api/push/',
      /(?:\d{1,10}\/alert\/)?(?<secret>[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=nosnch\.in\/)[0-9a-f]{10}|(?<=push\/)[A-Za-z0-9]{32})(?![\w-])/,
    ],
    ['/bot/v2/hook/|cgi-bin/webhook/send?key=|robot/send?access_token=', /(?<secret>[\w-]{20,100})/],
  ],
  secret: [
    // RFC 6749, section 10; addresses with the token of a session.
    [
      '&hash=|?auth=|&auth=|?key=|&key=|?session|&session|?sid=|&sid=|?ticket=|&ticket=|?code=|&code=',
      /(?:(?:_?id)?=)?(?<==)(?:(?<!code=)|(?=[\w.~%+/-]{36}))(?<secret>[\w.~%+/-]{16,400})/,
      isToken,
    ],
    // Links that sign in, and calendars that need no password.
    ['/magic/|/magic-link/|/private-', /(?:(?<=\/)|(?=[0-9a-f]{32}\/))(?<secret>[\w-]{24,200})/, isToken],
  ],
})
