import { createClient, PrecisError, type CompactionReply, type PlanReply } from 'precis/client'
import type { Hooks } from 'precis/hooks'

/** A program that uses the package as a user would: it is compiled and run against the installed package. */
export const hooks: Hooks = {
  beforeCompact: ({ preparation }) =>
    preparation.omittedMessages > 0 ? { cancel: true, reason: 'too long' } : undefined,
  compacting: async ({ route }) => ({ context: [`Posted to ${route}.`], preserveData: { team: 'parsers' } }),
  afterCompact: ({ report }) => {
    if (report.strategy === 'hook') throw new Error(report.model)
  },
}

const client = createClient({ url: process.argv[2] ?? '', retries: 1 })
const messages = [
  { role: 'user', content: 'Fix the parser in src/parser.ts.' },
  { role: 'assistant', content: 'It is fixed.' },
  { role: 'user', content: 'Now the lexer.' },
]
const reply: CompactionReply = await client.compact(
  { messages, settings: { keepRecentTokens: 4 } },
  { onPlan: ({ windows }) => process.stdout.write(`windows ${windows}\n`) },
)
const plan: PlanReply = await client.plan({ messages, settings: { keepRecentTokens: 4 } })
const failed = await client.plan('no session').catch((error: unknown) => error)
const type = failed instanceof PrecisError ? failed.type : 'none'
process.stdout.write(`${reply.report.model} ${plan.firstKeptEntryId ?? '-'} ${type}\n`)
