import { Type, type TSchema } from '@sinclair/typebox'

/** A reply that comes as JSON, or for `Accept: text/event-stream` as events, the last of which holds it (OpenAPI). */
export const asJsonOrEvents = <T extends TSchema>(
  reply: T,
  events = 'The events `plan`, `progress` (`{done, total, phase}`), and `result` or `problem`, whose data is JSON.',
) => ({
  description: 'The result; a waiting JSON reply may begin with spaces (`PRECIS_HEARTBEAT_MS`).',
  content: {
    'application/json': { schema: reply },
    'text/event-stream': {
      schema: Type.String({ description: events }),
    },
  },
})
