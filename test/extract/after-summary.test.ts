import t from 'tap'
import { isAbout, saidOf } from '../../src/extract/blockers.ts'
import { findWork } from '../../src/extract/find-work.ts'
import { findOverruling, overruledBy } from '../../src/extract/overruled.ts'
import { pairMessages } from '../../src/extract/runs.ts'
import { rootsOf } from '../../src/extract/work-claims.ts'
import { assistant, buildEntries, call, result, user } from '../support/build-entries.ts'

/** Whether what happened after an earlier summary does away with a line of it. */
type Pair = readonly [line: string, later: string, request?: string]

const check = (name: string, yes: readonly Pair[], no: readonly Pair[], isOver: (...pair: Pair) => boolean): void =>
  void t.test(name, async (t) => {
    for (const pair of yes) t.equal(isOver(...pair), true, pair.join(' | '))
    for (const pair of no) t.equal(isOver(...pair), false, pair.join(' | '))
  })

/** The state of the first of some steps after a turn, whose commit has the words after `commit: `. */
function stateOf(steps: string, later: string, request = 'continue'): string | undefined {
  const [, subject] = /^commit: (.*)$/.exec(later) ?? []
  const commit = call('c', 'bash', { command: `git commit -am "${subject ?? ''}"` })
  const drafts = [
    user(request),
    ...(subject === undefined
      ? [assistant(later)]
      : [assistant('', [commit]), result('c', `[main 77aa102] ${subject}`, { exitCode: 0 }), assistant('OK.')]),
    user('Thank you. How is the weather?'),
  ]
  const paired = pairMessages(buildEntries(drafts).map(({ message }) => message!))
  const named = steps.split('; ').map((text) => ({ text, isOlder: false }))
  return findWork(paired, { earlier: { steps: named, tasks: [] } }).items.find(({ kind }) => kind === 'step')?.state
}

check(
  'a step is said to be done by a claim or a commit with its words, or by a request for it that is done',
  [
    ['Add retry with backoff for 429', 'commit: Retry with exponential backoff when Notion answers 429'],
    [
      'Add retry with backoff for 429; Write a README',
      'Added retries with a growing delay.',
      'nice. now the 429 thing',
    ],
    ['Finish table conversion', 'Tables are converted. Done.', 'continue with the tables'],
    ['Convert tables to markdown; Finish table conversion', 'Table conversion is done.', 'continue with the tables'],
    [
      'Write a README with installation instructions',
      'README.md is written, it has 20 lines.',
      'ok, the readme please',
    ],
    ['Migrate the sessions table', 'Done: the migration of the sessions table is written and applied.'],
    ['Remove the legacy export endpoint', 'I removed the legacy export endpoint.'],
    ['Validate the upload size', 'Done.', 'please do the validation of the upload size'],
    ['Add tests for the state file', 'I added tests for the state file; all pass.'],
    ['Implement pagination', 'Pagination is implemented.'],
    [
      'Delivery worker with exponential backoff',
      'The delivery worker is in place; deliveries are retried with exponential backoff.',
    ],
    ['Delivery worker; Admin page', 'Done.', 'Security signed off, btw. Next the delivery worker, but use pg-boss'],
    ['Add pagination to GET /users', 'commit: Paginate GET /users'],
    ['XLSX export', 'XLSX export works: all 14 tests pass.'],
    ['Fix add', 'Fixed add.'],
    ['Rename `getUser` to `fetchUser`', 'Renamed `getUser` to `fetchUser` everywhere.'],
    ['Tabellen nach Markdown konvertieren', 'Alles fertig.', 'weiter mit den Tabellen'],
    ['Retry mit Backoff für 429 einbauen', 'Retry mit Backoff für 429 ist umgesetzt.', 'weiter'],
    ['Añadir reintentos con backoff para 429', 'Añadido: reintentos con backoff para 429.', 'continúa'],
  ],
  [
    ['Add retry with backoff for 429', 'Removed the retry with backoff for 429.'],
    ['Add retry with backoff for 429', 'I added tests for retry with backoff on 429.'],
    ['Add retry with backoff for 429', '429 means too many requests. Nothing was changed.', 'what does 429 mean?'],
    ['Add retry with backoff for 429', 'I fixed the proxy configuration.', 'the 429 comes from the proxy'],
    ['Add retry with backoff for 429', 'Retry with backoff for 429 is not done yet.', 'now the 429 thing'],
    ['Convert tables to markdown', 'Headings are done, but tables are not converted to markdown yet.'],
    ['Add tests for the state file', 'The state file is written and all tests pass.'],
    ['Download images next to the page; Compress images', 'Images compressed. Fixed.', 'now the images'],
    ['Write a README with installation instructions', 'Fixed the typo.', 'fix the typo in the readme'],
    ['Implement pagination', 'The pagination of the users list is fixed.'],
    ['Finish avatar upload', 'Added it to the avatar upload.', 'the avatar upload should show a progress bar too'],
    ['Finish avatar upload', 'I added a progress bar to the avatar upload.'],
    [
      'E-mail and push toggles',
      'The e-mail and push toggles are done. Not done: the push toggle is not wired to the API.',
    ],
    ['Run the migration on staging', 'I fixed the layout.', 'staging is up again. fix the layout of the page'],
    ['Migrate the sessions table', 'I will migrate the sessions table once the backup is done.'],
    ['Deploy to staging', 'Staging is up, checks are done.', 'is staging up?'],
    ['Rename the option in the docs', 'Wrote the docs of the cache. Done.', 'now the docs'],
    ['Cache the result of loadConfig', 'commit: WIP: cache the result of loadConfig'],
    ['Set up CI for the package', 'CI is green for the package.'],
    ['Handle deleted pages with --prune', 'Added the --prune flag. It does not handle deleted pages yet.'],
    ['Tabellen nach Markdown konvertieren', 'Die Tests der Tabellen sind fertig.', 'weiter'],
    ['Añadir reintentos con backoff para 429', 'Todavía no he añadido reintentos con backoff para 429.'],
  ],
  (step, later, request) => stateOf(step, later, request) === 'said',
)

check(
  'what the user says of a blocker names the thing in the way, and not only its part or place',
  [
    ['- CI is red because of the flaky runner', 'CI is still red'],
    ['- CI is red because of the flaky runner', 'ok, the runner is back. go on with the release'],
    ['- No Maps API key yet', 'the key is in .env now'],
    ['- No access to the staging database', 'Ops gave us access'],
    ['- Needs approval by legal', 'legal has given its approval'],
    ['- Waiting for the design of the settings page', 'Here is the design of the settings page'],
    ['- Staging is unreachable (VPN)', 'VPN works again'],
    ['- Blocked by PR #42 of the platform team', 'PR #42 was merged this morning'],
    ['- Firewall blocks port 5432', 'port 5432 is open now'],
    ['- Warten auf Zugang zum Cluster', 'wir haben jetzt Zugang'],
    ["- Pas d'accès au serveur", "on a l'accès maintenant"],
    ['- Falta la clave de API', 'la clave ya está en .env'],
  ],
  [
    ['- No Maps API key yet', 'the map is ready'],
    ['- Waiting for the design of the settings page', 'the settings page works again'],
    ['- Blocked by PR #42', '#43 is merged'],
    ['- CI is red because of the flaky runner', 'now the release'],
  ],
  (blocker, later) => saidOf(blocker, [{ sentence: later, roots: rootsOf(later) }]) !== undefined,
)

check(
  'what the agent has done is about a blocker if it has its name, or most words of a part of it',
  [
    ['- Rate limits: Notion answers 429 after 3 requests per second', 'Retry when Notion answers 429'],
    ['- SQLite lock error on macOS', 'Fixed the lock error of SQLite on macOS.'],
  ],
  [
    ['- `npm ci` fails with 429 from the registry', 'Retry when Notion answers 429'],
    ['- SQLite lock error on macOS', 'Added a test for the lock error of SQLite on macOS.'],
    ['- Waiting for the design of the settings page', 'Fixed the page.'],
  ],
  (blocker, later) => isAbout(later, blocker),
)

check(
  'a decision is overruled by words of the user against what was chosen, and not by others about it',
  [
    ['- **Slugs from titles**: links stay stable', 'use page ids instead of slugs'],
    ['- **Slugs from titles**: links stay stable', 'forget the slugs, name the files by page id'],
    ['- **SQLite as store**: no server is needed', 'please replace SQLite with Postgres'],
    ['- We use SQLite because no server is needed', "don't use SQLite, the disk is read-only"],
    ['- **Store**: SQLite', 'lets switch from SQLite to Postgres'],
    ['- **Polling every 5 s** instead of websockets', 'polling was a bad idea, use websockets'],
    ['- Semicolons as separator because of Excel', 'use commas, not semicolons'],
    ['- JWT in a cookie', 'stop using JWT'],
    ['- Payloads carry the whole invoice rather than an id', 'send only the id, not the whole invoice'],
    ['- **Dubletten per Hash erkennen**', 'Dubletten bitte nicht per Hash, sondern über die Nummer'],
    ['- **SQLite als Speicher**: kein Server nötig', 'nimm Postgres statt SQLite'],
    ['- **SQLite comme stockage**', 'utilise Postgres au lieu de SQLite'],
    ['- The agent asked: "Redis or Postgres?" The user answered: "Redis"', 'use Postgres instead of Redis'],
  ],
  [
    ['- **Slugs from titles**: links stay stable', 'add a test for the slugs'],
    ['- **Slugs from titles**: links stay stable', 'should we use page ids instead of slugs?'],
    ['- **Slugs from titles**: links stay stable', 'forget the links in the footer'],
    ['- **SQLite as store**: no server is needed', "don't switch from SQLite to Postgres"],
    ['- **SQLite as store**: no server is needed', 'maybe we switch from SQLite to Postgres later'],
    ['- We use SQLite instead of Postgres', "don't use Postgres"],
    ['- Redux for state', 'replace the redux icon with an svg'],
    ['- JWT in a cookie', 'remove the cookie banner'],
    ['- Semicolons as separator because of Excel', 'Excel was a bad idea'],
    ['- The agent asked: "Redis or Postgres?" The user answered: "Redis"', 'use Redis instead of Postgres'],
  ],
  (decision, later) => overruledBy(decision, findOverruling([later])) !== undefined,
)
