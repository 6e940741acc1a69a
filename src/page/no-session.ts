import { oneLine, truncate } from '../text/shorten.ts'
import { ServiceProblem } from './service.ts'

/** What the service says of a body is about the document that was opened. */
const OF_DOCUMENT = ['invalid-request', 'unknown-format', 'invalid-session', 'empty']

const PEEK_BYTES = 400
const SHOWN_CHARACTERS = 40

/** The name of a document that was pasted. */
export const PASTED = 'pasted session'

/** Returns an error of opening a document in the words of somebody who has dropped a file: he has sent no request, and no body. */
export async function explainNoSession(error: unknown, { name, blob }: { name: string; blob: Blob }): Promise<unknown> {
  if (!(error instanceof ServiceProblem) || !OF_DOCUMENT.includes(error.type)) return error
  const begin = oneLine(await blob.slice(0, PEEK_BYTES).text())
  return new ServiceProblem(
    error.type,
    `${name === PASTED ? 'What you pasted' : `“${name}”`} ${describe(error, begin)}`,
  )
}

function describe({ type, message }: ServiceProblem, begin: string): string {
  if (begin === '') return `is empty. ${KNOWN}`
  if (/[\0\uFFFD]/.test(begin)) return `is not text, so it is no session that Précis knows. ${KNOWN}`
  if (message.includes('before its value is complete'))
    return 'is not whole: it ends in the middle of a value. Open the whole file.'
  if (type === 'unknown-format' || type === 'empty' || message.includes('valid JSON'))
    return `is no session that Précis knows: it begins with “${truncate(begin, SHOWN_CHARACTERS)}”. ${KNOWN}`
  return `cannot be read as a session: ${message.replace(/^The request body is not valid: /, '')}`
}

const KNOWN =
  'Open the session file of Claude Code, Codex, opencode, Gemini CLI, Qwen Code, Cline, pi or another agent, or messages of the usual APIs. The command “precis list” shows the sessions on your machine.'
