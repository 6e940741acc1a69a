import { Type } from '@sinclair/typebox'
import { FREE_CHOICE } from './typebox.ts'

const refused = (description: string) => Type.Optional(Type.Unknown({ description }))

const constraint = (server: string) => refused(`Must be absent or empty: a constraint on the reply (${server}).`)

/** Options of other APIs that constrain a reply to a form: of vLLM, of llama.cpp, and of SGLang. */
export const CONSTRAINTS = {
  guided_json: constraint('vLLM'),
  guided_regex: constraint('vLLM'),
  guided_choice: constraint('vLLM'),
  guided_grammar: constraint('vLLM'),
  structured_outputs: constraint('vLLM'),
  grammar: constraint('llama.cpp'),
  json_schema: constraint('llama.cpp'),
  regex: constraint('SGLang'),
  ebnf: constraint('SGLang'),
}

/** Options that would change a reply. Every route with a chat reads them, only to refuse them. */
export const REFUSED_OPTIONS = {
  n: refused('Must be absent, null or 1.'),
  modalities: refused('Must be absent or `["text"]`.'),
  logprobs: refused('Must be absent or false.'),
  top_logprobs: refused('Must be absent, null or 0.'),
  logit_bias: refused('Must be absent or empty.'),
  response_format: refused('Its `type` must be absent or `text`.'),
  tool_choice: refused(FREE_CHOICE),
  ...CONSTRAINTS,
}
