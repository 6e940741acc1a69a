import t from 'tap'
import { pairMessages } from '../../../src/extract/runs.ts'
import { sourceOf } from '../../../src/prompt/build-tasks.ts'
import type { Message } from '../../../src/session/message.ts'
import { expectationsOf } from '../../../src/summary/checks/expectations.ts'
import { findClaims } from '../../../src/summary/checks/claims.ts'
import { checkGrounding } from '../../../src/summary/checks/grounding.ts'
import { markUnverified } from '../../../src/summary/checks/repair-by-code.ts'
import { templates } from '../../support/templates.ts'

/** The claims of each line. */
const CLAIMS: [line: string, claims: string[]][] = [
  ['Edit `src/a/b.ts:42` and ./lib/c.py, then package.json.', ['src/a/b.ts', './lib/c.py', 'package.json']],
  ['See https://acme.dev/x/y.html, please.', ['https://acme.dev/x/y.html']],
  ['See https://example.com/x/y.html, http://localhost:${PORT}/x and https://acme.dev/...', []],
  ['Between `a` failed and cannot be read `b` no text is quoted.', []],
  ['Edit `lot_live.html.heex` and views/index.html.erb.', ['views/index.html.erb']],
  ['Commit 3f2a1bc and deadbeef, not 1234567.', ['3f2a1bc']],
  ['It listens on localhost:3000 and on port 8080.', ['3000', '8080']],
  ['Version 1.2.3 and v2.0, in 2026.', ['1.2.3', 'v2.0']],
  ['It says `TypeError: x is undefined` here.', ['TypeError: x is undefined']],
  ['and/or, I/O, read/write, Node.js, 24/7, e.g. src/**/*.ts', []],
  ['It reads `process.env` and `import.meta.env`, and calls console.log', []],
  ['<read-files>\nsrc/x.ts\n</read-files>\n## Evidence\n- failed: `npm test` (error): Error: y in z.ts\n', []],
]

for (const [line, claims] of CLAIMS)
  t.test(line.slice(0, 60).replaceAll('\n', ' '), async (t) => {
    t.same(
      findClaims(line)
        .map(({ text }) => text)
        .sort(),
      [...claims].sort(),
    )
  })

t.test('claims in the input are known, regardless of case, ./ and slashes; others are reported', async (t) => {
  const sources = [
    'cat /repo/SRC/A.ts',
    'C:\\work\\lib\\b.py',
    'listening on :3000',
    'Error:  cannot   find\nmodule x at y',
  ]
  const summary =
    'In src/a.ts, ./lib/b.py and made/up.ts; localhost:3000, localhost:300; "Error: cannot find module x ..."'
  t.strictSame(checkGrounding(summary, sources), { checked: 6, unknown: ['made/up.ts', '300'] })
})

t.test('unknown facts are marked once each time, after their quotes, except in text written by code', async (t) => {
  const summary =
    'In `made/up.ts` and made/up.ts: see made/up.tsx.\n```\nmade/up.ts\n```\n<read-files>\nmade/up.ts\n</read-files>'
  const marked =
    'In `made/up.ts` (unverified) and made/up.ts (unverified): see made/up.tsx.\n```\nmade/up.ts\n```\n<read-files>\nmade/up.ts\n</read-files>'
  t.equal(markUnverified(summary, ['made/up.ts']), marked)
  t.equal(markUnverified(marked, ['made/up.ts']), marked)
  t.equal(markUnverified(summary, []), summary)
})

t.test('a path that is cut gets no mark within it', async (t) => {
  const cut = '- `git add clients/gen-session.test.mj…` passed'
  t.equal(markUnverified(cut, ['clients/gen-session.test.mj']), cut)
})

t.test('of two unknown paths that begin alike, each is marked as a whole', async (t) => {
  const marked = 'Changed src/a.ts (unverified) and src/a (unverified) now.'
  t.equal(markUnverified('Changed src/a.ts and src/a now.', ['src/a', 'src/a.ts']), marked)
})

/** A session in which files, addresses and errors are named in many ways: each element is a message, or a call with its result. */
const SESSION: (string | [command: string, output: string])[] = [
  'Please look at src/app/server.ts and docs\\guide\\intro.md. Never touch legacy.config.json. See https://acme.dev/docs/setup?tab=2#top.',
  ['ls src/tui', 'README.md\ncompaction.ts\ntree-view.tsx'],
  ['ls -R packages', 'packages/core:\nindex.ts\npackage.json\n\npackages/cli:\nrun.ts\n'],
  ['tree lib', 'lib\n├── http\n│   ├── retry.py\n│   └── client.py\n└── util.py'],
  [
    'ls -la server',
    'drwxr-xr-x 2 root root 4096 Nov 22 02:23 handlers\n-rw-r--r-- 1 root root 12 Nov 22 02:23 routes.go',
  ],
  [
    'git diff',
    'diff --git a/src/net/socket.ts b/src/net/socket.ts\n--- a/src/net/socket.ts\n+++ b/src/net/socket.ts\n@@ -1 +1 @@',
  ],
  ['cd modules/auth && cat token.rs', 'fn main() {}'],
  ['cat session.rs', 'mod x;'],
  ['cat src/{alpha,beta}/types.d.ts', ''],
  ['git mv src/{old => new}/names.ts', ''],
  ['cat ../shared/schema.sql', 'create table x'],
  ['cat src/main-new.ts src/cli-new.ts package-lock.json package.json README.md CHANGELOG.md', ''],
  ['grep -rn retry src/jobs', 'queue-runner.ts:12: retry()'],
  [
    'node x',
    '{"error":"Error: ENOENT: no such file or directory, open \'C:\\\\work\\\\a.txt\'\\nat src/io/read-file.ts:10:5"}',
  ],
  [
    'npm test',
    "TypeError: Cannot read properties of undefined (reading 'name')\n    at load (/home/u/proj/src/load.ts:3:1)\nlistening on http://localhost:4173/\n Tests 3 failed",
  ],
  ['git commit -m x', '[main 3f2a1bc9] x\nv4.17.21 and node:20.11.1-alpine'],
  ['cd /home/u/proj && cat tsconfig.json', '{}'],
  ['curl localhost:4173', 'route /api/users/42'],
  'In `web/pages/` there are home.vue and about.vue. @web/store.ts is the store.',
  ['diff', '-web/removed.ts\n+web/added.ts'],
  ['ls web', 'components'],
  ['ls web/components', 'button.tsx'],
  ['rg "x" .', './.github/workflows/ci.yml:3: x'],
]

const KNOWN = [
  // as they stand, in other letters, with other slashes, with lines behind them
  [
    'src/app/server.ts',
    'SRC/App/server.ts',
    './src/app/server.ts',
    'src\\app\\server.ts',
    'src/app/server.ts:12',
    'app/server.ts',
    'server.ts',
  ],
  [
    'docs/guide/intro.md',
    'docs\\guide\\intro.md',
    'intro.md',
    'legacy.config.json',
    '`src/app/server.ts`,',
    'src/app/server.ts#L10',
    '(src/app/server.ts).',
  ],
  // listings
  ['src/tui/compaction.ts', 'src/tui/tree-view.tsx', 'tui/compaction.ts', 'src/tui/README.md', 'compaction.ts'],
  ['packages/core/index.ts', 'packages/core/package.json', 'packages/cli/run.ts', 'cli/run.ts'],
  ['lib/http/retry.py', 'http/client.py', 'lib/util.py', 'server/routes.go', 'web/components/button.tsx'],
  // diffs, commands
  ['src/net/socket.ts', 'a/src/net/socket.ts', 'web/removed.ts', 'web/added.ts'],
  ['modules/auth/token.rs', 'modules/auth/session.rs', 'auth/token.rs', 'shared/schema.sql', 'schema.sql'],
  ['src/alpha/types.d.ts', 'src/beta/types.d.ts', 'src/new/names.ts', 'src/old/names.ts'],
  ['src/jobs/queue-runner.ts', 'jobs/queue-runner.ts'],
  ['.github/workflows/ci.yml', 'web/pages/home.vue', 'web/pages/about.vue', 'web/store.ts'],
  // names that are joined
  [
    'main-new.ts/cli-new.ts',
    'src/main-new.ts/cli-new.ts',
    'package.json/package-lock.json',
    'README.md/CHANGELOG.md',
    'CLAUDE.md/AGENTS.md',
    'CLAUDE.md/README.md',
  ],
  // absolute
  ['/home/u/proj/src/load.ts', '/home/u/proj/tsconfig.json', 'src/load.ts', 'src/io/read-file.ts'],
  // others
  [
    'https://acme.dev/docs/setup?tab=2#top',
    'https://acme.dev/docs/setup',
    'http://localhost:4173',
    'http://localhost:4173/',
    'http://localhost:4173/api/users/42',
    'port 4173',
  ],
  ['3f2a1bc', '3f2a1bc9', '4.17.21', 'v4.17.21', '20.11.1-alpine', '20.11.1'],
  [
    '`Error: ENOENT: no such file or directory`',
    "`ENOENT: no such file or directory, open 'C:\\work\\a.txt'`",
    '"Cannot read properties of undefined (reading "name")"',
    '`TypeError: Cannot read properties of undefined (reading `name`)`',
  ],
  [
    '`TypeError: Cannot read properties of undefined ...`',
    "`TypeError: … (reading 'name')`",
    '"TypeError: Cannot read properties of undefined (reading \'name\')"',
    '`ENOENT: no such file or directory, open <path>`',
  ],
].flat()

const INVENTED = [
  [
    'src/app/router.ts',
    'src/server.ts',
    'crates/auth/token.rs',
    'src/tui/index.ts',
    'tui/server.ts',
    'src/app/compaction.ts',
  ],
  ['packages/web/index.ts', 'lib/http/server.py', 'lib/retries.py'],
  ['src/net/sockets.ts', 'src/net/socket.tsx', 'net/poll.ts', 'src/delta.ts', 'src/gamma.scss'],
  [
    'tools/restore.py',
    'src/jobs/queue.ts',
    'src/plan/choose.ts',
    'main-new.ts/cli-old.ts',
    'LICENSE/CHANGELOG.md',
    'AGENTS.md/cli-old.ts',
  ],
  [
    '/home/u/other/src/load.ts',
    '/home/u/proj/jsconfig.json',
    'web/pages/contact.vue',
    'config.json',
    'made/up/src/app/server.ts',
  ],
  [
    'https://acme.dev/docs/install',
    'https://acme.io/docs/setup',
    'http://localhost:3000',
    'http://localhost:4173/api/orders',
    'port 417',
    'port 41730',
  ],
  ['deadbe3', '3f2a1bd', '4.17.2', '4.17.22', 'v14.17.21', '0.11.1'],
  [
    '`Error: EACCES: permission denied`',
    "`TypeError: Cannot read properties of null (reading 'id')`",
    '"SyntaxError: Unexpected token < in JSON"',
    '`ReferenceError: load is not defined`',
  ],
].flat()

const sourcesOfSession = (): readonly string[] => {
  const messages: Message[] = SESSION.flatMap((one, index): Message[] =>
    typeof one === 'string'
      ? [{ role: 'user', content: [{ type: 'text', text: one }] }]
      : [
          {
            role: 'assistant',
            content: [{ type: 'toolCall', id: String(index), name: 'bash', arguments: { command: one[0] } }],
          },
          {
            role: 'toolResult',
            toolCallId: String(index),
            toolName: 'bash',
            content: [{ type: 'text', text: one[1] }],
            isError: false,
            isPruned: false,
          },
        ],
  )
  return (
    expectationsOf({ kind: 'history', maxTokens: 1000, source: sourceOf(pairMessages(messages)) }, {}, { templates })
      .sources ?? []
  )
}

for (const claim of KNOWN)
  t.test(`known: ${claim}`, async (t) => {
    t.same(checkGrounding(`See ${claim} there.`, sourcesOfSession()).unknown, [])
  })

for (const claim of INVENTED)
  t.test(`invented: ${claim}`, async (t) => {
    t.equal(checkGrounding(`See ${claim} there.`, sourcesOfSession()).unknown.length, 1)
  })

t.test('the files that our prompts ask about are no claims: a summary may say that there are none', async (t) => {
  t.same(checkGrounding('Project instructions (AGENTS.md, CLAUDE.md): none seen.', []), { checked: 0, unknown: [] })
})
