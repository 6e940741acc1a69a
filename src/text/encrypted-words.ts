import { agentName } from './comparison-words.ts'
import { count } from './numbers.ts'

interface Encrypted {
  encryptedAt?: number
  report?: { format?: string }
}

/** Returns that the agent has compacted the session in a way that nobody else can read; empty if it has not. */
export function describeEncrypted({ encryptedAt, report }: Encrypted): string {
  if (encryptedAt === undefined) return ''
  const name = report?.format === undefined ? 'The agent' : agentName(report.format)
  return `${name} compacted this session at entry ${count(encryptedAt)} with a summary that only the provider of its model can read: it is encrypted. The agent no longer reads what it replaced; Précis plans as if it did.`
}
