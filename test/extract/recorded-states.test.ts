import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { findWork } from '../../src/extract/find-work.ts'
import { pairMessages } from '../../src/extract/runs.ts'
import { selectBranch } from '../../src/session/link-session.ts'
import { readDocument } from '../support/read-document.ts'

/** Sessions of real clients, with the states that people have found in them. Those that are held out are not read here. */
const FOLDER = new URL('../fixtures/states/', import.meta.url)

interface States {
  session: string
  items: { kind: string; text: string; state: string }[]
}

const KINDS: Readonly<Record<string, string>> = { todo: 'task', box: 'box' }

/** Where code knows less than people do, or takes the word of the tool: a reader sees more than the words of a list. */
const DIFFERENT: Readonly<Record<string, string[]>> = {
  'claude-code-tasks': ['Currency option of format(): open, not said to be done'],
  'cline-plan-file': ['Reject negative counts: open, not said to be done'],
  // The newer request is about another discount.
  'codex-plan': ['Add the option discount: done, not replaced', 'Add a line to CHANGELOG.md: unknown, not replaced'],
  'gemini-todos': ['Round the totals: open, not replaced', 'Round in format(): open, not replaced'],
  'oh-my-pi-todos': ['Write LICENSE: unknown, not replaced'],
  'opencode-plan-file': ['Reject negative counts: open, not said to be done'],
}

for (const name of readdirSync(FOLDER).filter((one) => one.endsWith('.states.json'))) {
  const { session, items } = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as States
  const id = name.replace('.states.json', '')
  t.test(`the tasks and boxes of ${id} have the states that people see in them`, async (t) => {
    const branch = selectBranch(readDocument(readFileSync(new URL(session, FOLDER), 'utf8')).session)
    const work = findWork(pairMessages(branch.flatMap(({ message }) => message ?? [])))
    const differences = items.flatMap(({ kind, text, state }) => {
      const own = work.items.findLast((item) => item.kind === KINDS[kind] && item.text === text)
      const found = own?.state === 'said' ? 'said to be done' : own?.state
      return KINDS[kind] === undefined || found === state ? [] : [`${text}: ${found ?? 'not found'}, not ${state}`]
    })
    t.strictSame(differences, DIFFERENT[id] ?? [])
  })
}
