import fc from 'fast-check'
import t from 'tap'
import { withoutNotYet } from '../../src/extract/bans.ts'
import { findDemands, findLastingDemands, readDemands } from '../../src/extract/demands.ts'
import { findWork } from '../../src/extract/find-work.ts'
import { pairMessages } from '../../src/extract/runs.ts'
import { withLaterWords } from '../../src/extract/later-on-demands.ts'
import { newestWordings } from '../../src/extract/newest-wordings.ts'
import type { Message } from '../../src/session/message.ts'
import { assistant, result, user } from '../prompt/message-builders.ts'

const findStandingDemands = (messages: readonly Message[]): string[] => readDemands(messages).standing
const findNewestBans = (messages: readonly Message[]): string[] => readDemands(messages).newestBans
const userSaid = (messages: readonly Message[]): string[] => readDemands(messages).said

const LASTING = [
  ...[
    'Never run the migration on a Friday, ok?',
    'From now on nothing on staging but SELECTs, ok?',
    'New rule for staging: ask first.',
  ],
  ...[
    "Don't push for now.",
    'Stop committing until I say so.',
    'Bis auf Weiteres nichts deployen.',
    'No no-verify, ever.',
  ],
  ...['Never fix the baseline: it always changes with the firmware.', 'No no-reply addresses in mails.'],
  ...['Always fix warnings: CI never passes with them.', 'Please fix typos only in English: German always goes to Jo.'],
  ...['Never run it before 8 a.m. or after 6 p.m. without me.', 'Ask me before each purchase.'],
  'Not more than 2 pages; Dr. Kim reads it first.',
  ...[
    "AND don't push any more for now, Tom is rebasing wip",
    'Do not call the sandbox any more.',
    'Keep the same names.',
  ],
  ...["Don't add tests to the old suite anymore.", 'and make a PLAN.md with boxes and tick as you go'],
  ...['third_party/ is vendored, never edit in there, even if the bug is in there.', 'Fix the types: never use `any`.'],
  ...['Fix the header: the logo must never wrap.', 'Fix the report: always write the totals first.'],
  ...['Keep the same names in all languages.', 'Keep compatibility.', 'Deploy the app only to staging.'],
  ...['Release the packages only ever with a signed tag.', 'Publish the reports only ever at night.'],
  ...['A migration would never drop a column in this project.', 'Push it only after I said so.'],
  'Never touch the config.',
  'Always write tests first.',
  'From now on, use pnpm.',
  'Invalid themes must NEVER explode.',
  'Do not touch the `migrations/` folder.',
  "Don't edit anything in src/generated/.",
  'Keep the public API as it is.',
  'Keep the test command as it is.',
  "Don't add dependencies.",
  'Comments must be in English.',
  'Use decimal strings, not floats.',
  'Do not push.',
  'Only Python 3.',
  'In this repository, use tabs.',
  '必须用中文写注释。',
  'コメントは必ず日本語で。',
  'Никогда не меняй схему.',
  'Benutze niemals floats.',
  'No, the brand colour is sacred.',
  'Contrast stays as it is.',
  'PRN-12 (the label printer): hands off, the supplier is on it',
  '4 procs max for builds, the CI runner lives on the same box.',
  'Deux coeurs au maximum pour tout ce qui est parallèle, le serveur est partagé.',
  'Prod is frozen for anything destructive, so plan first.',
  'Only ever --limit one host at a time.',
  'Leave test_south_has_no_gaps red on purpose.',
  'An overlap of up to 15 minutes is a deliberate briefing, do not report it.',
  "The member has left, and I don't want a second unit in here at all.",
  'no conosle logs!',
  'And no SVG charts, the club prints from a text editor: sparklines in plain text, one line for each hive.',
  'For ahorn write "probable swarm", nothing more.',
  'Kein TOML, bitte.',
  'Commit-Kommentare bitte auf Deutsch, verwende kein Englisch.',
  ...['From now on answer in short sentences.', 'Commit messages in English from now on.', 'Answer in German.'],
  ...['Run the tests after every change.', 'Commit after every step.', 'I want every commit signed.'],
  ...['Our convention: file names are kebab-case.', 'Our convention is one component per file.'],
  ...['Whenever you change the API, update openapi.yaml.', 'Each time you add a route, add a test for it.'],
  ...['Only use pnpm, not npm.', 'Please ask before deleting files.', 'Ask me before you push.'],
  ...['Ab jetzt Commits auf Englisch.', 'Führe nach jeder Änderung die Tests aus.', 'Frag mich, bevor du pushst.'],
  ...['Immer wenn du die API änderst, aktualisiere openapi.yaml.', 'Verwende pnpm statt npm.'],
  ...['Désormais, réponds en anglais.', 'Lance les tests après chaque modification.'],
  ...['De ahora en adelante, commits en inglés.', 'Pregúntame antes de borrar archivos.', '从现在起用英文回答。'],
  ...['The service must never crash on bad input.', 'The worker never blocks the UI.', 'We never deploy on Fridays.'],
  ...['For deleted users always return 404.', 'Error reports must never contain emails.'],
  ...['Remember: "never push to main".', 'I told you: "never push to main".', 'CLAUDE.md says never push to main.'],
  'ESLint complains about any, so never use any.',
  ...[
    "Don't touch the ledger table, finance owns that.",
    'Please do not modify the billing module.',
    'dont touch the payment code',
  ],
  ...[
    "Don't change anything in prod.",
    'Finance owns the ledger table, so don’t touch it.',
    'Hands off the ledger table.',
  ],
  ...['Leave the ledger table alone.', 'Stay away from the billing tables.', 'The ledger table is off limits.'],
  ...[
    'No changes to the ledger table, please.',
    'Nothing in prod may be changed.',
    'The ledger table must not be changed.',
  ],
  ...[
    'Nichts an Prod ändern!',
    'Bitte nichts auf Prod deployen.',
    'Ändere api.ts nicht',
    'Fass die Migrationen nicht an.',
  ],
  ...[
    'Ändere nichts an der Datenbank.',
    'Die Tabelle ledger bitte nicht anfassen, die gehört Finance.',
    'Benenne die Spalten nicht um.',
  ],
  ...[
    'Finger weg von der Tabelle ledger!',
    'An der Tabelle wird nichts geändert.',
    'Die Tabelle darf nicht geändert werden.',
  ],
  ...[
    'Ne touche pas à la table ledger, elle appartient à la finance.',
    'Ne modifie pas api.ts.',
    'touche pas à la prod',
  ],
  ...['Surtout, ne déploie pas en production.', 'Ne change rien en prod.', 'Ne pas toucher à la base de données.'],
  ...['No toques la tabla ledger, es de finanzas.', 'Por favor, no modifiques api.ts.', 'No despliegues a producción.'],
  ...[
    'y el texto del sms max 160 caracteres, que si no cobran dos',
    '4 procs max, the box has other jobs.',
    'but cap it, max 10 extensions',
  ],
  ...['not more than one mail per station and day.', 'como mucho una vez por enlace.', 'min android 8.'],
  ...[
    'The log file may be 10 MB at most.',
    '5 requêtes par seconde au plus, sinon ils nous bloquent',
    '照片不超过10MB。',
  ],
  ...['一张月卡最多绑2个车牌', 'CSV bitte, keine Leerzeilen am Ende.', 'Meta titles max 60 characters.'],
  ...['如果事先不确认，绝对不要删除数据。', '首先不要破坏现有接口，必须保持兼容。', '不要再用 var 了。'],
  ...['Committe nie noch nicht getesteten Code.', 'Merge niemals noch nicht geprüfte Branches.'],
  "Don't deploy code that is not tested yet.",
  ...[
    '不要改 `payments` 表的结构，支付那边是另一个团队的。',
    '所有金额用分存,不许用浮点。',
    '日报里不能出现车牌号',
    '以后每做完一项就提交一次',
  ],
  ...[
    'commit after each point.',
    'et commit apres chaque point stp',
    'dont touch boards/ , the hardware guys change that this week',
  ],
  ...[
    'No mandes ningún SMS de verdad desde desarrollo, eh!',
    'die doppelten NICHT löschen sondern nur als storniert markieren',
  ],
  ...[
    'Keep it buildable with gcc 11, the shop PC has nothing else.',
    'gcode must still run on grbl 1.1',
    'and keep 2 mm to the edge',
  ],
  ...["Don't bump the flutter version.", "proto/ is shared with the client team, don't change it."],
  ...['Some rules: region is eu-central-1 and nothing else.', 'Write a PLAN.md with boxes, keep it updated as we go'],
  ...['Y otra cosa importante: no pongas nombres de personas en la nota.', 'Wichtig: ändere nichts an der Datenbank.'],
  ...['No subas nada al remoto, el repo es público', 'Mensajes en español y cortos.', 'Comments in English.'],
  ...['one commit per thing please, not one big one', 'commit with conventional commits (fix(scope): ...)'],
  ...['Read only on prod, please - nothing may be applied to prod in this session at all.'],
  ...['dolos then, definitely nothing leaves this machine', 'NIE auf main pushen!', 'Commit as you go.'],
  ...['No cambies nada en producción.', 'No tocar la base de datos.', 'Y no borres las migraciones antiguas.'],
]

const FOR_ONE_REQUEST = [
  ...['Fix all three causes: A08 never opens a span, A11 removes the admission.'],
  ...['Fix both imports: one never sorts.', "Don't write any more tests.", "Don't add any more options."],
  ...['keep bold', 'keep the same env names', 'publish the sheet text to the public repo, only sheets/sheet3.md!'],
  'genial, lo del NIE no lo había pensado.',
  'Do it with a commit marker as Pavel says, and keep the old format readable.',
  'keep it under 200 calls',
  'it only ever fails on CI',
  ...['要不要改成异步', 'fix item 2 only'],
  ...['密码不能明文存储。', '数据库结构不能改。', '不能直接推送到 main 分支。', '测试不能跳过。'],
  ...[
    '不能用 any 类型。',
    '不能在运行时修改配置。',
    'API 密钥不能写在代码里。',
    '这个页面先不要改。',
    '不要这个按钮了，换成链接。',
  ],
  'QR content: only the order number + a signature, no names!!',
  ...['Do step 2 only.', 'Do 1 and 2 only.', 'Run test 3 only.', 'Start with the first 3 only.'],
  ...['The docs must still be updated.', 'Two tests must still be ported.'],
  ...[
    "Don't restart the server, I am debugging on it right now.",
    "Don't change the API, today we only fix the docs.",
    "Don't release v2 because this week is a freeze.",
    'No toques la base de datos, ahora mismo estoy haciendo una copia.',
  ],
  ...["Don't use option B, use option A.", "Don't install lodash, just write the helper."],
  ...["Don't bump the version, I will do it later today.", 'No uses el segundo enfoque.'],
  ...['keep going', 'keep me posted', 'keep an eye on it', 'keep that in mind'],
  ...['Es lädt nicht, kein Bild, nichts.', 'dont commit the units yet'],
  "Only the report, don't touch the import.",
  'should be 8ABeB7',
  'link text should be same as accent',
  'no, dimGray should be that, no need for linkGray,',
  'Please change file src/a0.ts to use strict mode.',
  'ok, let me try the light theme real quick, then we should be good to go for a new release',
  "alright, i think there's only one file left to fix up, tui-renderer.ts, read it in full",
  'we need to fix the tui test sources.',
  '`credits` is required for a credit note and not allowed for an invoice.',
  'setTheme should return an error that the caller can display however they want',
  ...['Use the library knex for that.', 'For this task only, never run the tests.', "This time, don't push to main."],
  ...['While you refactor, never change the public API.', 'Diesmal bitte nie pushen.', 'Use npm run build.'],
  ...['Pour cette tâche seulement, ne lance jamais les tests.', 'Solo por esta vez, nunca hagas push.'],
  ...[
    "Fix the header and don't touch the footer.",
    "Don't touch the tests yet.",
    "Don't change anything else.",
    "Don't touch it.",
  ],
  ...["Don't touch the other tables.", "For now don't touch the schema.", "Don't delete the file if it doesn't exist."],
]

const NO_DEMANDS = [
  ...['no no.', 'no, no, no.', 'no nope', "It doesn't crash any more.", 'The tests are not red any more.'],
  ...['always wondered', 'Always thought that it was UTC.', 'so polish strings would never even show lol.'],
  ...['Some rules are missing in the linter.', 'One commit per feature was made.'],
  ...['Comments in German are broken.', 'Mensajes en español y en inglés salen cortados.', 'Nothing leaves the queue.'],
  ...['nothing leaves the machine after the restart', 'El servidor no sube nada a la nube.', 'Explain it as you go.'],
  'Bump the dependencies, max 3 of them.',
  ...['no wait, leave it.', 'yes leave it, I forward it to them.', 'Leave that for later.', 'nein, lass.'],
  ...['Das ist das Netzwerk, lass.', 'calibration gets lost: calib_store writes two records without a commit marker.'],
  ...[
    'The screen is frozen for 10 seconds.',
    'The build is locked for all users.',
    'Nothing is sacred in this code base.',
  ],
  ...['The status stays as it is after I click save.', '3 retries max per call are made'],
  ...['Set the timeout to max 30 seconds.', 'Crop the title to max 2 lines.'],
  ...['Run the benchmark with 16 processes max.', 'It retries at most 3 times and then gives up.'],
  ...['The upload stops at max 5 files.', 'The app crashes with no more than 3 users.'],
  ...[
    'I click save, no redirect.',
    'I clicked it, no toast.',
    'On mobile, no menu.',
    'In the settings, no save button.',
  ],
  ...['Je clique, pas de redirection.', 'Ich klicke auf Speichern, keine Weiterleitung.', 'Hago clic y no guarda.'],
  ...['Nothing happens, no request in the network tab.', 'Pas de données dans le tableau.'],
  ...['Sin éxito.', 'Ohne Erfolg.', 'Sans succès.', 'Sin cambios.', 'Sin conexión a internet.'],
  ...['Add a comma after each item.', 'Add a checkbox before each item.', 'Write the price with each item.'],
  ...['Add a blank line before each part.', 'Fais un tableau avec un titre avant chaque point.'],
  ...['每改一次就报错。', '每做一步就卡住。', '最多只显示3条，其实有10条。', '页面不能包含图片时会崩溃。'],
  ...['我点了保存，不能提交。', '登录不能成功，帮我看看。'],
  ...[
    'Why should I never do that?',
    'We never push on Fridays, right?',
    'Must it always be red? Is that ok?',
    'The parser is slow.',
    'thanks, that looks good',
    'Did you leave it red on purpose?',
  ],
  ...[
    'no worries, take your time',
    'No errors in the log.',
    'no tests are failing',
    'No code yet.',
    'no such file',
    'No.',
  ],
  ...[
    'Keine Ahnung, schau nach.',
    'I think they did it on purpose.',
    'For the button write "OK".',
    'no changes so far',
  ],
  ...['I always get a 404 when I open /users.', 'It always crashes.', 'The build never finishes on my laptop.'],
  ...['The tests always fail on Windows.', "I've never seen this before.", 'Whenever I open the page, it crashes.'],
  ...['Every time you edit the file, the tests break.', 'Das ist immer noch kaputt.', 'Ich bekomme immer einen 404.'],
  ...['Es stürzt immer ab.', 'Le test échoue toujours.', 'La página nunca carga.', 'Всегда падает.', '总是报错。'],
  ...['The README says "Never run as root".', 'My colleague wrote: "always use yarn and never pnpm".'],
  ...[
    "The customer writes: 'Never call us before ten, and don't use HTML.'",
    'Rename the button to "Never show again".',
  ],
  ...['The customer wrote:\n"You must always send it as PDF. Never use HTML."\nDraft a reply.'],
  ...['The customer writes:\n\nNever call us before ten.\nAlways send it as PDF.\n\nDraft a reply.'],
  ...['The linter complains that functions must never be longer than 50 lines.', 'Der Kunde schreibt: „Nie vor zehn.“'],
  ...[
    'Going forward with option B.',
    'Whenever you click the button, open the dialog.',
    'I want all comments removed.',
  ],
  ...[
    'Print a summary after every run.',
    'In general, the parser is slow.',
    'Our convention was broken by the last commit.',
  ],
  ...["It doesn't touch the ledger table.", "I didn't change anything in prod.", 'Nothing in prod has changed.'],
  ...[
    'No changes to the schema were needed.',
    'He said "don\'t touch the ledger table".',
    'Das ändert nichts an der Performance.',
  ],
  ...[
    'An der API hat sich nichts geändert.',
    'Ich habe nichts an Prod geändert.',
    'Lies es. Bitte noch nichts ändern.',
  ],
  ...[
    'Ça ne touche pas à la base.',
    'Il ne change rien en prod.',
    'No cambia nada en producción.',
    'Esto no toca la tabla.',
  ],
  ...['I tried 3 times max', 'the api allows max 100 requests', 'back in 20 min max', 'at most one of them failed'],
  ...[
    'I clicked it, no popup',
    'my laptop froze, no mouse',
    'no encuentro el fichero',
    'pas de connexion depuis ce matin',
  ],
  ...['每完成一项就会变慢', '不超过3秒就超时了'],
  ...[
    "attention : la plus proche, c'est pas toujours la plus rapide",
    "it's not always reproducible",
    "the test doesn't always fail",
    'Das geht nicht immer schnell.',
  ],
  ...[
    'it takes max 5 seconds',
    'we have max 40 people per slot',
    'it was slow: 40 requests at most',
    'give me max 5 ideas',
    'Max said 5 is enough',
  ],
  ...['it compiles, no warnings', 'the page is blank, no header, no footer', 'No funciona.', 'no tengo acceso'],
  ...['pas de souci, merci', "pas d'erreur cette fois", 'sin embargo falla', '表单不能提交', '不要紧'],
]

for (const sentence of LASTING)
  t.test(`holds for all work: ${sentence}`, async (t) => {
    t.strictSame(findDemands(sentence), [{ text: sentence, isLasting: true }])
  })
for (const sentence of FOR_ONE_REQUEST)
  t.test(`is for one request: ${sentence}`, async (t) => {
    t.strictSame(findDemands(sentence), [{ text: sentence, isLasting: false }])
  })
for (const sentence of NO_DEMANDS)
  t.test(`demands nothing: ${sentence}`, async (t) => {
    t.strictSame(findDemands(sentence), [])
  })

/** What users paste; none of it is a demand of theirs. */
const PASTES: [what: string, text: string][] = [
  ['an error of an API', 'API Error: 400 {"type":"error","error":{"message":"tool_use ids must never repeat"}}'],
  ['JSON', '{\n  "rule": "never do this",\n  "always": true\n}'],
  ['a log', '2026-11-23 03:37:00 WARN the pool must never be empty\n2026-11-23 03:37:01 INFO always on'],
  ['a trace', 'Error: a value must always be set\n    at f (a.js:1:2)\n    at g (b.js:3:4)\nWaiting, never ending...'],
  ['a diff', '@@ -1,2 +1,2 @@\n-Always use tabs.\n+Never use tabs.'],
  ['changed lines', '+Never use tabs.\n-Always use tabs.\n+Do not push.'],
  ['a quote', '> Never use tabs.\n> Always test.'],
  ['a table', '| rule | text |\n|---|---|\n| 1 | never use tabs |'],
  ['code in a fence', '```\nNever use tabs.\n```'],
  ['a terminal', '➜  app git:(main) ✗ npm test\nError: no\nNode.js v23.4.0\nThis must never happen.'],
  ['output of an agent', '⏺ Bash(npm test)\n⎿ You must never do that'],
  ['a line that is repeated', 'Waiting for the debugger, never ends\nWaiting for the debugger, never ends'],
]

for (const [what, text] of PASTES)
  t.test(`pasted, and no demand: ${what}`, async (t) => {
    t.strictSame(findDemands(text), [])
    t.strictSame(findDemands(`It crashed. Never push.\n\n${text}\n\nAlways test.`), [
      { text: 'Never push.', isLasting: true },
      { text: 'Always test.', isLasting: true },
    ])
  })

t.test('a fence that is not closed hides the paragraph below it', async (t) => {
  t.strictSame(findDemands('Never push.\n~~~\nAlways test.\nAlways lint.\n\nNever stop.'), [
    { text: 'Never push.', isLasting: true },
    { text: 'Never stop.', isLasting: true },
  ])
})

t.test('a demand whose subject stands in the sentence before comes with that sentence', async (t) => {
  t.strictSame(findDemands('Add a preview of the import. It must never store anything, not even a run.'), [
    { text: 'Add a preview of the import. It must never store anything, not even a run.', isLasting: true },
  ])
  t.strictSame(
    findDemands(`${'The preview is long. '.repeat(30)}They must never race.`).map(({ text }) => text),
    ['The preview is long. They must never race.'],
  )
})

t.test('what must not be done to a thing that is so on purpose comes with it', async (t) => {
  const said =
    "Leave the test red on purpose. Marit exports again. Don't skip it, don't change the test. Don't rename it."
  t.strictSame(findLastingDemands(said), [
    'Leave the test red on purpose.',
    "Leave the test red on purpose. Don't skip it, don't change the test.",
  ])
  t.strictSame(newestWordings(findLastingDemands(said)), [
    "Leave the test red on purpose. Don't skip it, don't change the test.",
  ])
})

/** A sentence and the lasting demand behind it, which names its subject only by a pronoun. */
const WITHOUT_SUBJECT = [
  ['The price comes from the ERP.', 'Never cache it though.'],
  ['The dose table is approved.', 'Always round it up.'],
  ['Der Tarif kommt vom Server.', 'Bitte ihn nie speichern.'],
  ['Le tarif vient du serveur.', 'Ne le mets jamais en cache.'],
  ['El precio viene del ERP.', 'Nunca lo guardes.'],
]
for (const [before, demand] of WITHOUT_SUBJECT)
  t.test(`a demand comes with the sentence that has its subject: ${demand}`, async (t) => {
    t.strictSame(findLastingDemands(`${before} ${demand}`), [`${before} ${demand}`])
  })

t.test('a place in the sentence before comes with a demand that only points to it', async (t) => {
  const said = 'The data is in /srv/raw. Never write report.csv there.'
  t.strictSame(findLastingDemands(said), [said])
})

t.test('a demand that names its subject comes without the sentence before', async (t) => {
  const demands = [
    'Never cache the price when it changes.',
    'Never touch vendor/, it is generated.',
    'Keep functions short.',
    'third_party/ is vendored, never edit in there.',
    'Keep a plan in docs/plan.md with boxes, I read along there.',
  ]
  for (const demand of demands) t.strictSame(findLastingDemands(`Write the report. ${demand}`), [demand])
})

t.test('whose thing it is comes with the ban, and long paragraphs are read to their end', async (t) => {
  const said = 'The ledger table belongs to finance. Do not change it.'
  t.strictSame(findLastingDemands(said), [said])
  const paragraph = 'The import reads one file after the other and writes what it has found. '.repeat(160)
  t.strictSame(findLastingDemands(`${paragraph}Never touch vendor/. ${paragraph.slice(0, 4000)}`), [
    'Never touch vendor/.',
  ])
})

t.test('of requests that were answered, only lasting demands stand', async (t) => {
  const messages = [
    user("Write the report as CSV. Only the report, don't touch the import. Never use floats."),
    assistant({ type: 'text', text: 'Done.' }),
    user('Now change the import, it should read credit notes.'),
  ]
  t.strictSame(findStandingDemands(messages), ['Never use floats.'])
})

t.test('the demands of the open request stand with its name if a newer message only asks to go on', async (t) => {
  const messages = [
    user("Write the report as CSV. Only the report, don't touch the import. Never use floats."),
    user('continue'),
    user('/compact'),
  ]
  t.strictSame(findStandingDemands(messages), [
    `Only the report, don't touch the import. (only for: "Write the report as CSV. Only the report, don't touch the import.")`,
    'Never use floats.',
  ])
})

t.test('what was not to be done yet is over once the agent has answered and the user says to begin', async (t) => {
  const asked = user("First write a plan to PLAN.md, don't code yet. Use plain fetch.")
  const answered = assistant({ type: 'text', text: 'The plan is in PLAN.md. Shall I start?' })
  const name = '(only for: "First write a plan to PLAN.md, don\'t code yet. Use plain fetch.")'
  const [plan, plain] = [`First write a plan to PLAN.md, don't code yet. ${name}`, `Use plain fetch. ${name}`]
  t.strictSame(findStandingDemands([asked, answered, user('yes, go')]), [plain])
  t.strictSame(findStandingDemands([asked, answered, user('/compact')]), [plan, plain])
  t.strictSame(findStandingDemands([asked, user('continue')]), [plan, plain], 'the plan is not written yet')
  const texts = ['Plane es, noch nichts ändern.', 'Planifie, ne code pas encore.', 'Haz un plan, no programes todavía.']
  t.strictSame(texts.map(withoutNotYet), ['Plane es …', 'Planifie …', 'Haz un plan …'])
  const others = ['It has not been tested yet, fix it.', 'The parser is slow.']
  t.strictSame(others.map(withoutNotYet), others)
})

/** Pairs of an older demand and a newer one, of which the newer one is another wording, or says more. */
const SAME: [older: string, newer: string][] = [
  ['Never use floats for money.', 'Money: never use floats!'],
  ['Never touch vendor/.', 'Please do not edit any files in vendor/'],
  ['Never touch vendor/.', 'Never touch vendor/ or generated/.'],
  ['Keep the API v1 stable.', 'Keep the API v1 and v2 stable.'],
  ['Always use tabs.', 'Use spaces, not tabs.'],
  ['Never push to main.', 'Always push to main.'],
  ['Always run the tests before a commit.', 'Run all tests before each commit!'],
  ['Leave the parser red on purpose.', "Leave the parser red on purpose. Don't rename it."],
  ['Kommentare immer auf Deutsch.', 'Bitte jeden Kommentar auf Deutsch!'],
  ['Nunca borres los archivos de datos/.', 'No borrar nunca archivos en datos/'],
  ['Никогда не меняй схему.', 'Схему не менять никогда!'],
  ['必须用中文写注释。', '一律用中文写注释！'],
  ['絶対に main を変更しないでください。', 'main の変更は禁止です。'],
  ['스키마를 절대 변경하지 마세요.', '스키마는 변경하지 마.'],
  ['Always answer in German.', 'From now on answer in English again.'],
  ['Always answer in German.', 'Please reply in English from now on.'],
  ['Kommentare immer auf Deutsch.', 'Kommentare immer auf Englisch.'],
  ['Responde siempre en español.', 'De ahora en adelante responde en inglés.'],
  ['必须用中文写注释。', '从现在起用英文写注释。'],
  ['Use British English in the docs.', 'Use American spelling in the docs from now on.'],
  ['Use 2 spaces for indentation.', 'Use 4 spaces for indentation from now on.'],
  ['Use 2 spaces for indentation.', 'Use tabs for indentation from now on.'],
  ['Use tabs instead of spaces.', 'Use spaces, not tabs.'],
  ['Always use two spaces.', 'Always use four spaces.'],
  ['Always use two spaces.', 'Always use four spaces, not two.'],
  ['Always use 2 spaces.', 'Always use 4 spaces instead of 2.'],
  ['Immer zwei Leerzeichen verwenden.', 'Immer vier Leerzeichen verwenden, nicht zwei.'],
  ['Keep 2 mm to the edge.', 'Always keep 3 mm to the edge.'],
  ['Immer zwei Leerzeichen verwenden.', 'Immer vier Leerzeichen verwenden.'],
  ['Toujours deux copies du rapport.', 'Toujours trois copies du rapport.'],
  ['Always use moment.', 'Always use luxon instead of moment.'],
  ['Use pnpm, not npm.', 'Use npm from now on, not pnpm.'],
  ['Variables always in snake_case.', 'Variables in camelCase from now on.'],
  ['Always support Node 18.', 'From now on always support Node 20 instead.'],
  ['Never use `any`.', 'Never use `any` except in tests.'],
]

/** Demands that differ in a name, a number or another word. */
const DISTINCT = [
  ...['Always use four spaces.', 'Always use two spaces, not four in the YAML files.'],
  ...['Never edit `config/prod.yaml`.', 'In the demo branch, never edit `config/prod.yaml` by hand.'],
  ...['Always run `make check`.', 'Always run `make check` before a release.', 'Never use the word "cheap".'],
  ...['Never use the word "cheap" in headlines.'],
  ...['Immer zwei Prüfer nehmen.', 'Immer drei Prüfer nehmen, nicht zwei bei Löschungen.'],
  ...['Toujours deux copies.', 'Toujours trois copies au lieu de deux pour le patient.'],
  ...['Use British spelling everywhere.', 'Use American spelling for the US brochure.'],
  ...['In YAML always use two columns, not four.', 'Always use three fonts, not more.'],
  ...['Always use two columns.', 'Always use four columns in the appendix.', 'Always send 2 copies to Anna.'],
  ...['Always send 3 copies to Bob.', 'At least 2 tests for each parser.', 'At most 4 tests for each parser.'],
  ...['At most 3 retries, for uploads.', 'At most 5 retries, for downloads.', 'Always open valve 2 slowly.'],
  ...['Always open valve 3 slowly.', 'Always indent with 2 spaces (YAML).', 'Always indent with 4 spaces (Python).'],
  ...['Never use 2 threads.', 'Never use 4 threads.', 'Always test with 2 users.', 'Always test with 20 users.'],
  ...['Always cite 1 Samuel.', 'Always cite 2 Samuel.', 'Always back up disk 1.', 'Always back up disk 2.'],
  ...['Never edit files in vendor/.', 'Never edit files in generated/.', 'Never rename files in vendor/.'],
  ...['Use tabs in Go files.', 'Use tabs in C files.', 'Use spaces in Python files.', 'Never mix tabs and spaces.'],
  ...[
    'Never change the custom fields.',
    'Never change the customer fields.',
    'Never stop the worker.',
    'Never stop the work.',
  ],
  ...['Keep the API v1 stable.', 'Keep the API v2 stable.', 'Always support Node 18.', 'Always support Node 20.'],
  ...['Always write "tense" in reports.', 'Always write "past" in reports.'],
  ...['Never touch the config files.', 'Never touch the schema files.', 'Never touch the config loader.'],
  ...['Never run the migrations on staging.', 'Never run the migrations on production.'],
  ...['Never log `userId`.', 'Never log `userName`.', 'Always write tests first.', 'Always write docs first.'],
  ...['Never push to main.', 'Before you push to main, always run the linter.'],
  ...[
    'Kommentare immer auf Deutsch.',
    'Commits immer auf Englisch.',
    'Always support English.',
    'Always support German.',
  ],
  ...['Answer in French.', 'Answer in short sentences.', 'Never answer in Spanish.'],
  ...['Always use npm in client/.', 'Always use pnpm in server/.'],
  ...['Ne touche jamais à src/a.ts.', 'Ne touche jamais à src/b.ts.', 'Nunca borres datos.', 'Nunca borres tests.'],
  ...['Никогда не меняй схему.', 'Никогда не меняй тесты.', '必须用中文写注释。'],
  ...['絶対に main を変更しないで。', '絶対に dev を変更しないで。', '스키마를 변경하지 마.', '테스트를 변경하지 마.'],
]

for (const [older, newer] of SAME)
  t.test(`the newer wording stands: ${newer}`, async (t) => {
    t.strictSame(newestWordings([older, newer]), [newer])
  })

for (const [at, demand] of DISTINCT.entries())
  t.test(`no other demand stands in its place: ${demand}`, async (t) => {
    const others = DISTINCT.toSpliced(at, 1)
    t.strictSame(
      others.filter((other) => !newestWordings([demand, other]).includes(demand)),
      [],
    )
  })

t.test('distinct demands all stand, in any order', async () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(DISTINCT), (demands) => {
      t.strictSame(newestWordings(demands), demands)
    }),
    { numRuns: 50 },
  )
})

t.test(
  'a demand for one request takes the place of no lasting one, and is left out beside one in the same words',
  async (t) => {
    const lasting = 'Never touch the config.'
    const name = '(only for: "Write the report.")'
    t.strictSame(newestWordings([lasting, `Don't touch the config. ${name}`]), [lasting])
    const exception = [lasting, `Don't touch the config, and write no tests. ${name}`]
    t.strictSame(newestWordings(exception), exception)
    t.strictSame(newestWordings([`Don't touch the config. ${name}`, lasting]), [lasting])
  },
)

/** Demands, and what the user says later about the same thing: allowed, needed no more, lifted in part, once, or otherwise. */
const SAID_LATER: [demand: string, later: string][] = [
  [
    'For real counts you may query the replica (psql service=wards-ro), counts only, never rows.',
    'Nothing from wards-ro any more, until there is a new contract.',
  ],
  ['In `src/billing` you may rename things, but never change a total.', 'Leave src/billing to Marta.'],
  ['Never read from secrets/.', 'You may look into secrets/ now.'],
  ['No toques nunca config/.', 'Ya puedes tocar config/.'],
  ["Don't push any more for now.", 'You can push again.'],
  ["Don't push any more for now.", 'Push is fine again.'],
  ['No deploys until further notice.', 'Deploys are allowed again.'],
  ['Bis auf Weiteres nichts deployen.', 'Du darfst wieder deployen.'],
  ["Don't deploy any more.", 'Deploy 2.1 tonight.'],
  ['Never push to main.', 'I take that back.'],
  ['Never push to main.', 'You may push to main now.'],
  ['Never push to main.', 'You may push to main for hotfixes.'],
  ['Never push to main, force pushes are out as well.', 'You may push to main when CI is green.'],
  ['Never push.', 'You may push to dev now.'],
  ['Never commit without asking me.', 'You may commit without asking me now.'],
  ['Keep the config files untouched, always.', 'You may edit the config now.'],
  ["Don't touch `src/a.ts`.", 'You may touch `src/a.ts` again.'],
  ['Never use `any`.', "You may use `any` in tests, that's OK now."],
  ["Don't touch legacy/.", 'You may edit legacy/ now, we own it again.'],
  ["Don't touch boards/ , the hardware guys are changing that this week", 'boards/ is no longer off limits.'],
  ['Hands off src/lib/legacy-seatmap, Lena is rewriting that one.', 'legacy-seatmap is finished, clean it up.'],
  ['legacy_mail must not be touched, it fails since 2019.', 'Now fix legacy_mail too.'],
  ['vendor/: hands off', 'Update the files in vendor/ please.'],
  ['Always support Node 18.', "We don't need to support Node 18 any more."],
  ['Never deploy on Fridays.', 'Scratch that, Friday deploys are fine.'],
  ['No new dependencies please.', 'ok you can add lodash as a dependency'],
  ['The printers are sacred.', 'You may change the printers now.'],
  ['The old endpoint stays as it is.', 'Change the old endpoint to JSON after all.'],
  ['Contrast stays as it is.', 'Set the contrast to 4.5.'],
  ['Never push to main.', 'Forget that.'],
  ['Never push to main.', 'Forget what I said about pushing.'],
  ['Use tabs, not spaces.', 'Never mind the tabs rule.'],
  ['Never use `any`.', "In tests it's OK now."],
  ['Die Lohntabelle ist tabu.', 'Ändere jetzt doch die Lohntabelle: Stufe 3 ist falsch.'],
  ['Benutze niemals Floats.', 'Du darfst jetzt Floats benutzen, das Team hat zugestimmt.'],
  ['Ne pousse jamais sur main.', 'Tu peux maintenant pousser sur main, la CI est prête.'],
  ['Ne touche jamais à data-raw/, les fichiers viennent de loin.', 'tu peux modifier data-raw/codes.csv'],
  ["Ne change rien à l'API publique /v1.", "je t'avais dit de pas toucher à /v1, c'est bon on peut maintenant."],
  ['Nunca borres datos.', 'Ahora puedes borrar datos.'],
  ['y el texto del sms max 160 caracteres', 'pon el texto en 320 caracteres'],
  ['Никогда не меняй схему.', 'Теперь можно менять схему.'],
  ['绝对不要修改 main 分支。', '现在可以修改 main 分支了。'],
  ['絶対に main を変更しないで。', 'もう main を変更してもいいです。'],
  ['스키마를 절대 변경하지 마세요.', '이제 스키마를 변경해도 돼요.'],
]

/** Demands, and what the user says later of something else, asks, or quotes. */
const OTHERWISE: [demand: string, later: string][] = [
  ['Never push to main.', 'Take the second branch.'],
  ['logs in memory only, 50 MB max', '12 MB, no, drop node_exporter.'],
  ['logs en mémoire seulement, 50 Mo max', '12 Mo, non, laisse tomber node_exporter.'],
  ['Never delete rows.', 'Drop the column name.'],
  ['Never touch the exporter.', 'Export the drawings.'],
  ['Always run the tests.', 'Never mind the warnings.'],
  ['Never push to main.', 'Ignore the lint errors in api.'],
  ['Always lint.', "In tests it's OK now."],
  ['Never push to main.', 'You may push to main now?'],
  ['Never push to main.', 'Push the branch, please.'],
  ['Never push to main.', 'The main page is blank.'],
  ["Don't forget to run the tests, always.", "Don't forget the milk."],
  ['Never touch the parser.', 'Now the lexer, and the errors that it writes in the log of the parser at night.'],
  ["Don't ever touch the ledger table, finance owns that.", 'Finance was happy with the totals of last month.'],
  ['Hands off src/lib/legacy-seatmap, Lena is rewriting that one.', 'Write the report for Lena.'],
  [
    'Important: names must never appear in anything, only numbers of matriculation.',
    'The exam office wants: number of matriculation;admitted (J/N), semicolon, latin-1, sorted, no header.',
  ],
  ['prod stays: never without me', 'static files are 403 on the prod url'],
  ['Ab jetzt die Commit-Nachrichten auf Deutsch.', 'Dann committen und den Merge Request mache ich selbst'],
  ['Keep the API v1 stable.', 'Die Farbe der Überschrift bitte in #7a1f2b.'],
  ['Never use floats, since conf/vat.ini is exact.', 'Add a row to conf/vat.ini.'],
  ['Never use floats.', '> You may use floats now.'],
  ['Never use floats.', 'It says:\n```\nYou may use floats now.\n```'],
  ['Ne touche jamais à data-raw/.', 'Merci, continue avec le tableau 4.'],
  ['Nunca borres datos.', 'La tabla de la página tiene un error.'],
  ['绝对不要修改 main 分支。', '请写周报。'],
]

const standingOf = (...said: string[]): string[] => {
  const messages = [...said, 'Go on with the lexer.'].map((text) => user(text))
  return withLaterWords(newestWordings(findStandingDemands(messages)), userSaid(messages))
}

for (const [demand, later] of SAID_LATER)
  t.test(`what the user says later of a demand stands beside it: ${later}`, async (t) => {
    t.strictSame(standingOf(demand, later), [`${demand} (the user later: "${later.replaceAll('"', "'")}")`])
    t.strictSame(standingOf(later, demand), [demand], 'what was said before does not')
  })

for (const [demand, later] of OTHERWISE)
  t.test(`is about something else than a demand: ${later}`, async (t) => {
    t.strictSame(standingOf(demand, later), [demand])
  })

t.test('beside a demand of an earlier summary stands what is said since, and the newest of it', async (t) => {
  const [demand, first, second] = ['- Never push to main.', 'You may push to main now.', 'No, do not push to main.']
  const marked = `${demand} (the user later: "${first}")`
  t.strictSame(withLaterWords([demand], [first]), [marked])
  t.strictSame(withLaterWords([marked], ['Write the report.']), [marked])
  t.strictSame(withLaterWords([marked], [second]), [`${demand} (the user later: "${second}")`])
  t.strictSame(newestWordings([marked, 'Never push to main.']), ['Never push to main.'], 'the newest words hold')
})

t.test('a later demand that stands itself is not quoted beside another one', async (t) => {
  const said = ['Only ever use the staging key.', 'Never use the staging key at night.']
  t.strictSame(standingOf(...said), said)
})

t.test('only what the user says stands beside a demand', async (t) => {
  const messages = [
    user('Never push to main.'),
    assistant('You may push to main now.'),
    result('You may push to main now.'),
  ]
  t.strictSame(withLaterWords(findStandingDemands(messages), userSaid(messages)), ['Never push to main.'])
})

t.test('the briefing of an environment holds for its task, however its rules are worded', async (t) => {
  const briefing = `Solve the issue.
INSTRUCTIONS:
Remember, you should always include exactly one tool call.

GENERAL IMPORTANT TIPS:

1. Always check the code after an edit.`
  const messages = [user(briefing), assistant({ type: 'text', text: 'Done.' }), user('Never use floats in the report.')]
  t.strictSame(findStandingDemands(messages), ['Never use floats in the report.'])
  t.strictSame(findStandingDemands([user(briefing), user('continue')]), [
    'Remember, you should always include exactly one tool call. (only for: "Solve the issue.")',
    'Always check the code after an edit. (only for: "Solve the issue.")',
  ])
})

t.test('a complaint that something should never happen is no rule; what must never be done is one', async (t) => {
  t.strictSame(findLastingDemands('I selected the theme and got a crash, that should never happen.'), [])
  t.strictSame(findLastingDemands('Invalid themes must never explode.'), ['Invalid themes must never explode.'])
})

/** How a turn ended, and how many demands of its request stand after another request: first without, and then with a text between them. */
const CUT_OFF: Record<string, [end: Message[], next: string, stands: boolean]> = {
  interrupted: [[{ ...assistant(''), stopReason: 'aborted' }], 'Now write the letter to the club.', true],
  failed: [[{ ...assistant(''), stopReason: 'error' }], 'Now write the letter to the club.', true],
  answered: [[assistant('The parser is written.')], 'Now write the letter to the club.', false],
  withdrawn: [[{ ...assistant(''), stopReason: 'aborted' }], 'Forget it, write the letter.', false],
  'asked again': [
    [{ ...assistant(''), stopReason: 'aborted' }],
    'Write the parser of the orders, in Rust now, with all of its fields.',
    true,
  ],
}

for (const [end, [ending, next, stands]] of Object.entries(CUT_OFF))
  t.test(`demands of a request whose turn is ${end} ${stands ? 'stand with its name' : 'are over'}`, async (t) => {
    const request = 'Write the parser of the orders. For this task, use no library, and do not touch the store.'
    const messages = [user(request), ...ending, user(next), assistant('The letter is written.')]
    const { items } = findWork(pairMessages(messages))
    const demand =
      'For this task, use no library, and do not touch the store. (only for: "Write the parser of the orders.")'
    t.strictSame(readDemands(messages, items).standing, stands ? [demand] : [])
    const more = [...messages, user('And the minutes of the meeting.'), assistant('They are written.')]
    t.strictSame(readDemands(more, findWork(pairMessages(more)).items).standing, stands ? [demand] : [])
  })

t.test('what the newest request forbids holds while it is open', async (t) => {
  const stop = user("Stop here, I have to leave. Don't commit this one, it is half done. Tell me what is left.")
  t.same(findNewestBans([stop, assistant('Nothing.')]), [
    "Don't commit this one, it is half done. (only for: the newest request)",
  ])
  t.same(findNewestBans([stop, user('Now write the tests.')]), [])
  t.same(findNewestBans([user('Lies es. Bitte noch nichts ändern.')]), [])
  t.same(findNewestBans([user('Never push.')]), [], 'what always holds is said already')
})

for (const [text, demand] of [
  [
    'Fix the login. Do not:\n- deploy to prod\n- delete users.\n- touch billing\nThanks.',
    'Do not: deploy to prod; delete users; touch billing',
  ],
  ['Never:\n1. push\n2. force push', 'Never: push; force push'],
  ['Ne fais jamais :\n- un push\n- un merge', 'Ne fais jamais : un push; un merge'],
  ['永远不要：\n- 推送\n- 删除用户', '永远不要： 推送; 删除用户'],
  ['Do not:\n\n- deploy to prod\n- delete users', 'Do not: deploy to prod; delete users'],
  [
    'Do not:\n- deploy to prod\n  (not even to staging)\n- send mails',
    'Do not: deploy to prod (not even to staging); send mails',
  ],
  ['- Do not:\n  - deploy to prod\n  - delete users\n- fix the login', 'Do not: deploy to prod; delete users'],
  ['Never touch the following files.\n- src/a.ts\n- src/b.ts', 'Never touch the following files: src/a.ts; src/b.ts'],
  ['Ask me before you:\n- push\n- deploy', 'Ask me before you: push; deploy'],
] as const)
  t.test(`a list that is forbidden is one demand: ${demand}`, async (t) => {
    t.strictSame(findLastingDemands(text), [demand])
  })

t.test('a list that is wanted is not part of the sentence above it', async (t) => {
  t.strictSame(findLastingDemands('Do not forget:\n- update the docs\n- mail the client'), [])
  t.strictSame(findLastingDemands('Please fix these:\n- the login never ends\n- the docs'), [])
  t.strictSame(findLastingDemands('Do it like this:\n- never push\n- the second thing'), ['never push'])
})
