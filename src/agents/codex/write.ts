import { itemsOf, userItem } from '../apis/write-responses.ts'
import { API_SUPPORT } from '../shared/fit-turn.ts'
import type { WrittenTurn } from '../shared/turns.ts'
import { joinTexts, toLines, type SessionWriter } from '../writer.ts'
import { SUMMARY_PREFIX } from './history-summary.ts'

/** A rollout of Codex: a header, a compaction whose history is the summary, and the items after it. */
export const codexWriter: SessionWriter = {
  contentType: 'application/x-ndjson',
  supports: API_SUPPORT,
  write(draft) {
    const text = SUMMARY_PREFIX + draft.summary
    const timestamp = draft.nextTime()
    const header = {
      id: draft.newUuid(),
      timestamp,
      cwd: draft.cwd,
      originator: 'precis',
      cli_version: '0.169.0',
      source: 'cli',
      model_provider: 'openai',
    }
    const line = (type: string, payload: object): object => ({ timestamp: draft.nextTime(), type, payload })
    return toLines([
      { timestamp, type: 'session_meta', payload: header },
      line('compacted', { message: text, replacement_history: [userItem(text)] }),
      ...draft.turns.flatMap((turn) => [
        ...itemsOf(turn).map((item) => line('response_item', item)),
        ...eventsOf(turn).map((event) => line('event_msg', event)),
      ]),
    ])
  },
}

/** Codex lists only sessions with an event of the user, and shows events, not items. */
function eventsOf(turn: WrittenTurn): object[] {
  const message = joinTexts(turn.parts)
  if (message === '') return []
  if (turn.role === 'user') return turn.isClients ? [] : [{ type: 'user_message', message, images: [] }]
  return [{ type: 'agent_message', message }]
}
