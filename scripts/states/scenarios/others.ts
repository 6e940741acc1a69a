import { PLAN, PROJECT } from '../project.ts'
import { call, say, type Scenario, type Step } from '../scenario.ts'

const bash = (command: string, text = ''): Step => call('bash', { command }, text)
const edit = (path: string, oldText: string, newText: string, text = ''): Step =>
  call('edit', { path, edits: [{ oldText, newText }] }, text)

const GERMAN_PLAN = `# Plan

- [x] Grundgerüst
- [ ] Mengen prüfen: keine negativen
- [ ] Summen auf zwei Stellen runden
- [ ] Mahnungen verschicken (erst nach Freigabe)
`

/** In German: a plan in a file, a check that fails after a claim, and an answer that the user is content with. */
const pi: Scenario = {
  name: 'held-out/pi-plan-file',
  client: 'pi',
  files: { ...PROJECT, 'PLAN.md': GERMAN_PLAN },
  turns: [
    {
      prompt:
        'Lies PLAN.md und erledige die nächsten zwei Punkte. Hake sie ab, wenn sie fertig sind. Mahnungen auf keinen Fall anfassen.',
      steps: [
        call('read', { path: 'PLAN.md' }),
        call('read', { path: 'src/total.js' }),
        edit(
          'src/total.js',
          '  return items',
          "  if (items.some(({ count }) => count < 0)) throw new RangeError('negative Menge')\n  return items",
        ),
        edit('PLAN.md', '- [ ] Mengen prüfen', '- [x] Mengen prüfen'),
        edit('src/total.js', 'sum + price * count, 0)', 'sum + price * count, 0).toFixed(2)', 'Jetzt das Runden.'),
        edit('PLAN.md', '- [ ] Summen auf zwei Stellen runden.', '- [x] Summen auf zwei Stellen runden.'),
        say('Beide Punkte sind erledigt, alle Tests laufen durch.'),
      ],
    },
    {
      prompt: 'Lass die Tests bitte wirklich laufen.',
      steps: [
        bash('node --test 2>&1 | grep -E "^# (pass|fail)|actual|expected"'),
        say('Ein Test scheitert: toFixed() liefert eine Zeichenkette. Das Runden ist also nicht fertig.'),
      ],
    },
    {
      prompt: 'Was war noch mal der Unterschied zwischen toFixed und Math.round?',
      steps: [say('toFixed(2) liefert eine Zeichenkette mit zwei Stellen, Math.round() eine ganze Zahl.')],
    },
    { prompt: 'Danke, das reicht mir.', steps: [say('Gern.')] },
  ],
}

const todo = (op: string, fields: object = {}, text = ''): Step =>
  call('todo', { op, i: 'Keep the list', ...fields }, text)

/** Items without ids: done, blocked, dropped, and one that is taken back after it was done. */
const ohMyPi: Scenario = {
  name: 'oh-my-pi-todos',
  client: 'oh-my-pi',
  files: PROJECT,
  turns: [
    {
      prompt: 'Write CHANGELOG.md and LICENSE (MIT), then tag version 1.0. Keep todos.',
      steps: [
        todo('init', { items: ['Write CHANGELOG.md', 'Write LICENSE', 'Tag version 1.0'] }),
        call('write', {
          path: 'CHANGELOG.md',
          content: '# Changelog\n\n## 1.0\n\n- The first version.\n',
          i: 'Write the file',
        }),
        todo('done', { task: 'Write CHANGELOG.md' }),
        todo('block', { task: 'Tag version 1.0', reason: 'Signed with which key?' }),
        say('CHANGELOG.md is written, LICENSE comes next. With which key shall I sign the tag?'),
        // oh-my-pi reminds its model of the open items.
        say('I wait for the key, and write LICENSE after it.'),
      ],
    },
    {
      prompt: 'No license, our lawyers write it. Tag without a signature.',
      steps: [
        todo('drop', { task: 'Write LICENSE' }),
        todo('unblock', { task: 'Tag version 1.0' }),
        call('bash', {
          command: 'git add -A && git commit -qm "Add a changelog" && git tag v1.0 && git tag',
          i: 'Tag',
        }),
        todo('done', { task: 'Tag version 1.0' }),
        say('Version 1.0 is tagged as v1.0.'),
      ],
    },
    {
      prompt: 'Too early, take the tag back. We tag it next week.',
      steps: [
        call('bash', { command: 'git tag -d v1.0', i: 'Delete the tag' }),
        todo('rm', {}, 'I clear the list.'),
        say('The tag is deleted.'),
      ],
    },
  ],
}

const editor = (file: string, old_text: string, new_text: string, text = ''): Step =>
  call('editor', { path: `{project}/${file}`, old_text, new_text }, text)

/** A plan in a file, with the editor of Cline: one tick that fails, and a step that is skipped by the user. */
const cline: Scenario = {
  name: 'cline-plan-file',
  client: 'cline',
  files: { ...PROJECT, 'PLAN.md': PLAN },
  turns: [
    {
      prompt:
        'Do the first two steps of PLAN.md, and tick them. Skip the totals. Write the docs in README.md instead, tick that box too, and run the tests with the flag --strict.',
      steps: [
        call('read_files', { files: [{ path: '{project}/PLAN.md' }, { path: '{project}/src/total.js' }] }),
        call('editor', {
          path: '{project}/src/parse.js',
          new_text: "export const parse = (text) => text.trim().split('\\n').map((line) => line.split(','))\n",
        }),
        editor('PLAN.md', '- [ ] Parse the CSV file', '- [x] Parse the CSV file'),
        editor(
          'src/total.js',
          '  return items',
          "  if (items.some(({ count }) => count < 0)) throw new RangeError('negative')\n  return items",
        ),
        editor('PLAN.md', '* [ ] Reject negative counts', '* [x] Reject negative counts'),
        call('run_commands', { commands: ['node --test 2>&1 | tail -8'] }),
        call('editor', { path: '{project}/README.md', new_text: '# Invoices\n\nThere are no options yet.\n' }),
        editor('PLAN.md', '- [ ] Document the options', '- [x] Document the options'),
        call('run_commands', { commands: ['node --strict --test'] }),
        say(
          'The first two steps and README.md are done, and their boxes are ticked. node has no flag --strict: "bad option".',
        ),
      ],
    },
  ],
}

export const OTHERS = [pi, ohMyPi, cline]
