import { PROBLEMS, type ProblemType } from '../../errors.ts'

/** Replies to requests that are not in the contract. */
const OF_OTHER_REQUESTS: readonly ProblemType[] = [
  'not-found',
  'no-model',
  'method-not-allowed',
  'expectation-failed',
  'not-prepared',
  'nothing-to-compare',
]
const OF_MODELS: readonly ProblemType[] = ['prompt-too-large', 'model-misconfigured', 'model-failed']
/** Only sessions have these problems, not the conversations of other APIs. */
const OF_SESSIONS: readonly ProblemType[] = ['nothing-gained', 'no-native-form', 'unknown-format', 'invalid-session']

/** The problems of a use case with a session and a model. */
export const SUMMARY_PROBLEMS = (Object.keys(PROBLEMS) as ProblemType[]).filter(
  (type) => !OF_OTHER_REQUESTS.includes(type),
)

/** The problems of a use case with a session that calls no model. */
export const SESSION_PROBLEMS = SUMMARY_PROBLEMS.filter((type) => !OF_MODELS.includes(type))

/** The problems of the use cases of other APIs, whose conversations are not sessions. */
export const CHAT_PROBLEMS = SUMMARY_PROBLEMS.filter((type) => !OF_SESSIONS.includes(type))

/** Returns the description of a route with its rules, as Markdown, which OpenAPI allows. */
export const withRules = (description: string, ...rules: string[]): string =>
  [description, '', ...rules.map((rule) => `- ${rule}`)].join('\n')
