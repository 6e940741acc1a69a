import t from 'tap'
import { nameTask } from '../../../src/model/sharing/task-key.ts'
import { TASK } from '../../support/start-summarizer.ts'

const realm = 'models'

t.test('a task with the same texts has the same name, whatever else it carries', async (t) => {
  const twin = { ...TASK, source: { form: 'messages' as const, messages: [] } }
  t.equal(nameTask(TASK, { realm }), nameTask(twin, { realm }))
  t.match(nameTask(TASK, { realm }), /^[\w-]{43}$/)
})

t.test('all that decides the answer decides the name', async (t) => {
  const names = [
    nameTask(TASK, { realm }),
    nameTask({ ...TASK, prompt: 'Other.' }, { realm }),
    nameTask({ ...TASK, systemPrompt: 'Other.' }, { realm }),
    nameTask({ ...TASK, systemPrompt: 'Be exact.S', prompt: 'ummarize.' }, { realm }),
    nameTask({ ...TASK, maxTokens: 51 }, { realm }),
    nameTask({ ...TASK, kind: 'branch' }, { realm }),
    nameTask(TASK, { realm: 'other models' }),
    nameTask(TASK, { realm, caller: 'somebody' }),
  ]
  t.equal(new Set(names).size, names.length)
})
