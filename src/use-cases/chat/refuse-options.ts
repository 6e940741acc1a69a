import type { Fields } from '../../agents/shared/values.ts'
import type { Fault } from '../../errors.ts'
import { invalidBody } from '../../ingest/compile-validator.ts'
import { CONSTRAINTS } from '../../schemas/refused-options.ts'
import { fieldsOf, isObject } from '../../session/entry.ts'

/**
 * Rejects options of other APIs that would change the reply: a client that sets them would misread a reply that ignores them.
 * Options that only steer a model are ignored, as are tools.
 * @throws Problem `invalid-request`
 */
export function refuseOptions(fields: object): void {
  const faults = CHECKS.flatMap((check) => check(fieldsOf(fields)))
  if (faults.length > 0) throw invalidBody(faults)
}

const CHECKS: readonly ((fields: Fields) => Fault[])[] = [
  ({ n }) => (isAbsent(n) || n === 1 ? [] : [{ pointer: '/n', detail: 'must be 1: a reply has one answer' }]),
  ({ modalities }) =>
    isText(modalities) ? [] : [{ pointer: '/modalities', detail: 'must be ["text"]: a reply is text' }],
  ({ logprobs }) =>
    isAbsent(logprobs) || logprobs === false
      ? []
      : [{ pointer: '/logprobs', detail: `must be false: ${NO_PROBABILITIES}` }],
  ({ top_logprobs: top }) =>
    isAbsent(top) || top === 0 ? [] : [{ pointer: '/top_logprobs', detail: `must be 0: ${NO_PROBABILITIES}` }],
  ({ include }) =>
    Array.isArray(include) && include.includes(PROBABILITIES)
      ? [{ pointer: '/include', detail: `must not have "${PROBABILITIES}": ${NO_PROBABILITIES}` }]
      : [],
  ({ background }) =>
    isAbsent(background) || background === false
      ? []
      : [{ pointer: '/background', detail: 'must be false: this service stores no responses' }],
  ({ logit_bias: bias }) =>
    isEmpty(bias)
      ? []
      : [{ pointer: '/logit_bias', detail: 'must be empty: this service passes on no bias of tokens' }],
  (fields) =>
    Object.keys(CONSTRAINTS).flatMap((name) =>
      isEmpty(fields[name]) ? [] : [{ pointer: `/${name}`, detail: NO_FORM }],
    ),
  ({ response_format: format }) => checkFormat(format, '/response_format'),
  ({ text }) => checkFormat(fieldsOf(text)['format'], '/text/format'),
  ({ output_format: format }) => checkFormat(format, '/output_format'),
  ({ output_config: config }) => checkFormat(fieldsOf(config)['format'], '/output_config/format'),
  ({ tool_choice: choice }) => (isFreeChoice(choice) ? [] : [{ pointer: '/tool_choice', detail: NO_TOOLS }]),
  ({ function_call: choice }) => (isFreeChoice(choice) ? [] : [{ pointer: '/function_call', detail: NO_TOOLS }]),
]

const isAbsent = (value: unknown): boolean => value === undefined || value === null

const isText = (modalities: unknown): boolean =>
  isAbsent(modalities) || (Array.isArray(modalities) && modalities.every((one) => one === 'text'))

/** Some clients write the value for none: `""`, `[]`, `{}`. */
const isEmpty = (value: unknown): boolean =>
  isAbsent(value) || value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

/** Of the values of `include`, the others name parts of calls and of reasoning, of which a reply has none. */
const PROBABILITIES = 'message.output_text.logprobs'

const NO_PROBABILITIES = 'a reply has no probabilities of its tokens'

/** JSON formats have a `type`: `json_object`, `json_schema`. */
function checkFormat(format: unknown, pointer: string): Fault[] {
  if (typeof format === 'string' && format !== 'text') return [{ pointer, detail: NO_JSON }]
  const { type } = fieldsOf(format)
  if (isAbsent(type) || type === 'text') return []
  return [{ pointer: `${pointer}/type`, detail: NO_JSON }]
}

const NO_FORM = 'must be absent: a reply is free text'

const NO_JSON = 'must be "text": a reply is text, not JSON'

const NO_TOOLS = 'must be "auto" or "none": this service calls no tools'

/** Choices that allow an answer without a call, in OpenAI's APIs and in Anthropic's. */
const FREE_CHOICES: readonly unknown[] = ['auto', 'none']

function isFreeChoice(choice: unknown): boolean {
  if (isAbsent(choice)) return true
  if (!isObject(choice)) return FREE_CHOICES.includes(choice)
  const { type, mode, allowed_tools: allowed } = choice
  if (type === 'allowed_tools') return (mode ?? fieldsOf(allowed)['mode']) !== 'required'
  return FREE_CHOICES.includes(type)
}
