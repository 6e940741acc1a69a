import t from 'tap'
import { findLostMessage } from '../../src/ingest/read-elements.ts'

const KNOWN =
  'must be one of system, developer, user, assistant, tool (in messages of pi also toolResult, bashExecution, custom, ' +
  'hookMessage, branchSummary, compactionSummary)'

t.test('a message of an unknown role is a fault, with the known roles', async (t) => {
  for (const role of ['human', 'ai', 'User', 'asistant', 'function', 'narrator'])
    t.same(findLostMessage({ role, content: 'Hello.' } as never), { pointer: '/role', detail: KNOWN })
})

t.test(
  'notes of clients are no faults: without content, by a name that begins with _, or out of the context',
  async (t) => {
    const notes = [
      { role: '_checkpoint', id: 0 },
      { role: '_system_prompt', content: 'You are' },
      { role: 'fileMention', files: [] },
      { role: 'notification', content: 'Saved.', excludeFromContext: true },
      { role: 'marker', content: '' },
      { role: 'marker', content: [] },
      { role: 'system', content: 'You are' },
    ]
    for (const note of notes) t.equal(findLostMessage(note as never), undefined, note.role)
  },
)
