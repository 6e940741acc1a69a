import type { Work, WorkRequest } from '../../jobs/protocol.ts'
import { CompressRequestSchema } from '../../schemas/compress.ts'
import { fieldsReader } from '../shared/read-fields.ts'
import { summaryWork } from '../shared/summary-work.ts'
import { surveyMessages } from './compress-messages.ts'
import type { CompressStep } from './steps.ts'
import { summarizePrefix } from './summarize-prefix.ts'

const readFields = fieldsReader(CompressRequestSchema)

type Summarize = Extract<CompressStep, { kind: 'summarize' }>

const summaries = summaryWork({ prefix: summarizePrefix }, (received: WorkRequest<Summarize>, context) => {
  return { name: 'prefix', request: { fields: readFields(received, context), ...received.modes } }
})

export default {
  ...summaries,
  start({ modes, ...received }, context) {
    if (modes.kind === 'summarize') return summaries.start({ ...received, modes }, context)
    // A request without a body is refused by its schema.
    const read = { fields: readFields(received, context), body: received.body ?? Buffer.alloc(0) }
    const { body, ...outcome } = surveyMessages(read, modes)
    return { kind: 'reply', body, outcome }
  },
} satisfies Work<CompressStep>
