import t from 'tap'
import { readClaims, sentencesOf } from '../../src/extract/done-claims.ts'
import { findWork } from '../../src/extract/find-work.ts'
import { pairMessages } from '../../src/extract/runs.ts'
import { isPostponing } from '../../src/extract/verdict-words.ts'
import { assistant, buildEntries, call, result, user, type EntryDraft } from '../support/build-entries.ts'

/** The states of the requests and wishes of a session, each after its text. */
const statesOf = (drafts: readonly EntryDraft[]): Record<string, string> =>
  Object.fromEntries(
    findWork(pairMessages(buildEntries(drafts).map(({ message }) => message!))).items.flatMap(
      ({ kind, text, state }) => (kind === 'request' || kind === 'wish' ? [[text, state]] : []),
    ),
  )

/** A call with its result. */
const did = (name: string, args: unknown, isError = false): EntryDraft[] => [
  assistant('', [call('c', name, args)]),
  result('c', isError ? 'Error: the text was not found' : 'ok', { toolName: name, isError }),
]

const todos = (...statuses: string[]): EntryDraft[] =>
  did('TodoWrite', { todos: statuses.map((status, at) => ({ content: `Item ${at}`, status })) })
const edited = (isError: boolean): EntryDraft[] => did('edit', { path: 'a.ts', oldText: 'a', newText: 'b' }, isError)

for (const [what, work, state] of [
  ['an item of its list is in progress', todos('completed', 'in_progress'), 'open'],
  ['an item of its list is pending', todos('completed', 'pending'), 'open'],
  ['all items of its list are completed', todos('completed', 'completed'), 'said'],
  ['its only edit has failed', edited(true), 'open'],
  ['its last edit has failed', [...edited(false), ...edited(true)], 'open'],
  ['the edit was tried again', [...edited(true), ...edited(false)], 'said'],
  ['a command has changed the file', [...edited(true), ...did('bash', { command: "sed -i 's/a/b/' a.ts" })], 'said'],
  ['a check has passed after the edit that failed', [...edited(true), ...did('bash', { command: 'npm test' })], 'open'],
] as const)
  t.test(`"Done." where ${what}: the request is ${state}`, async (t) => {
    t.strictSame(statesOf([user('Fix the adder.'), ...work, assistant('Done.')]), { 'Fix the adder.': state })
  })

t.test('what the user says does not work, or is missing, is not said to be done', async (t) => {
  const first = (words: string): string | undefined =>
    statesOf([user('Add a retry.'), assistant('Done.'), user(words)])['Add a retry.']
  for (const words of [
    'It does not retry at all',
    'That is still broken',
    'the second file is missing',
    "But the docs don't mention it.",
    'Es wiederholt gar nichts, und die zweite Datei fehlt',
    'Das ist noch kaputt.',
    'Le second fichier manque.',
    'El segundo archivo falta.',
    'O segundo arquivo não existe.',
    'Il secondo file manca.',
    'Второй файл отсутствует',
    '第二个文件缺少',
    '2つ目のファイルがありません',
    '두 번째 파일이 없습니다',
  ])
    t.equal(first(words), 'open', words)
  for (const words of [
    'Great, thanks.',
    'Now the docs.',
    'It is not urgent, but add docs.',
    'Add a flag that is not shown.',
  ])
    t.equal(first(words), 'said', words)
})

const TESTS = 'Rename f and update the tests'
const THREE = 'Rename the flag, then update the docs, and add a test.'
const NUMBERED = '1) runbook: a new name\n2) drop the old nodes\n3) versions table in README'
const LIST = '- rename the flag\n- update the docs\n- add a test'

/** Requests with a final answer, and the states of the request and of its wishes, in order. Wishes whose states are all the same are none. */
const answers: [request: string, answer: string, ...states: string[]][] = [
  // What the agent says is left, in part or in number
  [TESTS, 'Renamed the function. I have not touched the tests.', 'open', 'said', 'open'],
  [TESTS, 'I renamed f; the tests are unchanged.', 'open', 'said', 'open'],
  [TESTS, 'Renamed f. The tests will follow.', 'open', 'said', 'open'],
  [TESTS, "I renamed f. I'll update the tests next.", 'open', 'said', 'open'],
  ['Update the call sites', 'Fixed three of the twelve call sites. Nine remain.', 'open'],
  // What it has only heard
  ['Raise the limit to 5', 'Noted, 5.', 'unknown'],
  ['Raise the limit to 5', 'Agreed.', 'unknown'],
  ['Raise the limit to 5', "I've acknowledged that the limit is 5.", 'unknown'],
  ['Note the limit in the README', 'I noted the limit in the README.', 'said'],
  ['Update the call sites', 'Updated the call sites in src. The others remain.', 'open'],
  ['Fix the files', 'Done with two of the five files.', 'open'],
  ['Fix the failing tests', 'Fixed 3 of 5 tests.', 'open'],
  // What it offers
  [
    'Add the endpoint and write tests for it',
    'The endpoint is in place. Shall I add the tests now?',
    'open',
    'said',
    'open',
  ],
  ['Add the endpoint and the tests', 'The endpoint is in place. Shall I add the tests now?', 'open'],
  ['Rename f everywhere', 'The plan is ready. Shall I start?', 'open'],
  // What fails
  ['Split the core module', 'The module core is split. Two tests fail, so I will fix these next.', 'open'],
  ['Make search case-insensitive', "Implemented it would cost 2 GB more. I'd wait.", 'unknown'],
  ['Make the tests green. Then write the docs.', 'Tests are green; docs: TODO.', 'open', 'said', 'open'],
  [
    'Make the tests green. Then write the docs.',
    'The tests are green, but I left the docs for later.',
    'open',
    'said',
    'open',
  ],
  // An announcement at the beginning is done below it
  ['Rename f', "I'll rename f. Here are the edits. One file is changed. It works now.", 'said'],
  // What it does not name
  [THREE, 'I renamed the flag.', 'open', 'said', 'open', 'open'],
  [THREE, 'Both are done. The test is next.', 'open', 'said', 'said', 'open'],
  [LIST, 'The docs are updated.', 'open', 'open', 'said', 'open'],
  [
    'Three things: fix the parser, add a cache, and write the changelog.',
    'I fixed the parser.',
    'open',
    'said',
    'open',
    'open',
  ],
  // Items named by their numbers
  [NUMBERED, '1) and 3) are done, rebased on main and pushed.', 'open', 'said', 'open', 'said'],
  [NUMBERED, '1 and 3 are done.', 'open', 'said', 'open', 'said'],
  [NUMBERED, 'Punkte 1 und 3 sind erledigt.', 'open', 'said', 'open', 'said'],
  [NUMBERED, '1) and 3) are done. 2) later', 'open', 'said', 'open', 'said'],
  [NUMBERED, '1. done\n2. not yet\n3. done', 'open', 'said', 'open', 'said'],
  [NUMBERED, 'All done but 2.', 'open', 'said', 'open', 'said'],
  [NUMBERED, 'All but 2 are done.', 'open', 'open', 'open', 'open'],
  [NUMBERED, '2 is not done.', 'open', 'open', 'open', 'open'],
  [NUMBERED, '1 and 3 are done, 2 is not done.', 'open', 'open', 'open', 'open'],
  [NUMBERED, '1 and 3 are done, apart from the table.', 'open', 'open', 'open', 'open'],
  [NUMBERED, '1 and 3 are done. 3 still lacks a header.', 'open', 'said', 'open', 'open'],
  [NUMBERED, '2 are done, 1 to go.', 'open', 'open', 'open', 'open'],
  [NUMBERED, '1 von 3 Tests sind grün.', 'unknown', 'answered', 'answered', 'answered'],
  // What is missing names less of it than what is claimed
  [
    '- make it fast again\n- a --stations 014,087 option',
    'Done:\n\n- It is fast again.\n- `--stations 014,087` reruns some stations.\n\nI could not find out why station 087 sends duplicates.',
    'open',
    'said',
    'said',
  ],
  ['Add an endpoint and tests', 'The endpoint is in place.', 'open'],
  ['Add an endpoint with tests.', 'Added the endpoint.', 'open'],
  ['Fix add, sub and mul.', 'Fixed add.', 'open'],
  ['Rename f and add tests for it.', 'Renamed f. All 14 tests pass.', 'open', 'said', 'open'],
  // Other languages
  ['Benenne f um und passe die Tests an.', 'Umbenannt. Die Tests fehlen noch.', 'open', 'said', 'open'],
  [
    'Benenne f um und passe die Tests an.',
    'f ist umbenannt. Die Tests müssen noch angepasst werden.',
    'open',
    'said',
    'open',
  ],
  ['Renomme f et mets à jour les tests.', 'f est renommé. Les tests manquent encore.', 'open', 'said', 'open'],
  ['Renombra f y actualiza las pruebas.', 'Renombrado. Todavía faltan las pruebas.', 'open', 'said', 'open'],
  ['Renomeie f e atualize os testes.', 'Concluído: f. Ainda faltam os testes.', 'open', 'said', 'open'],
  ['Rinomina f e aggiorna i test.', 'f è rinominato. Mancano ancora i test.', 'open', 'said', 'open'],
  ['Переименуй f и обнови тесты.', 'Переименована f. Тесты ещё не обновлены.', 'open', 'said', 'open'],
  ['重命名函数并更新测试', '已重命名函数。测试还没更新。', 'open'],
  ['関数名を変更し、テストを更新してください', '変更しました。テストはまだです。', 'open'],
  ['함수 이름을 바꾸고 테스트를 수정해', '이름 변경 완료. 테스트는 아직입니다.', 'open'],
  // A hedge is a claim, and a failure is none
  ['Fix the retry', 'It should work now, but I could not run it.', 'said'],
  ['Rename f', 'I could not rename it.', 'open'],
  // Honest claims
  [THREE, 'Done.', 'said'],
  [THREE, 'All three are in place.', 'said'],
  [THREE, 'Done: the flag, the docs and the test all work, 14 tests pass.', 'said'],
  [LIST, 'All three are in place.', 'said', 'said', 'said', 'said'],
  [TESTS, 'Done! I renamed `f` to `g` in all files.', 'said'],
  [TESTS, 'Everything works now.', 'said'],
  ['Benenne f um und ergänze die Doku.', 'Beides ist erledigt.', 'said'],
  ['Implement X', 'Implemented X. No other call sites remain.', 'said'],
  ['Implement X and document it', 'Implemented X. Nothing is left to do.', 'said'],
  ['Setze X um', 'X ist umgesetzt. Es bleibt nichts zu tun.', 'said'],
  ['Fix the bug. Do not touch the tests.', 'Fixed the bug. I have not touched the tests.', 'answered'],
  ['Make the icon smaller', 'I changed it from size-4 to size-3. The button remains unchanged.', 'said'],
  ['Fix the login', 'Fixed the login. Would you like me to add a test?', 'answered'],
  ['Fix the failing tests', 'Fixed: 12 of 12 tests pass.', 'said'],
  ['Fix add, sub and mul.', 'add, sub and mul are fixed.', 'said'],
  ['ok, make muted a little brighter', 'Changed `gray` from #6c6c6c to #808080.', 'said'],
  [
    'Add a retry to the client and write a test for it.',
    '## Summary\n\nI implemented this:\n\n- **Retry**: the client makes three attempts\n- **Tests**: 3 new cases',
    'said',
  ],
]

for (const [request, answer, ...states] of answers)
  t.test(`${request} => ${answer}`, async (t) => {
    t.strictSame(Object.values(statesOf([user(request), assistant(answer)])), states)
  })

t.test(
  'a part that the answer does not name is answered once the user goes on, and one that it says is missing is open',
  async (t) => {
    const first = (answer: string) =>
      Object.values(statesOf([user(TESTS), assistant(answer), user('Now the colours.')]))
    t.strictSame(first('Renamed f.'), ['answered', 'said', 'answered', 'open'])
    t.strictSame(first('Renamed f. The tests are still missing.'), ['open', 'said', 'open', 'open'])
  },
)

t.test('a request that the user says again is replaced, whatever its answer has left', async (t) => {
  const request = 'Detect the language of the user and add it to the text of the platform'
  t.strictSame(
    statesOf([user(`${request}. Be brief.`), assistant('I will add a function.'), user(request), assistant('Done.')]),
    { [`${request}. Be brief.`]: 'replaced', [request]: 'said' },
  )
})

t.test('what a commit names, or a task that is completed, is not open in a turn that goes on', async (t) => {
  const request = 'Rename parseAll to parseEach everywhere, then add a cache to the loader, and update the docs.'
  const wishes = ['Rename parseAll to parseEach everywhere', 'add a cache to the loader', 'update the docs.']
  const committed = [
    assistant('', [
      call('c', 'bash', { command: 'git commit -qam "Rename parseAll to parseEach" && git log --oneline | head -1' }),
    ]),
    result('c', '1a2b3c4 Rename parseAll to parseEach', { toolName: 'bash', exitCode: 0 }),
  ]
  const tasks = did('TodoWrite', {
    todos: [
      { content: 'Rename parseAll to parseEach', status: 'completed' },
      { content: 'Add a cache to the loader', status: 'in_progress' },
    ],
  })
  for (const [work, state] of [
    [committed, 'said'],
    [tasks, 'done'],
  ] as const)
    t.strictSame(statesOf([user(request), ...work]), {
      [request]: 'open',
      [wishes[0]!]: state,
      [wishes[1]!]: 'open',
      [wishes[2]!]: 'open',
    })
})

/** What one sentence of an answer is taken for. */
const taken = (sentence: string): string => {
  const { claims, shortfalls } = readClaims(sentence)
  return [...(claims.length > 0 ? ['claim'] : []), ...(shortfalls.length > 0 ? ['shortfall'] : [])].join(' and ')
}

const sentences: Record<string, [what: string, sentences: string[]]> = {
  'what would be if it was done, what somebody else has done, and what a thing does': [
    '',
    [
      'Implemented it would cost 2 GB more.',
      'Done that way, it would take a week.',
      'Rewritten in Rust it could be twice as fast.',
      "I'd have renamed it, but the API is public.",
      'Had I removed it, the build would be slower.',
      'As soon as it is merged, the cache goes away.',
      'Completed orders would be deleted too.',
      'I am ready to start.',
      'The language detection is done by checking the locale.',
      'It was removed in 2.0 by the maintainers.',
      'You renamed it yesterday.',
      'It is being rewritten by the other team.',
      'Defined in src/a.ts.',
      'Umgesetzt würde das 2 GB mehr kosten.',
      'Ich hätte es umbenannt, aber die API ist öffentlich.',
      'Implémenté ainsi, cela coûterait 2 Go.',
      'Implementado así costaría 2 GB.',
    ],
  ],
  'what was done': [
    'claim',
    [
      'Fixed the bug that would crash the parser.',
      'Added a check so it would not crash.',
      'Renamed the flag because it would have been ambiguous.',
      'I added a test which would fail without the fix.',
      'The bug is fixed in src/a.ts.',
      'Fixed by adding a null check.',
      'It was added to the menu.',
      'Ready for review.',
      'All tests are green.',
      'I fixed the tests that were failing.',
      'Removed the TODO comment.',
      'The feature is done, and you will need to restart the server.',
      'Behoben: eine leere Liste würde sonst abstürzen.',
    ],
  ],
  'a check that fails': [
    'shortfall',
    [
      'Two tests fail, so I will fix these next.',
      'Some tests of the importer fail.',
      'The build is broken now.',
      'npm test fails: the importer is slow.',
      'The tests do not pass.',
      "The code doesn't compile.",
      'Der Build schlägt noch fehl.',
      'Deux tests échouent.',
      'Dos pruebas fallan.',
      '两个测试失败。',
    ],
  ],
  'a failure that is expected, or is none': [
    '',
    [
      'Two tests fail as before.',
      'None of the tests fail.',
      'The tests fail if you revert the fix.',
      'The two tests that fail on main are unrelated.',
      'The login fails when the password is empty.',
      'It does not pass the option to the child.',
    ],
  ],
  'what is left to the user, or to later': [
    'shortfall',
    [
      'The other 14 files I leave to you.',
      'src/b.ts is generated, so you will have to change its template.',
      'I left the docs for later.',
      'The docs are postponed.',
      'The migration has to be written by hand.',
      'Remaining: the down migration.',
      'Docs: TODO',
      'The rest remains to be ported.',
      'Good, then I will write docs/export.md.',
      'The dashboard comes in a second step.',
      'npm install is still running, so the lockfile has not been updated.',
      'Die anderen 14 Dateien überlasse ich dir.',
      'Das Template musst du noch anpassen.',
      'Als Nächstes schreibe ich die Doku.',
      'Je te laisse les 14 autres fichiers.',
      'La documentación queda pendiente.',
      'Il reste fail2ban (point 4).',
      'Il ne reste plus que les tests.',
    ],
  ],
  'what a user does with the work, or decides': [
    '',
    [
      'You will need to restart the server.',
      'To enable it, you need to add the key.',
      'I leave the decision to you.',
      "I'll wait for your feedback.",
      'If you want, I can do the dashboard next.',
      'The value is read later by the scheduler.',
      'The TODO list shows open items.',
      'Du musst den Server neu starten.',
      '`forks` reste à 5.',
      'Il reste compatible avec la version 2.',
      'Il ne reste rien.',
    ],
  ],
}

for (const [name, [what, said]] of Object.entries(sentences))
  t.test(`${name}: ${what || 'neither a claim nor a shortfall'}`, async (t) => {
    t.strictSame(
      Object.fromEntries(said.map((one) => [one, taken(one)])),
      Object.fromEntries(said.map((one) => [one, what])),
    )
  })

t.test('ways between which an agent lets the user choose are no claims', async (t) => {
  const claimsOf = (answer: string): string[] => readClaims(answer).claims.map(({ text }) => text)
  t.same(
    claimsOf('Fürs Ziehen gibt es reorderable, fertig und klein; oder selber, ca. 120 Zeilen. Was ist dir lieber?'),
    [],
  )
  t.same(claimsOf('There is a library, ready and small, or we write our own. Which one?'), [])
  t.same(claimsOf('The lexer is fixed. Shall I commit it, or wait?'), ['The lexer is fixed.'])
  t.same(claimsOf('The lexer is fixed, or so the tests say.'), ['The lexer is fixed, or so the tests say.'])
})

const WITH_DOCS = 'Add a cache to the loader and document it in docs/cache.md.'
const OFFERED = [user(WITH_DOCS), assistant('The cache is in. Shall I write docs/cache.md now?')]
const NEXT = [user('Which separators are there?'), assistant('Semicolon and comma.'), user('And which quotes?')]

const postponedIn = (drafts: readonly EntryDraft[]): string[] =>
  (findWork(pairMessages(buildEntries(drafts).map(({ message }) => message!))).postponed ?? []).map(
    ({ words, asked, since }) =>
      [words, asked && `asked: ${asked}`, since && `${since.by}: ${since.words}`].filter(Boolean).join(' | '),
  )

t.test(
  'what the user postpones is known word for word, with what it answers and what was said of it since',
  async (t) => {
    const docs = [user('Add a cache to the loader, then write the docs.'), assistant('The cache is in.')]
    const docsLater = [...docs, user('Wait with the docs until Friday.'), assistant('OK.')]
    const rows: [drafts: EntryDraft[], postponed: string[]][] = [
      [
        [...OFFERED, user('no, later'), assistant('OK.'), ...NEXT],
        ['no, later | asked: The cache is in. Shall I write docs/cache.md now?'],
      ],
      [[...docsLater, ...NEXT], ['Wait with the docs until Friday.']],
      [
        [...docsLater, user('Now the docs.'), assistant('The docs of the cache are written.')],
        ['Wait with the docs until Friday. | agent: The docs of the cache are written.'],
      ],
      [
        [...docsLater, user('Forget the docs. Drop them.'), assistant('OK.')],
        ['Wait with the docs until Friday. | user: Forget the docs. Drop them.'],
      ],
      [[...OFFERED, user('no'), assistant('OK.'), ...NEXT], []],
      [
        [user('accepted_values is red since May. Leave that alone, Jan adds it. How many are there?'), ...NEXT],
        ['accepted_values is red since May. Leave that alone, Jan adds it.'],
      ],
      [
        [user('The queue test is flaky. Leave it.'), assistant('OK.'), user('Now fix the flaky queue test.'), ...NEXT],
        ['The queue test is flaky. Leave it. | user: Now fix the flaky queue test.'],
      ],
      [
        [user('PDF export later, please.'), assistant('OK.'), user('Excel export later, please.'), ...NEXT],
        ['PDF export later, please.', 'Excel export later, please.'],
      ],
    ]
    for (const [drafts, postponed] of rows) t.strictSame(postponedIn(drafts), postponed)
  },
)

/** Sentences of requests that are done besides, and whether they postpone something. */
const LATER: readonly (readonly [sentence: string, isLater: boolean])[] = [
  ...[
    'Firefox after 2.0',
    'cedar theme later',
    'In Firefox the picker is squashed, but that is for after 2.0.',
    "Apple Pay: ask me again in January, the contract isn't signed.",
    'The F2 thing only after the campaign in November though.',
    'And the restore drill — not before the new year.',
    'Steam achievements some day, not now',
    'arm64 Linux build, maybe for 0.8',
    "Nice to have, when there's time: menu in Polish",
    'The kitchen plan can wait.',
    "Let's do the taxes after Easter.",
    'Le formulaire de don, plus tard, après la campagne.',
    'La terrasse, on verra en avril.',
    'Die Umstellung auf PDF/A machen wir erst nach dem Abschluss, nicht jetzt.',
    'Der Anbau bleibt bis Sommer liegen.',
    'Depotübertrag hat Zeit bis zum Sommer',
    'Lo de las fotos, más tarde.',
    'La cubierta puede esperar hasta junio.',
    'The audit is screaming: leave it, Tomás does the upgrades on Thursday.',
    'The race test is red since Thursday: leave that one until Bao is back.',
    'La vignette prix, laisse : leur API est en maintenance.',
    'Der Job nightly-fx ist Sache des Netzwerks, lass.',
    '文档以后再写',
    'ドキュメントは後でお願いします',
  ].map((sentence) => [sentence, true] as const),
  ...[
    'The value is read later than the header.',
    'Run the linter after the build.',
    'Write a test for the date of tomorrow.',
    'Add a button so that we can undo it later on the page.',
    'Only commit once the tests pass.',
    'Never deploy after the release.',
    'The report for January is wrong, fix the sums.',
    'Move the deadline in the plan to Friday.',
    'The sort is wrong for dates after 2.0 seconds.',
    'Change the price from 3.20 to 4.20.',
    'Book the room from Monday to Friday.',
    'Die Tests laufen noch nicht durch.',
    'Après le build, lance les tests.',
    "Le bouton n'est pas encore bleu.",
    'Los tests todavía no pasan.',
    'no wait, leave it.',
    'yes leave it, I forward it to them.',
    'Das ist das Netzwerk, lass.',
  ].map((sentence) => [sentence, false] as const),
]

for (const [sentence, isLater] of LATER)
  t.test(`"${sentence}" beside other wishes is ${isLater ? 'postponed' : 'not postponed'}`, async (t) => {
    const request = `Rename the popup.\n${sentence}\nAdd a shortcut.`
    const drafts = [user(request), ...edited(false), assistant('Done: both are in.'), ...NEXT]
    t.strictSame(postponedIn(drafts), isLater ? [sentence] : [])
    t.notOk(isLater && statesOf(drafts)[request.replaceAll('\n', ' ')] === 'said', 'then it is not done as a whole')
  })

for (const [request, ...found] of [
  [
    'Not now, we have until the 29th. Hmm, no. I will have forgotten by then. Do it now.',
    'Not now, we have until the 29th. | user: Hmm, no. I will have forgotten by then. Do it now.',
  ],
  ['The export can wait. On second thought, do it.', 'The export can wait. | user: On second thought, do it.'],
  ['Not now. Doch, mach es jetzt.', 'Not now. | user: Doch, mach es jetzt.'],
  ['Not now. No new dependencies, please.', 'Not now.'],
  ['Leave the export for later. Wait for CI before you push.', 'Leave the export for later.'],
] as const)
  t.test(`words after a postponement that take it back are quoted beside it: ${request}`, async (t) => {
    t.strictSame(postponedIn([user('Fix the clock.'), assistant('It is fixed.'), user(request), ...NEXT]), found)
  })

const postponing: Record<string, boolean> = {
  'Ok, wait with the migration.': true,
  'Please hold off on the release for now.': true,
  'Not now.': true,
  'Maybe later': true,
  'Leave that for later. Rename the cookie.': true,
  "We'll do the dashboard later.": true,
  'Postpone the upgrade to React 19.': true,
  'The docs can wait until the release.': true,
  "Let's defer the cleanup to next week.": true,
  'Warte mit der Doku bis Freitag.': true,
  'Die Doku hat noch Zeit.': true,
  'Nein, später.': true,
  "Attends avec la doc jusqu'à vendredi.": true,
  'Espera con la documentación hasta el viernes.': true,
  '文档以后再写。': true,
  'Wait, that is wrong.': false,
  'Wait for the server before you test.': false,
  'The value is read later.': false,
  "I'll do that later myself.": false,
  'Add a button so that we can undo it later.': false,
  'Write a test for the date of tomorrow.': false,
  'Do the docs now, not later.': false,
  'The client has to wait for the lock.': false,
  'Delay the animation by 300 ms.': false,
  'Morgen ist der Release.': false,
  'After the release.': true,
  'After that commit both separately.': false,
  'After the next fix push both': false,
}

for (const [words, isPutOff] of Object.entries(postponing))
  t.test(`${words} postpones ${isPutOff ? 'something' : 'nothing'}`, async (t) => {
    t.equal(sentencesOf(words).some(isPostponing), isPutOff)
  })

/** What a user asks for, and what the agent has answered; and whether it is to be done later. */
const DEFERRING: readonly (readonly [asked: string, answer: string, isDeferred: boolean])[] = [
  ['Could you check after the release whether they get resolved? Not now.', 'Noted: after the release I check.', true],
  ["Oh, that's many. After that, check whether the payments get resolved. Not now.", 'Payments get resolved.', true],
  ['Could you check later whether the payments get resolved?', 'Noted: I check later whether they get resolved.', true],
  ['When the release is out, remind me to delete the old bucket.', "I'll remind you.", true],
  ['Remind me tomorrow to rotate the key', 'Done: noted.', true],
  ['Put deleting the old bucket on your list for after the release.', 'Added.', true],
  ['Please write its docs, but only once the API is final.', 'Understood, I write them once it is final.', true],
  ['Later, please also rename the table. Not yet.', 'Ok, I will rename the table later.', true],
  ['Once #812 is merged, rebase this branch.', 'OK, I rebase once it is merged.', true],
  ['Bitte prüf nachher, ob die Zahlungen erledigt sind. Noch nicht jetzt.', 'Notiert: nachher prüfe ich das.', true],
  ['Erinnere mich nach dem Release daran, den alten Bucket zu löschen.', 'Mache ich.', true],
  ['Lösch die alten Tabellen erst, wenn der Import durch ist.', 'Verstanden.', true],
  ["Rappelle-moi de supprimer l'ancien bucket après la release.", "D'accord.", true],
  ['Vérifie plus tard si les paiements passent. Pas maintenant.', 'Noté.', true],
  ["Écris la doc seulement quand l'API sera stable.", 'Compris.', true],
  ['Recuérdame borrar el bucket viejo después del release.', 'Vale, te lo recuerdo.', true],
  ['Cuando la rama esté fusionada, borra la tabla.', 'Entendido.', true],
  ['Comprueba luego si se resuelven. Ahora no.', 'Anotado.', true],
  ['When the tests are green, name those that were slow.', 'The slowest ones are a and b.', false],
  ['Remind me what the flag does.', 'It sets the limit.', false],
  ['Remind me of its name.', 'Its name is sess.', false],
  ["I'll be back after lunch.", 'OK.', false],
  ['The job runs once the queue is empty.', 'Understood.', false],
  ['Never deploy after noon.', 'Understood.', false],
  ['When you change a model, write a migration.', 'OK.', false],
  ['Only commit once the tests pass.', 'Understood.', false],
  ['Push after each commit.', 'Understood.', false],
  ['Can you explain what happens after the timeout?', 'Sure: the session is closed.', false],
  ['Why did it fail after the merge?', 'Yes, the merge has changed the lock file.', false],
  ['Erinnere mich nochmal, wie der Schalter heißt.', 'Er heißt sess.', false],
  ['Rappelle-moi comment on lance les tests.', 'Avec npm test.', false],
]

for (const [asked, answer, isDeferred] of DEFERRING)
  t.test(`${asked} => ${answer} is ${isDeferred ? '' : 'not '}to be done later`, async (t) => {
    const next = [user('Now the signature.'), assistant('The signature is checked.')]
    t.equal(postponedIn([user(asked), assistant(answer), ...next]).length > 0, isDeferred)
  })

t.test('work that was done at once is not deferred, and one of two requests may be', async (t) => {
  const asked = 'After that, rename the table.'
  t.strictSame(statesOf([user(asked), ...edited(false), assistant('OK, it is renamed.')]), { [asked]: 'said' })
  const both = 'Rename the flag. When the release is out, remind me to delete the old bucket.'
  const drafts = [user(both), ...edited(false), assistant('The flag is renamed.')]
  t.strictSame(statesOf(drafts), { [both]: 'answered' })
  t.strictSame(postponedIn(drafts), ['When the release is out, remind me to delete the old bucket.'])
})

/** The note of the request in an answered turn. */
const noteOf = (request: string, answer: string): string =>
  findWork(
    pairMessages(
      buildEntries([user(request), assistant(answer), user('And what is the weather like?')]).map(
        ({ message }) => message!,
      ),
    ),
  ).items.find(({ kind }) => kind === 'request')?.note ?? ''

const unclaimed: Record<string, [request: string, answer: string, note: string]> = {
  'what a list of letters asks for': [
    'For the piece I need: (a) the contracts of one firm within 30 days; (b) a table of the ten offices; (c) a map by province.',
    'The contracts of one firm within 30 days are written to out.csv, and the table of the ten offices is added.',
    'the answer claims only a part of it',
  ],
  'what verbs ask for': [
    'commit, and build a release apk for the depot test',
    'Committed (`0d8e4aa`). The release APK is `app-release.apk` (18.3 MB).',
    'the answer claims only a part of it',
  ],
  'nothing where all is claimed': [
    'I need: a) the contracts of one firm; b) a table of the offices.',
    'The contracts of one firm are added, and the table of the offices is added.',
    '',
  ],
  'no wishes where letters name what was tried': [
    'I tried a) restarting the server and b) clearing the cache, neither helped. Find the cause.',
    'The cause is fixed: the port was taken.',
    '',
  ],
  'no wishes where letters name a choice': [
    'As you like: (a) rename the old helper or (b) delete the new helper.',
    'I renamed the old helper.',
    '',
  ],
}

for (const [name, [request, answer, note]] of Object.entries(unclaimed))
  t.test(`of a request, it is noted that its answer claims only a part: ${name}`, async (t) =>
    t.equal(noteOf(request, answer), note),
  )
