import t from 'tap'
import { pairMessages } from '../../../src/extract/runs.ts'
import { WorkNews } from '../../../src/extract/work-news.ts'
import { markFound, markSaid, markState, withoutPassedFaults } from '../../../src/model/embedded/stale-lines.ts'
import { writeExtract } from '../../../src/model/embedded/write-extract.ts'
import { sourceOf } from '../../../src/prompt/build-tasks.ts'
import { assistant, buildEntries, call, result, user } from '../../support/build-entries.ts'

const edited = (id: string, path: string) => [
  assistant('', [call(id, 'edit', { path, old_string: 'expand_control', new_string: 'expand_control_for' })]),
  result(id, 'ok'),
]
const news = new WorkNews(
  pairMessages(
    buildEntries([
      ...edited('a', '/p/lib/panel.ex'),
      ...edited('b', '/p/lib/panel.ex'),
      ...edited('c', '/p/app.js'),
    ]).map(({ message }) => message!),
  ),
)

const states: Record<string, [before: string, after: string]> = {
  'what was current is left out, and what is in the file stays': [
    '- **`lib/panel.ex`** (NEW, currently has a compile error)\n  - Has `draw/2`\n  - **Still needs**: attrs\n    - show_debug\n' +
      '  - **Compile error at line 171**: guard\n  - Has `clear/1`',
    '- **`lib/panel.ex`** (NEW) (before 2 later changes)\n  - Has `draw/2`\n  - Has `clear/1`',
  ],
  'of a line, only the sentences that were current are left out': [
    '- `app.js` - Read but NOT yet modified. Has the Terminal hook. The plan is to merge both.',
    '- `app.js` - Has the Terminal hook. (before 1 later change)',
  ],
  'a second compaction counts on': [
    '- `app.js` (before 4 later changes): has hooks',
    '- `app.js`: has hooks (before 5 later changes)',
  ],
  'code in a fence stays': [
    '- `lib/panel.ex`:\n  ```ex\n  # still needs a test\n  ```',
    '- `lib/panel.ex` (before 2 later changes):\n  ```ex\n  # still needs a test\n  ```',
  ],
  'a file that was not changed stays as it is': [
    '- `lib/other.ex`: still needs attrs',
    '- `lib/other.ex`: still needs attrs',
  ],
}

for (const [name, [before, after]] of Object.entries(states))
  t.test(`state of a file: ${name}`, async (t) => void t.equal(markState(before, news), after))

t.test('what was said to be current is marked with what has happened since, once', async (t) => {
  const line = '- **CURRENT: Cannot invoke** Access.get/2 (line 171 of panel.ex)'
  const marked =
    '- **Cannot invoke** Access.get/2 (line 171 of panel.ex) (said earlier; since then: panel.ex changed 2 times)'
  t.equal(markSaid(line, news), marked)
  t.equal(markSaid(`${line} (said earlier; since then: app.js changed once)`, news), marked)
  t.equal(
    markSaid('- `expand_control` still fails', news),
    '- `expand_control` still fails (said earlier; since then: panel.ex changed 2 times, app.js changed once)',
  )
  t.equal(
    markSaid('- **False positive (UNRESOLVED)**: the guard of panel.ex', news),
    '- **False positive (UNRESOLVED)**: the guard of panel.ex (said earlier; since then: panel.ex changed 2 times)',
  )
  t.equal(markSaid('- panel.ex has the guard', news), '- panel.ex has the guard')
  t.equal(markSaid('- other.ex is currently broken', news), '- other.ex is currently broken')
})

t.test('short words about uncommitted work are left out once it was committed', async (t) => {
  const committed = new WorkNews(
    pairMessages(
      buildEntries([
        assistant('', [call('c', 'bash', { command: 'git commit -m "Add it"' })]),
        result('c', '[main 1a2b3c4] Add it'),
      ]).map(({ message }) => message!),
    ),
  )
  const found = 'I have uncommitted changes of the panel.'
  t.equal(markFound(found, committed, -1), '')
  t.equal(markFound(found, news, 9), found)
})

const newsOfRuns = (...runs: [command: string, output: string, isError?: boolean][]): WorkNews =>
  new WorkNews(
    pairMessages(
      buildEntries(
        runs.flatMap(([command, output, isError = false], index) => [
          assistant('', [call(`r${index}`, 'bash', { command })]),
          result(`r${index}`, output, { exitCode: isError ? 1 : 0 }),
        ]),
      ).map(({ message }) => message!),
    ),
  )

t.test('that a file is not committed is no longer said once a commit has the file', async (t) => {
  const all = newsOfRuns([
    'git commit -am "Draw the panel"',
    '[main 3f2a1bc] Draw the panel\n 1 file changed, 1 insertion(+)',
  ])
  const draws = '- **lib/other.ex** (new, **NOT committed**)\n  - Has `draw/2`'
  t.equal(markState(draws, all), '- **lib/other.ex** (new)\n  - Has `draw/2`')
  t.equal(markState('- **lib/other.ex** (**NOT committed**)', all), '', 'nothing is left of the statement')
  const added = newsOfRuns(
    ['git add -A && git commit -m "Draw"', 'the hook has failed', true],
    ['git add lib/other.ex lib/a.ex && git commit -m "Draw"', '[main d9e611e] Draw\n 2 files changed, 3 insertions(+)'],
    ['git add lib/panel.ex && git commit -m "Show"', '[main ad570ac] Show\n 1 file changed, 1 insertion(+)'],
  )
  t.equal(markState('- **/p/lib/other.ex** (**NOT committed**)', added), '')
  t.equal(
    markSaid('- `lib/other.ex` and its tests are uncommitted', added),
    '- `lib/other.ex` and its tests are uncommitted (said earlier; since then: commit d9e611e)',
  )
})

t.test('only a commit that has the file is said to be news of it', async (t) => {
  const said = '- **lib/other.ex** (new, **NOT committed**)'
  const other: [string, string] = ['git add lib/panel.ex && git commit -m "Show"', '[main ad570ac] Show']
  t.equal(markState(said, newsOfRuns(other)), said)
  t.equal(
    markState(said, newsOfRuns(['git commit -m "Show"', '[main ad570ac] Show'])),
    `${said} (said earlier; since then: commit ad570ac, whose files are not known)`,
  )
  const back = newsOfRuns(['git commit -am "Draw"', '[main 3f2a1bc] Draw'], ['git reset --soft HEAD~1', ''])
  t.equal(markState(said, back), said, 'the commit was taken back')
  const again = newsOfRuns(
    ['git add lib/other.ex && git commit -m "Draw"', '[main 3f2a1bc] Draw'],
    ['git reset --soft HEAD~1', ''],
    ['git commit -m "Draw it"', '[main 4f2a1bc] Draw it\n 1 file changed, 1 insertion(+)'],
  )
  t.equal(markState(said, again), '- **lib/other.ex** (new)', 'what was taken back softly is in the next commit')
})

t.test('a file that was deleted has no state any more, until it is written again', async (t) => {
  const removed = [assistant('', [call('r', 'bash', { command: 'rm lib/.ignored' })]), result('r', '', { exitCode: 0 })]
  const written = [assistant('', [call('w', 'write', { path: 'lib/.ignored', content: 'x' })]), result('w', 'ok')]
  const after = (drafts: typeof removed) =>
    markState(
      '- **.ignored** (new, **NOT committed**)\n  - Created to silence it',
      new WorkNews(pairMessages(buildEntries(drafts).map(({ message }) => message!))),
    )
  t.equal(after(removed), '- **.ignored** (deleted since)')
  t.notMatch(after([...removed, ...written]), /deleted/)
})

t.test('what was said to be current is recognized in German, French, Spanish and Chinese', async (t) => {
  const since = 'said earlier; since then: panel.ex changed 2 times'
  for (const said of [
    'panel.ex hat noch keine Attribute',
    'Der Test von panel.ex steht noch aus',
    'panel.ex : reste à corriger',
    'panel.ex est actuellement incomplet',
    'panel.ex sigue fallando',
    'panel.ex: quedan por añadir los atributos',
    'panel.ex 尚未更新',
    "the import of panel.ex isn't used yet",
  ])
    t.equal(markSaid(`- ${said}`, news), `- ${said} (${since})`, said)
  for (const said of ['panel.ex zeichnet die Tafel', 'panel.ex dessine le panneau', 'panel.ex 绘制面板'])
    t.equal(markSaid(`- ${said}`, news), `- ${said}`, said)
})

const NOTHING = new WorkNews({ messages: [], runs: new Map() })

t.test('short words about a fault are over once the turn is done, in each of these languages', async (t) => {
  const said = [
    'Der Fehler liegt im Parser.',
    'Das funktioniert so nicht.',
    'Il y a une erreur dans le parseur.',
    'El analizador falla.',
    '解析器有问题。',
    'Der Parser liest jetzt auch Listen.',
  ].map((text) => ({ text, at: 1 }))
  t.strictSame(
    withoutPassedFaults(said, { state: 'said', provenAt: 3 }, NOTHING).map(({ text }) => text),
    ['Der Parser liest jetzt auch Listen.'],
  )
  const long = '解析器在读取嵌套列表的时候有一个问题，因为它没有记住括号的深度，所以最后一个元素总是丢失。'
  t.equal(
    withoutPassedFaults([{ text: long, at: 1 }], { state: 'said', provenAt: 3 }, NOTHING).length,
    1,
    'a long one says more',
  )
})

t.test('a short announcement of work on an issue is left out once the issue is closed', async (t) => {
  const closed = new WorkNews(
    pairMessages(
      buildEntries([
        assistant('', [call('b', 'bash', { command: 'bd close app-4te.4' })]),
        result('b', 'closed', { exitCode: 0 }),
      ]).map(({ message }) => message!),
    ),
  )
  const said = 'Tasks 4 and 5 are ready, and 6 is blocked. The remaining work begins with app-4te.4.'
  t.equal(markFound(said, closed, -1), '')
  t.equal(markFound(said, closed, 1), said, 'closed before')
})

t.test('a reason why something is not done yet is over once it was worked on; other reasons stay', async (t) => {
  const decisionsOf = (...said: string[]): string[] => {
    const drafts = [
      user('Draw the panel.'),
      ...said.map((text) => assistant(text)),
      ...edited('d', '/p/lib/panel.ex'),
      assistant('The panel is drawn.'),
    ]
    const source = sourceOf(pairMessages(buildEntries(drafts).map(({ message }) => message!)))
    const text = writeExtract({ kind: 'history', maxTokens: 13_107, source })
    return text.slice(text.indexOf('## Key Decisions')).split('\n## ')[0]!.split('\n').slice(1, -1)
  }
  const stays = '`lib/panel.ex` draws by hand, because the library cannot clip.'
  t.strictSame(
    decisionsOf(
      "The import isn't used yet because the template is the old one.",
      '`lib/panel.ex` still has its own copy, because you asked me not to touch it.',
      'In `lib/panel.ex` fehlt noch der Rahmen, weil die Vorlage alt ist.',
      stays,
    ),
    [`- ${stays}`],
  )
})
