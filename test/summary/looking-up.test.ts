import t from 'tap'
import { withoutRecallNote, writeRecallNote, type ReplacedPart } from '../../src/summary/looking-up.ts'
import { readSummary } from '../../src/summary/summary.ts'

const HOW = 'Call the tool `recall`.'
const [fromMs, toMs] = [Date.parse('2026-03-24T08:00:00.123Z'), Date.parse('2026-03-25T10:12:03Z')]

t.test('the section says what a summary replaces, and how to look it up', async (t) => {
  const cases: [replaced: ReplacedPart | undefined, line: string][] = [
    [undefined, 'the conversation before this point'],
    [{ entries: 1285, hasEarlier: false }, 'entries 1 to 1,285 of the session'],
    [{ entries: 1, hasEarlier: false, session: 'a1' }, 'entry 1 of session a1'],
    [
      { entries: 9, hasEarlier: false, session: 'a1', fromMs, toMs },
      'entries 1 to 9 of session a1, written 2026-03-24T08:00:00Z to 2026-03-25T10:12:03Z',
    ],
    [{ entries: 9, hasEarlier: false, toMs }, 'entries 1 to 9 of the session, written 2026-03-25T10:12:03Z'],
  ]
  for (const [replaced, line] of cases)
    t.same(
      writeRecallNote({ how: HOW, replaced }),
      `## Looking things up\nReplaced: ${line}. Nothing of it is lost:\n${HOW}`,
    )
  t.same(
    writeRecallNote({ how: HOW, replaced: { entries: 9, hasEarlier: true } }),
    `## Looking things up\nReplaced: entries 2 to 9 of the session, after the summary in entry 1. These entries are not lost:\n${HOW}`,
    'what an earlier summary replaced may be in no file: it is not promised',
  )
  const named = writeRecallNote({
    how: 'Run precis recall a1 WORDS',
    replaced: { entries: 2, hasEarlier: false, session: 'a1' },
  })
  t.match(named, 'entries 1 to 2 of the session. ', 'what the line names already is not said twice')
})

t.test('each section of that name is removed from a summary, and the others stay', async (t) => {
  const section = writeRecallNote({ how: HOW, replaced: undefined })
  const others = '## Goal\nShip it.\n\n## Evidence\n- commit abc1234 x'
  t.same(withoutRecallNote(readSummary(`${others}\n\n${section}`)).text, others)
  const foreign = '### **looking things up:**\nAsk the wiki.'
  t.same(withoutRecallNote(readSummary(`${section}\n\n${foreign}\n\n${others}\n\n${section}`)).text, others)
  const without = readSummary(`${others}\nLooking things up was slow.`)
  t.equal(withoutRecallNote(without), without)
})
