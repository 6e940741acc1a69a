import t from 'tap'
import { withNamedWords } from '../../src/summary/failure-news.ts'
import { withoutRepeatedAnswers, withoutRepeatedFailures } from '../../src/summary/proven-lines.ts'

const EVIDENCE = [
  '## Evidence',
  '- failed: `npm test` (exit code 1): AssertionError: expected 3 to equal 4',
  '- failed: `edit a.ts` (error): text not found in the file',
  `- failed: \`make ${'x'.repeat(80)}…\` (error): no rule`,
].join('\n')

t.test('failures that stand in the evidence are not repeated, and others stay', async (t) => {
  const extract = [
    '## Progress',
    '- `npm test` fails',
    '',
    '## Critical Context',
    '- Error: AssertionError: expected 3 to equal 4',
    '- Error: edit a.ts: text not found in the file',
    '- Error: the disk is full',
    '- `npm test`: failed (exit code 1)',
    `- \`make ${'x'.repeat(100)}\`: failed (error)`,
    '- `npm run lint`: failed (exit code 2)',
  ]
  t.equal(
    withoutRepeatedFailures(extract.join('\n'), EVIDENCE),
    [...extract.slice(0, 4), '- Error: the disk is full', '- `npm run lint`: failed (exit code 2)'].join('\n'),
  )
})

t.test('an error of an earlier summary is left out once all checks that had it have passed', async (t) => {
  const failure = (what: string, error: string, hasPassed: boolean) => ({ what, status: 'error', error, hasPassed })
  const [adds, types, disk] = ['not ok 1 - adds', 'src/a.ts(3,5): error TS2345: no', 'the disk is full'].map(
    (error) => `- Error seen earlier: ${error}`,
  )
  t.equal(
    withoutRepeatedFailures(['## Critical Context', adds, types, disk].join('\n'), '', [
      failure('npm test', '1 of 3 tests failed: adds', true),
      failure('npm run build', 'src/a.ts(3,5): error TS2345: no', true),
      failure('npx tsc', 'src/a.ts(3,5): error TS2345: no', false),
      failure('make', '', true),
    ]),
    ['## Critical Context', types, disk].join('\n'),
  )
})

t.test('a section that has nothing else says so', async (t) => {
  t.equal(
    withoutRepeatedFailures('## Critical Context\n- `npm test`: failed (exit code 1)\n\n---\n\nMore.', EVIDENCE),
    '## Critical Context\n(none)\n\n---\n\nMore.',
  )
})

t.test('an error that the evidence shortens before a space is not repeated', async (t) => {
  const start = 'a'.repeat(59)
  const evidence = `## Evidence\n- failed: \`npm test\` (exit code 1): ${start}…`
  t.equal(
    withoutRepeatedFailures(`## Critical Context\n- Error: ${start} and more`, evidence),
    '## Critical Context\n(none)',
  )
})

t.test('what the last check complains about stands in one of the two places', async (t) => {
  const steps = [
    '## Next Steps',
    '- What the last check complains about: `npm test`',
    '  - AssertionError: expected 3 to equal 4',
    '  - a.ts: unused import',
    '- Go on.',
  ]
  t.equal(withoutRepeatedFailures(steps.join('\n'), EVIDENCE), steps.toSpliced(2, 1).join('\n'))
  t.equal(withoutRepeatedFailures(steps.toSpliced(3, 1).join('\n'), EVIDENCE), steps.toSpliced(1, 3).join('\n'))
})

t.test('of a failure in the evidence, the order of what was done does not say the reason again', async (t) => {
  const failed = '  - `npm test`: failed (exit code 1)'
  const reason = 'AssertionError: expected 3 to equal 4'
  const course = [
    '- All commands (but looks), edits and words of the user, in order:',
    `${failed}, ${reason}`,
    `${failed}, ${reason} (passed later)`,
    `${failed}, AssertionError: expected 5 to equal 6`,
    `  - \`npm run lint\`: failed (exit code 1), ${reason}`,
  ]
  t.equal(withoutRepeatedFailures(course.join('\n'), EVIDENCE), course.toSpliced(1, 1, failed).join('\n'))
})

t.test('an answer that stands with its question among the words of the user is no decision too', async (t) => {
  const userMessages =
    '## User Messages\n\n> (Answer to "Shall I rename the token of links?")\n> yes, as in the old theme'
  const asked = (answer: string): string =>
    `- The agent asked: "Shall I rename the token of links?" The user answered: "${answer}"`
  t.equal(
    withoutRepeatedAnswers(
      `## Key Decisions\n${asked('yes, as in the old theme')}\n${asked('no')}\n\n## Next Steps`,
      userMessages,
    ),
    `## Key Decisions\n${asked('no')}\n\n## Next Steps`,
  )
})

t.test('the check that has failed last has what the user said of it beside it', async (t) => {
  const said = '; the user earlier: "test_dst is old, leave it red."'
  const failure = { what: 'npm test 2>&1 | tail', status: `error${said}`, error: 'Error: no', hasPassed: false }
  const lines = (check: string, note: string): string =>
    `## State of the Code\n- Last check, after the last edit: \`${check}\` failed${note}\n\n## Next Steps\n- Last failed check: \`${check}\`${note}`
  const written = (check: string): string => withoutRepeatedFailures(lines(check, ''), '', [failure])
  t.equal(written('npm test'), lines('npm test', said))
  t.equal(written('npm run lint'), lines('npm run lint', ''))
})

t.test('words of the user about a failure are a name where the next steps have them whole', async (t) => {
  const words = "The clock test is red on this laptop (known), leave it. Don't touch it."
  const failed = (said: string): string =>
    `- failed: \`npm test\` (exit code 1; the user then: "${said}"): 1 test failed`
  const evidence = [
    '## Evidence',
    failed(words.replace(/[()]/g, '')),
    failed('No, that one is new, fix it first, please.'),
  ]
  const steps = (line: string): string => ['## State', 'Red.', '', '## Next Steps', line].join('\n')
  const named = [evidence[0], failed('The clock test is red on this laptop…'), evidence[2]].join('\n')
  t.equal(withNamedWords(evidence.join('\n'), steps(`- Postponed:\n  - "${words}"`)), named)
  t.equal(withNamedWords(evidence.join('\n'), steps(`- "${words.slice(0, 50)}…"`)), evidence.join('\n'), 'a part')
  t.equal(withNamedWords(evidence.join('\n'), `## Done\n- ${words}`), evidence.join('\n'), 'not in the next steps')
  const step = steps(`${failed(words)}\n- "${words}"`)
  t.equal(withNamedWords(step, step), step, 'the next steps keep theirs')
})
