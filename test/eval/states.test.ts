import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { readSessionFile } from '../../eval/session.ts'
import { readStates } from '../../eval/states.ts'
import { textOfEntry } from '../support/entry-text.ts'

const FOLDER = fileURLToPath(new URL('../fixtures/states/', import.meta.url))
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
const sessions = files.filter((name) => /(?<!\.states)\.jsonl?$/.test(name))

const statesOf = (name: string) => readStates(readFileSync(FOLDER + name.replace(/\.jsonl?$/, '.states.json'), 'utf8'))

t.test('each session has its states, and a third of the sessions is held out', async (t) => {
  const states = files.filter((name) => name.endsWith('.states.json'))
  t.same(
    states.map((name) => name.replace('.states.json', '')).sort(),
    sessions.map((name) => name.replace(/\.jsonl?$/, '')).sort(),
  )
  t.equal(sessions.filter((name) => name.startsWith('held-out')).length * 3, sessions.length)
})

for (const name of sessions)
  t.test(`${name}: each item has its words, and each proof is an entry that comes no earlier`, async (t) => {
    const { branch } = readSessionFile(FOLDER + name, false)
    const at = (id: string): number => branch.findIndex((entry) => entry.id === id)
    const { session, items, demands, failures } = statesOf(name)
    t.ok(name.endsWith(session), 'the states name their session')
    for (const { text, entry, state, by } of items) {
      t.ok(textOfEntry(branch[at(entry)]).includes(text), `"${text}" is in ${entry}`)
      t.equal(by === null, state === 'open' || state === 'unknown', `"${text}" is ${state}, and has a proof or none`)
      if (by !== null) t.ok(at(by) >= 0, `the proof of "${text}" is an entry`)
    }
    for (const { text, entry } of demands)
      t.ok(textOfEntry(branch[at(entry)]).includes(text), `"${text}" is in ${entry}`)
    for (const { entry } of failures) t.ok(at(entry) >= 0, `${entry} is an entry`)
  })

for (const name of sessions)
  t.test(`${name} is small, and has no path of another machine`, async (t) => {
    t.ok(statSync(FOLDER + name).size <= 60 * 1024)
    t.notMatch(readFileSync(FOLDER + name, 'utf8'), /(?<![\w.])\/(?:tmp|root|work)\/|precis-resume/)
  })

t.test('states with a fault are refused, with its place', async (t) => {
  const [name = ''] = sessions
  const states = statesOf(name)
  t.throws(() => readStates(JSON.stringify({ ...states, items: [{ ...states.items[0], state: 'finished' }] })), {
    message: /\/items\/0\/state/,
  })
  t.throws(() => readStates(JSON.stringify({ ...states, itmes: [] })), { message: /itmes/ })
})
