import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { CORPUS, type CorpusSession } from '../../eval/corpus/sessions.ts'
import { findUnprovenProbes, readProbes } from '../../eval/probes.ts'
import { findCut, readSessionFile } from '../../eval/session.ts'
import { writeEvalTranscript } from '../../eval/transcript.ts'
import { folderOf } from '../support/temp-folder.ts'

const PROBES = new URL('../../eval/corpus/probes/', import.meta.url)
/** The real sessions lie beside a checkout; they are not the project's to hand on. */
const FROM = fileURLToPath(new URL('../../../shared/', import.meta.url))
const skip = existsSync(FROM) ? false : 'no real sessions beside this checkout'

const TOPICS = ['state', 'decision', 'path', 'error', 'number', 'request', 'absence', 'order']
const probesOf = (name: string): string => readFileSync(new URL(`${name}.json`, PROBES), 'utf8')

function build(t: Test, { name, ending, build }: CorpusSession, summaries: string[] = []): string {
  const path = join(folderOf(t), `${name.replace('/', '-')}.${ending}`)
  writeFileSync(path, build({ from: FROM, summaries }))
  return path
}

for (const { name } of CORPUS)
  t.test(`${name} has 20 probes without faults, some of them about absence and order`, async (t) => {
    const { probes, faults } = readProbes(probesOf(name))
    const topics = (JSON.parse(probesOf(name)) as { topic: string }[]).map(({ topic }) => topic)
    t.same(faults, [])
    t.equal(probes.length, 20)
    t.same(
      topics.filter((topic) => !TOPICS.includes(topic)),
      [],
    )
    for (const topic of ['absence', 'order', 'state']) t.ok(topics.includes(topic), topic)
  })

for (const session of CORPUS)
  t.test(`${session.name}: what proves the probes stands before the last cut`, { skip }, async (t) => {
    const file = readSessionFile(build(t, session), true)
    const cut = findCut(file, session.cuts.at(-1) ?? '')
    const { probes } = readProbes(probesOf(session.name))
    t.same(findUnprovenProbes(probes, writeEvalTranscript(file.branch, cut)), [])
    const covered = new Set(file.branch.slice(0, cut.index).map(({ id }) => id))
    const elsewhere = probes.flatMap(({ entries }) => entries).filter((id) => !covered.has(id))
    t.same([...new Set(elsewhere)], session.name === 'tracker' ? ['summary of the earlier session'] : [])
  })

t.test('the chain has the summaries of its earlier compactions', { skip }, async (t) => {
  const chain = CORPUS.find(({ name }) => name === 'chain') as CorpusSession
  const file = readSessionFile(build(t, chain, ['First summary.', 'Second summary.']), true)
  const compactions = file.branch.flatMap(({ id, compaction }) =>
    compaction === undefined ? [] : [[id, compaction.summary, compaction.firstKeptEntryId]],
  )
  t.same(compactions, [
    ['compaction1', 'First summary.', 'c0282'],
    ['compaction2', 'Second summary.', 'c0542'],
  ])
  const { before } = writeEvalTranscript(file.branch, findCut(file, 'c0793'))
  t.match(before, /^\[summary of the earlier session\]\nSecond summary\.\n\n\[c0542\] user:/)
})

t.test('the joined session has what the user answered to a question tool as his words', { skip }, async (t) => {
  const joined = CORPUS.find(({ name }) => name === 'joined') as CorpusSession
  const { branch } = readSessionFile(build(t, joined), true)
  const answers = branch.flatMap(({ message }) =>
    message?.role === 'toolResult' ? (message.userAnswers ?? []).map(({ answer }) => answer) : [],
  )
  t.strictSame(answers, ['main was clean; fix the issues'])
})
