import type { Fault, ProblemType } from '../errors.ts'

/** An example of each problem for openapi.yaml. */
export const PROBLEM_EXAMPLES: Readonly<Record<ProblemType, { detail: string; errors?: readonly Fault[] }>> = {
  'invalid-request': {
    detail: 'The request body is not valid. See `errors` for each fault.',
    errors: [{ pointer: '/messages/0/content', detail: 'is required' }],
  },
  'foreign-origin': {
    detail:
      'Web pages of this Origin may not use this service. Its operator can list the origin in PRECIS_CORS_ORIGINS.',
  },
  'not-found': { detail: 'Unknown route. See GET /openapi.json.' },
  'no-model': {
    detail:
      'This service has no model server, so this route answers only requests for a compaction. Send other requests to the server of the model.',
  },
  'method-not-allowed': { detail: 'This route needs POST, not GET.' },
  'token-refused': { detail: 'Send a service token as Bearer, or as the password of Basic authentication.' },
  'request-timeout': { detail: 'The body arrived too slowly. Send it again.' },
  'body-too-large': {
    detail:
      'The body, after decompression, is larger than this service allows (PRECIS_BODY_LIMIT). Send a smaller body.',
  },
  'prompt-too-large': {
    detail:
      'gpt-5-mini: the model server rejected the prompt as too long (HTTP 400). Send a shorter prompt, or configure a model with a larger context window.',
  },
  'unsupported-media-type': {
    detail: 'Unknown Content-Encoding. Send the body uncompressed, or as gzip, deflate or br.',
  },
  'expectation-failed': { detail: 'The only known value of Expect is 100-continue. Leave the header out.' },
  'wrong-host': {
    detail:
      'This service listens on a loopback address (HOST), so Host must be localhost, 127.0.0.1 or [::1], with any port. Behind a proxy, let the proxy send Host: localhost.',
  },
  'nothing-to-compact': {
    detail:
      '`settings.keepRecentTokens` is 20000 (the default), and the whole session has 1,204 tokens: there is nothing to compact yet. Lower it, or compact later.',
  },
  'compaction-cancelled': {
    detail: 'A hook of this service has cancelled the compaction: Sessions of this project are not summarized.',
  },
  'nothing-gained': {
    detail:
      'The messages would have 1204 tokens after the compaction, and they have 980 now, so nothing is written back. Lower `settings.keepRecentTokens`, or compact later.',
  },
  'no-native-form': {
    detail:
      'A compaction cannot be written back into this session of the format aider. Ask for the JSON reply or `reply=text`.',
  },
  'unknown-format': {
    detail: 'The format of the session is unknown: the body is a JSON object without a field of a known format.',
  },
  'invalid-session': {
    detail: 'The entries do not form a tree.',
    errors: [{ pointer: '/entries/7/parentId', detail: 'must be the id of an entry in the body' }],
  },
  'model-misconfigured': {
    detail:
      'gpt-5-mini: the model server rejected the API key (HTTP 401). Check the API key and the model names in the configuration of the service.',
  },
  'rate-limited': { detail: 'More than 60 requests in a minute. Send the next one in 12 s.' },
  'model-failed': { detail: 'gpt-5-mini: the model server failed (HTTP 503).' },
  overloaded: { detail: 'This service is too busy to reply in time. Try again later.' },
  draining: { detail: 'This replica is shutting down. Send the request again.' },
  'deadline-exceeded': { detail: 'There was no reply within 170 s.' },
  internal: {
    detail: 'Unexpected error in this service. Its log has the details, under the id of the header X-Request-Id.',
  },
}
