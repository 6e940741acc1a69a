import t from 'tap'
import { wholeOf } from '../../../src/model/embedded/earlier-work.ts'
import { nameOfRequest } from '../../../src/model/embedded/request-name.ts'
import { SaidOnce } from '../../../src/model/embedded/said-once.ts'

const TABLE = 'I chose a table because regular expressions fail here.'
const CACHE = 'The cache stays, since nobody has measured it yet.'

function saying(...texts: string[]): SaidOnce {
  const said = new SaidOnce()
  for (const text of texts) said.add(text)
  return said
}

t.test('a line that was said is left out, also as a part of a line, with other marks and other spaces', async (t) => {
  const said = saying(`- [x] Fix it. => Now it works. ${TABLE}`)
  t.equal(said.withoutSaid(`  - ${TABLE}`, false), undefined)
  t.equal(said.withoutSaid(`- **I  chose a table because regular expressions fail here**`, false), undefined)
  t.equal(said.withoutSaid(`- Error: ${TABLE}`, false), undefined)
})

t.test('of a line that has more to say, that is left, with dots for what is left out', async (t) => {
  const said = saying(`- ${TABLE}`)
  t.equal(said.withoutSaid(`  - ${TABLE} ${CACHE}`, false), `  - … ${CACHE}`)
  t.equal(said.withoutSaid(`  - ${CACHE} ${TABLE}`, false), `  - ${CACHE}`)
  t.equal(said.withoutSaid(`  - ${CACHE} ${TABLE} ${CACHE}`, false), `  - ${CACHE} … ${CACHE}`)
})

t.test('of an edit, the lines are left that no other edit has', async (t) => {
  const said = saying('  - const total = rows.reduce((sum, { gross }) => sum + gross, 0)')
  const line =
    '  - edit: added: const total = rows.reduce((sum, { gross }) => sum + gross, 0) | return { total, count: rows.length }'
  t.equal(said.withoutSaid(line, false), '  - edit: added: return { total, count: rows.length }')
})

t.test('a sign after the end of a sentence belongs to no sentence', async (t) => {
  const said = saying('- Never edit `fixtures/`: the files are exports of the duty system. (rule of AGENTS.md)')
  t.equal(
    said.withoutSaid(
      `  - Rules: ${CACHE} / Never edit \`fixtures/\`: the files are exports of the duty system.`,
      false,
    ),
    `  - Rules: ${CACHE}`,
  )
})

t.test('what introduces a part that was said is left out with it, also if it names code', async (t) => {
  const said = saying(`- ${CACHE}`)
  t.equal(said.withoutSaid(`- \`TestDrainGivesUp.AfterLimit\` still fails: ${CACHE}`, false), undefined)
  t.equal(said.withoutSaid(`- ${TABLE} And \`a.ts\` says: ${CACHE}`, false), `- ${TABLE}`)
})

t.test('a request that was said is named by its beginning, and what is said of it stays', async (t) => {
  const said = saying(`Please fix the parser of the old invoices. Never touch the migrations.`)
  t.equal(
    said.withoutSaid('- [ ] Please fix the parser of the old invoices. Never touch… (interrupted)', true),
    '- [ ] Please fix the parser of the old… Never touch… (interrupted)',
  )
})

t.test('the command of a line stays whole, also if it was said or has pipes, and so does how it ended', async (t) => {
  const command = 'cd packages/coding-agent && npx tsc --noEmit 2>&1 | grep -v "^../tui"'
  const line = `- \`${command}\`: failed (error)`
  t.equal(saying(`- Error that was fixed: no (\`${command}\` passed later)`).withoutSaid(line, false), line)
  const printed = 'Total errors: 0, Skipped: 0, Unnecessary Skips: 0'
  const said = saying(`- \`mix dialyzer\`: ok, printed: ${printed}`)
  t.equal(said.withoutSaid(`- \`npm test\`: ok, printed: ${printed}`, false), '- `npm test`: ok')
  t.equal(said.withoutSaid(`- \`npm test\`: printed: ${printed}`, false), undefined)
})

t.test('the pipes of a command within a sentence are no ends of sentences', async (t) => {
  const passed = '(`npm run check 2>&1 | grep "error TS2353" | head -5` passed later)'
  const line = `- Error that was fixed: two ${passed}`
  t.equal(saying(`- Error that was fixed: one ${passed}`).withoutSaid(line, false), line)
})

t.test('a note on what happened since stays with what is left of its line', async (t) => {
  const line = `- ${CACHE} ${TABLE.slice(0, -1)} (said earlier; since then: a.ts changed once).`
  t.equal(
    saying(TABLE).withoutSaid(line, false),
    `- ${CACHE.slice(0, -1)} (said earlier; since then: a.ts changed once).`,
  )
})

t.test('what happened since is said of each step', async (t) => {
  const note = '(since then: transcript_components.ex changed 2 times)'
  const step = `  - Extract the nested case. ${note}`
  t.equal(saying(`  - Fix the two errors. ${note}`).withoutSaid(step, false), step)
})

t.test('short sentences may occur twice, and code in fences stays', async (t) => {
  t.equal(saying('- It works now.').withoutSaid('- It works now.', false), '- It works now.')
  const code = `- The table:\n  \`\`\`\n  ${TABLE}\n  \`\`\``
  t.equal(saying(TABLE).withoutSaid(code, false), code)
})

t.test(
  'what a command printed is left out whole or not at all: half of it would be the result of another run',
  async (t) => {
    const passed = 'printed: 14 doctests, 297 tests, 0 failures; an earlier run printed:'
    const said = saying(`- \`mix test 2>&1 | tail -5\`: ok, ${passed} 14 doctests, 410 tests, 0 failures`)
    const line = `- \`mix test | tail -15\`: ok, ${passed} 14 doctests, 297 tests, 11 failures`
    t.equal(said.withoutSaid(line, false), line)
    t.equal(
      said.withoutSaid(`- \`mix test\`: ok, ${passed} 14 doctests, 410 tests, 0 failures`, false),
      '- `mix test`: ok',
    )
  },
)

t.test('what the agent said to a request loses whole sentences, and a name ends with a word', async (t) => {
  const said = saying('Tests: both files failed because a module was missing, then two failed for a mistake: late.')
  t.equal(
    said.withoutSaid(
      '- Cost => It is committed. Tests first: both files failed because a module was missing, then two failed for a mistake: late (10.14). [a.js] (answered)',
      true,
    ),
    '- Cost => It is committed. Tests first: … [a.js] (answered)',
  )
  const wish = 'One commit for all three, when everything is there.'
  t.equal(saying(wish).withoutSaid(`  - ${wish}`, true), '  - One commit for all three, when…')
})

const names: Record<string, string> = {
  '4411 is my notebook, closed it. do the davis thing': '…do the davis thing',
  'den feiertagstest bitte auch noch anschauen, aber zuerst die mails': '…zuerst die mails',
  'great. the duplicates are the logger, known. can you parallelise the csv reading too?':
    '…can you parallelise the csv reading…',
  'wait. dont delete the row on cancel, the school wants statistics. set cancelled_at instead.':
    '…set cancelled_at instead.',
  'top. fail2ban alors, bantime 1h, et whiteliste 10.8.0.0/16 (vpn)': '…fail2ban alors, bantime 1h, et…',
  'Danke! Bitte benenne die Spalte um und passe die Tests an.': '…Bitte benenne die Spalte um und…',
  'The build is red. Fix the import.': 'The build is red. Fix the import.',
  'Change the limit to 2h30, since 4 hours was wrong. Then an option.': 'Change the limit to 2h30, since 4…',
  'I want a cli in rust that finds duplicate songs. Use only these crates.': 'I want a cli in rust that finds…',
  'deployed, metrics look good on staging. go on': 'deployed, metrics look good on staging…',
}

for (const [request, name] of Object.entries(names))
  t.test(`a long request is named by what it asks for: ${request}`, async (t) => {
    t.equal(nameOfRequest(request), name)
    t.equal(wholeOf(name, ['Another request', request]), request)
  })

const NEXT = 'what about the invoices of March, they are all wrong?'
const states: Record<string, [said: string, line: string, expected: string]> = {
  'the words of the user': [
    `- ${NEXT} => They were.`,
    `- Fix it. => Fixed (answered; the user then: '${NEXT}')`,
    "- Fix it. => Fixed (answered; the user then: 'what about the invoices of March,…')",
  ],
  'words of the user that are cut': [
    `- Ok. ${NEXT} => They were.`,
    `- Fix it. => Fixed (the user then: 'Ok. ${NEXT.slice(0, 46)}…'; the agent then: 'They were.')`,
    "- Fix it. => Fixed (the user then: 'Ok. what about the invoices of March,…'; the agent then: 'They were.')",
  ],
  'words of the agent': [
    `  - "${TABLE}" (of: Fix it.)`,
    `- Fix it. => Fixed (the agent: ${TABLE.slice(0, -1)}; the user then: 'ok')`,
    "- Fix it. => Fixed (the agent: I chose a table because regular…; the user then: 'ok')",
  ],
  'the subject of a commit': [
    '- [x] Answer a changed invoice with what is stored (said to be done, in commit 5c8d1e7)',
    "- Fix it. => Fixed (committed: 5c8d1e7 'Answer a changed invoice with what is stored')",
    "- Fix it. => Fixed (committed: 5c8d1e7 'Answer a changed invoice with what is…')",
  ],
  'words of which only a part stands elsewhere': [
    `- ${NEXT} => They were.`,
    `- Fix it. => Fixed (the user then: '${NEXT} Do not send them to anybody.')`,
    `- Fix it. => Fixed (the user then: '${NEXT} Do not send them to anybody.')`,
  ],
  'words that stand nowhere else': [
    `- ${TABLE}`,
    `- Fix it. => Fixed (answered; the user then: '${NEXT}')`,
    `- Fix it. => Fixed (answered; the user then: '${NEXT}')`,
  ],
}

for (const [name, [text, line, expected]] of Object.entries(states))
  t.test(`what a state quotes is a name where it was said: ${name}`, async (t) => {
    const said = saying(text)
    said.addQuotes(text)
    t.equal(said.withNamedQuotes(line), expected)
  })

t.test('a quote that is cut says nothing of the rest of its sentence', async (t) => {
  const said = saying('')
  said.addQuotes("- Fix it. (interrupted; the agent then: 'I changed the import for all of the files of…')")
  const line =
    '- [x] Go on. => I changed the import for all of the files of the ward, and the test fails since. (answered)'
  t.equal(said.withoutSaid(line, true), line)
})

t.test('a quote of the newest request stays: the goal has another one after the next compaction', async (t) => {
  const said = saying('')
  said.addRequest(NEXT)
  const line = `- Fix it. => Fixed (answered; the user then: '${NEXT}')`
  t.equal(said.withNamedQuotes(line), line)
  t.equal(said.withoutSaid(`- ${NEXT}`, false), undefined, 'but it needs no second place')
})

t.test('what a line quotes in its state is no part of what it says', async (t) => {
  const line = `- Fix it. => Fixed (answered; the user then: '${NEXT}')`
  t.equal(saying(line).withoutSaid(`- ${NEXT}`, false), `- ${NEXT}`)
  t.equal(saying(NEXT).withoutSaid(line, true), line)
})

t.test('a name says what it is about: `Drop it.` does not', async (t) => {
  const request = "Then the menu in Polish: Pavel's list says there is none. Drop it."
  t.equal(nameOfRequest(request), "Then the menu in Polish: Pavel's list…")
})
