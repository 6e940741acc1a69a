import { readFileSync } from 'node:fs'
import { fillTemplate } from '../src/prompt/templates.ts'

/** The files of prompts/, without `.md`. */
export type EvalPrompt = 'probes' | 'probes-again' | 'reader' | 'reader-lookups' | 'judge'

/** Returns a prompt of the evaluation with its placeholders replaced. */
export function fillEvalPrompt(name: EvalPrompt, values: Readonly<Record<string, string>>): string {
  const template = readFileSync(new URL(`./prompts/${name}.md`, import.meta.url), 'utf8')
  return fillTemplate(template.replace(/\r\n/g, '\n').trim(), values)
}
