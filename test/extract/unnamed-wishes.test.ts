import t from 'tap'
import { findWork } from '../../src/extract/find-work.ts'
import { pairMessages } from '../../src/extract/runs.ts'
import { isUnnamed } from '../../src/extract/unnamed-wishes.ts'
import { assistant, buildEntries, call, result, user, type EntryDraft } from '../support/build-entries.ts'

const edited = (path: string, output = 'ok'): EntryDraft[] => [
  assistant('', [call(path, 'edit', { path, oldText: 'a', newText: 'b' })]),
  result(path, output, { toolName: 'edit' }),
]

const itemsOf = (drafts: readonly EntryDraft[]) =>
  findWork(pairMessages(buildEntries(drafts).map(({ message }) => message!))).items

/** Returns the wishes that the agent has not named, with the words of the user beside them. */
const unnamed = (request: string, ...drafts: EntryDraft[]): string[] =>
  itemsOf([user(request), ...drafts]).flatMap((item) =>
    item.kind === 'wish' && isUnnamed(item) ? [[item.text, ...(item.since ?? [])].join('; ')] : [],
  )

const DEBUG = 'Add a --debug flag. Mention it in docs/debug.md too.'
const LIST =
  'Thanks. Last ones:\n (i) rerun March\n (ii) describe ward_group in docs/dictionary.md\n (iii) the maximum of 4B'
const done = (text: string): EntryDraft => assistant(text)

t.test('a wish that the agent names in no answer and no call stays open', async (t) => {
  for (const [request, wishes, ...drafts] of [
    [DEBUG, ['Mention it in docs/debug.md too.'], ...edited('src/cli.ts'), done('The flag is added.')],
    [DEBUG, ['Mention it in docs/debug.md too.'], ...edited('src/cli.ts'), done('Done, all of it.'), user('thanks')],
    [LIST, ['describe ward_group in docs/dictionary.md'], done('March is rerun. The maximum of 4B was 24.')],
    [
      'ok. suite :\n - partition data en noexec\n - la version de l’image dans /etc/issue',
      ['la version de l’image dans /etc/issue'],
      done('La partition /data est en noexec. Je commite.'),
    ],
    [
      'Fix the import, and add a line to docs/changes.md please',
      ["Fix the import, and add a line to docs/changes.md please; the user then: 'Now the lexer.'"],
      done('I fixed the import.'),
      user('Now the lexer.'),
      done('The lexer is fixed.'),
    ],
    ['(1) 修复 src/a.py (2) 更新 docs/说明/b.md', [], ...edited('src/a.py'), done('已修复 a.py。')],
  ] as [string, string[], ...EntryDraft[]][])
    t.strictSame(unnamed(request, ...drafts), wishes, request)
})

t.test('what the agent names in its words or a call is judged by those, also in later turns', async (t) => {
  for (const [request, ...drafts] of [
    [DEBUG, ...edited('src/cli.ts'), ...edited('/home/x/app/docs/debug.md'), done('The flag is added.')],
    [DEBUG, done('The flag is added, and `docs/debug.md` names it.')],
    [DEBUG, done('The flag is added.'), user('go on'), ...edited('docs/debug.md'), done('Done.')],
    [LIST, done('March is rerun, the maximum was 24, and ward_group is in dictionary.md.')],
    [
      DEBUG,
      assistant('', [call('b', 'bash', { command: "cat >> docs/debug.md <<'E'\n--debug\nE" })]),
      result('b', ''),
      done('Ok.'),
    ],
    [
      '- la version dans /etc/issue\n- le journal',
      ...edited('overlay/etc/issue'),
      done('Le journal reste en mémoire.'),
    ],
  ] as [string, ...EntryDraft[]][])
    t.strictSame(unnamed(request, ...drafts), [], request)
})

t.test('sentences that ask for nothing, forbid something or wait are no wishes', async (t) => {
  for (const request of [
    'Why is the build slow? (logs in /var/log/dbt)',
    'Does src/retry.ts try three times?',
    'The bug came with docs/old.md. Fix the typo.',
    "Fix the typo. Don't touch docs/debug.md.",
    'Fix the typo. Leave docs/debug.md as it is.',
    'Fix the typo. docs/debug.md later, not now.',
    'Fix the typo. Never edit generated/api.ts.',
    'Corrige la faute. Ne touche pas à docs/debug.md.',
    'Fix the typo. Have a look at https://example.com/a/b.html please',
    'Fix the typo and/or the i18n/l10n stuff, e.g. the title.',
    'Fix the typo:\n```\ndocs/debug.md: wrong word\n```',
    '> see docs/debug.md\nFix the typo.',
    'Morning! Love it. I was away until 3.15 pm. Fix the typo.',
    'Port it to Node.js please.',
    '- fix the typo\n- do not touch docs/debug.md\n- always use British spelling',
    'yes, after 5. and then raise, the scheduler sees it',
    // In other words, what names no file may be done.
    '- fix the typo\n- email Jo the totals',
    'Fix the typo. Under no circumstances:\n- edit docs/debug.md\n- push',
    'Corrige la faute. Ne touche jamais :\n- docs/debug.md\n- docs/api.md',
    'Which of these has a typo?\n- docs/debug.md\n- docs/api.md',
  ])
    t.strictSame(unnamed(request, done('I fixed the typo.')), [], request)
})

t.test('a request of which the agent does not name a wish is not said to be done as a whole', async (t) => {
  const [request] = itemsOf([user(DEBUG), done('Done, everything is in.'), user('Now the lexer.')])
  t.equal(request?.state, 'answered')
  const [open] = itemsOf([user(DEBUG), ...edited('src/cli.ts')])
  t.match(open, { kind: 'request', state: 'open' })
})

t.test('what the user says later of the file of a wish stands beside it', async (t) => {
  t.strictSame(
    unnamed(
      DEBUG,
      done('The flag is added.'),
      user('Good. I did docs/debug.md myself. Now the lexer.'),
      done('The lexer is fixed.'),
    ),
    ["Mention it in docs/debug.md too.; the user then: 'I did docs/debug.md myself.'"],
  )
})
