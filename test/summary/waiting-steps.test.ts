import t from 'tap'
import type { Message } from '../../src/session/message.ts'
import { readSummary } from '../../src/summary/summary.ts'
import { withoutWaiting } from '../../src/summary/waiting-steps.ts'
import { assistant, user } from '../prompt/message-builders.ts'

const written = (steps: string, following: Message = user('Now the report.')): string =>
  withoutWaiting(readSummary(`## Goal\nShip it.\n\n## Next Steps\n${steps}`), following).text.replace(
    '## Goal\nShip it.\n\n## Next Steps\n',
    '',
  )

t.test('a step to wait for the next message is left out once the user has written', async (t) => {
  for (const step of [
    "Wait for the user's next request.",
    'Wait for the user.',
    'Otherwise wait for further instructions.',
    'The agent waits for the user’s next message.',
    '**Await user input**',
    'Waiting for a new task',
    'Warte auf die nächste Nachricht des Nutzers',
  ])
    t.equal(written(`1. ${step}`), '(none)', step)
})

t.test('what else a step says stays', async (t) => {
  t.equal(
    written('1. Wait for the user. When the accountant has confirmed the sum, change the test.\n2. Tag it.'),
    '1. When the accountant has confirmed the sum, change the test.\n2. Tag it.',
  )
  t.equal(
    written('1. Wait for the user.\n   - The test is red.'),
    '1. Wait for the user. (the user has written since)\n   - The test is red.',
  )
})

t.test('a step that waits for a word of the user has a note: the user may not have given it', async (t) => {
  for (const step of [
    "Wait for the user's decision on south.csv, then commit",
    'Waiting for confirmation before the push',
    'The user decides between a table and a list',
    'User to choose a time zone',
    'Await approval of the user',
  ])
    t.equal(written(`- ${step}`), `- ${step} (the user has written since)`, step)
})

t.test('what waits for somebody else, or for a program, stays as it is', async (t) => {
  for (const step of [
    'Wait for the file of the waterworks',
    'Wait for approval of the accountant',
    'Wait for the build, then tag it',
    'Await `fetchUser` in the loop',
    'Add a test that the user can wait for',
    'Users must confirm their address: write the form',
  ])
    t.equal(written(`- ${step}`), `- ${step}`, step)
})

t.test('nothing changes where no message of the user follows', async (t) => {
  t.equal(written('- Wait for the user.', assistant('Done.')), '- Wait for the user.')
})

t.test('a goal loses the sentence, and quotes and other sections stay', async (t) => {
  const summary = `## Goal
All is committed. The agent waits for the user's next message.
> Wait for the user.

## Key Decisions
- Wait for the user.`
  t.equal(
    withoutWaiting(readSummary(summary), user('Now the report.')).text,
    summary.replace(" The agent waits for the user's next message.", ''),
  )
})
