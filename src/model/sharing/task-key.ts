import { createHash } from 'node:crypto'
import type { SummaryTask } from '../summarizer.ts'

/**
 * Names a task by all that decides its answer, so that equal ones have equal names and others do not. The texts
 * themselves cannot be read from it.
 * @param realm what is the same for all tasks of a service (models, prompts, rules), and differs between services that
 *   share a store
 * @param caller each service token's callers are apart: nobody learns from the time of an answer what others asked
 */
export function nameTask(
  { kind, systemPrompt = '', prompt, turns = [], maxTokens, division }: SummaryTask,
  { realm, caller = '' }: { realm: string; caller?: string | undefined },
): string {
  const hash = createHash('sha256')
  const unit = division?.unit ?? ''
  // Lengths part the texts: no two lists of texts can be written as the same one.
  for (const text of [realm, caller, kind, unit, String(maxTokens), systemPrompt, prompt, JSON.stringify(turns)])
    hash.update(`${text.length}:`).update(text)
  return hash.digest('base64url')
}
