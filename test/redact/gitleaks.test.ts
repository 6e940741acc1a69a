import t from 'tap'
import { redactText } from '../../src/redact/redact-text.ts'
import { createRandom } from './corpus/random.ts'
import { TOKENS } from './corpus/tokens.ts'

/**
 * The rules of gitleaks (config/gitleaks.toml at commit 009e025), as a second opinion: which kinds of secrets it knows,
 * and by what they are found here.
 */

/** Found by their form; TOKENS has an example of each under the same name. */
const BY_FORM = [
  ...['1password-secret-key', '1password-service-account-token', 'adobe-client-secret', 'age-secret-key'],
  ...['alibaba-access-key-id', 'anthropic-admin-api-key', 'anthropic-api-key', 'artifactory-api-key'],
  ...['artifactory-reference-token', 'atlassian-api-token', 'aws-access-token', 'azure-ad-client-secret'],
  ...['clojars-api-token', 'cloudflare-origin-ca-key', 'databricks-api-token', 'digitalocean-access-token'],
  ...['digitalocean-pat', 'digitalocean-refresh-token', 'doppler-api-token', 'duffel-api-token', 'dynatrace-api-token'],
  ...['easypost-api-token', 'facebook-page-access-token', 'flutterwave-secret-key', 'flyio-access-token'],
  ...['frameio-api-token', 'gcp-api-key', 'github-app-token', 'github-fine-grained-pat', 'github-oauth', 'github-pat'],
  ...['github-refresh-token', 'gitlab-cicd-job-token', 'gitlab-feature-flag-client-token', 'gitlab-oauth-app-secret'],
  ...['gitlab-pat', 'gitlab-pat-routable', 'gitlab-rrt', 'grafana-api-key', 'grafana-cloud-api-token'],
  ...['grafana-service-account-token', 'harness-api-key', 'hashicorp-tf-api-token', 'heroku-api-key-v2'],
  ...['huggingface-access-token', 'huggingface-organization-api-token', 'infracost-api-token', 'intra42-client-secret'],
  ...['jwt', 'jwt-base64', 'linear-api-key', 'mailchimp-api-key', 'mailgun-private-api-token', 'maxmind-license-key'],
  ...['netlify-access-token', 'new-relic-insert-key', 'new-relic-user-api-key', 'notion-api-token', 'npm-access-token'],
  ...['octopus-deploy-api-key', 'openai-api-key', 'openshift-user-token', 'perplexity-api-key', 'plaid-api-token'],
  ...['planetscale-api-token', 'planetscale-oauth-token', 'planetscale-password', 'postman-api-token'],
  ...['prefect-api-token', 'pulumi-api-token', 'pypi-upload-token', 'readme-api-token', 'rubygems-api-token'],
  ...['scalingo-api-token', 'sendgrid-api-token', 'sendinblue-api-token', 'sentry-org-token', 'sentry-user-token'],
  ...['settlemint-personal-access-token', 'shippo-api-token', 'shopify-access-token', 'shopify-custom-access-token'],
  ...['shopify-private-app-access-token', 'shopify-shared-secret', 'slack-app-token', 'slack-bot-token'],
  ...['slack-config-access-token', 'slack-user-token', 'sourcegraph-access-token', 'square-access-token'],
  ...['stripe-access-token', 'telegram-bot-api-token', 'twilio-api-key', 'typeform-api-token', 'vault-batch-token'],
  ...['vault-service-token', 'yandex-api-key'],
]

/** Found by the name to which they are assigned: `ALGOLIA_API_KEY=...`. */
const BY_NAME = [
  ...['adafruit', 'airtable', 'algolia', 'alibaba', 'asana', 'beamer', 'bitbucket', 'bittrex', 'cisco_meraki'],
  ...['cloudflare', 'codecov', 'cohere', 'coinbase', 'confluent', 'contentful', 'datadog', 'discord', 'droneci'],
  ...['dropbox', 'etsy', 'facebook', 'fastly', 'finicity', 'finnhub', 'flickr', 'freshbooks', 'gitter', 'gocardless'],
  ...['hubspot', 'intercom', 'jfrog', 'kraken', 'kucoin', 'launchdarkly', 'linkedin', 'lob', 'mapbox', 'mattermost'],
  ...['messagebird', 'nytimes', 'okta', 'plaid', 'privateai', 'rapidapi', 'sendbird', 'snyk', 'sonar', 'squarespace'],
  ...['sumologic', 'travisci', 'twitch', 'twitter', 'zendesk'],
]

/*
 * Not replaced, for a reason:
 * - adobe-client-id, bitbucket-client-id, discord-client-id, linkedin-client-id, plaid-client-id: names of programs
 * - flutterwave-public-key, lob-pub-api-key, mailgun-pub-key, new-relic-browser-api-token: public
 * - pkcs12-file: the name of a file
 * - sidekiq-secret: the name of a variable without a word for a secret
 */

t.test('what gitleaks finds by its form is found', async (t) => {
  for (const name of BY_FORM) {
    const token = TOKENS[name]?.(createRandom(name)) ?? name
    t.match(redactText(`value ${token} end`), { text: /^value \[redacted:[a-z-]+\] end$/, redactions: 1 }, name)
  }
})

t.test('what gitleaks finds by the name of its service is found by the words key, token and secret', async (t) => {
  for (const service of BY_NAME) {
    const r = createRandom(service)
    for (const secret of [r.lower(32), r.hex(40), r.uuid(), r.base64url(43)])
      for (const write of [
        (value: string) => `${service.toUpperCase()}_API_KEY=${value}`,
        (value: string) => `"${service}_access_token": "${value}"`,
        (value: string) => `const ${service}ClientSecret = '${value}'`,
      ])
        t.equal(redactText(write(secret)).text, write('[redacted:secret]'))
  }
})
