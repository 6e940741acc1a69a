import type { WorkRequest } from '../../jobs/protocol.ts'
import { ResponsesCompactRequestSchema, type ItemStyle } from '../../schemas/responses.ts'
import { refuseOptions } from '../chat/refuse-options.ts'
import { inputItemsOf } from '../responses/input-items.ts'
import { fieldsReader } from '../shared/read-fields.ts'
import { summaryWork } from '../shared/summary-work.ts'
import { compactItems } from './compact-items.ts'

const readFields = fieldsReader(ResponsesCompactRequestSchema)

export default summaryWork({ items: compactItems }, ({ modes, ...received }: WorkRequest<ItemModes>, context) => {
  const fields = readFields(received, context)
  refuseOptions(fields)
  const request = { items: inputItemsOf(fields), style: modes.items, isTrigger: false, isStream: false }
  return { name: 'items', request }
})

interface ItemModes {
  items: ItemStyle
}
