import { readFileSync } from 'node:fs'
import t from 'tap'
import { detectLanguage } from '../../../src/summary/checks/detect-language.ts'
import { checkLanguage } from '../../../src/summary/checks/inspect-summary.ts'

/** Texts as users and agents write them, with code in them, and their language. */
const TEXTS: [language: string | undefined, text: string][] = [
  ['en', 'The user wants the importer to skip rows without a price. I changed `src/import.ts` and the tests pass.'],
  ['de', 'Der Benutzer möchte, dass der Import Zeilen ohne Preis überspringt. Ich habe src/import.ts geändert.'],
  ['fr', "L'utilisateur veut que l'import ignore les lignes sans prix. J'ai modifié le parseur et les tests passent."],
  [
    'es',
    'El usuario quiere que la importación omita las filas sin precio. He cambiado el analizador y las pruebas pasan.',
  ],
  ['it', "L'utente vuole che l'importazione salti le righe senza prezzo. Ho modificato il parser e i test passano."],
  ['nl', 'De gebruiker wil dat de import rijen zonder prijs overslaat. Ik heb de parser aangepast en de tests slagen.'],
  ['pl', 'Użytkownik chce, aby import pomijał wiersze bez ceny. Zmieniłem parser i wszystkie testy przechodzą.'],
  ['ru', 'Пользователь хочет, чтобы импорт пропускал строки без цены. Я изменил парсер, и все тесты проходят.'],
  [
    'zh',
    '## Goal\n用户希望导入时跳过没有价格的行。我修改了 `src/import/import-invoices.ts`，所有测试都通过了。运行 npm test。',
  ],
  ['ja', '価格のない行をスキップするようにインポートを変更しました。`npm test` はすべて成功しています。'],
  ['ko', '사용자는 가격이 없는 행을 건너뛰기를 원합니다. 파서를 수정했고 모든 테스트가 통과합니다.'],
  ['en', 'The error message says 文件不存在 because the importer cannot find the file that the user has named in it.'],
  [undefined, 'ok, go on'],
  [undefined, '```\nconst a = 1\n```\n`x` src/a.ts https://example.com'],
]

for (const [language, text] of TEXTS)
  t.test(`${language ?? 'uncertain'}: ${text.slice(0, 40).replaceAll('\n', ' ')}`, async (t) => {
    t.equal(detectLanguage(text), language)
  })

t.test("the user's newest texts decide the expected language", async (t) => {
  const [[, english], [, german]] = TEXTS as [[string, string], [string, string]]
  t.strictSame(checkLanguage([english, german], english), { expected: 'de', found: 'en' })
  t.strictSame(checkLanguage(['ok'], english), { expected: null, found: 'en' })
  const paste = `\`\`\`\n${'const a = 1\n'.repeat(200)}\`\`\``
  t.equal(checkLanguage([english, german, paste, 'ok'], english).expected, 'de', 'what was pasted is no prose')
  t.equal(checkLanguage(german.split(' '), english).expected, 'de', 'short messages are taken together, to the first')
})

const readProse = (code: string): string =>
  readFileSync(new URL(`../../fixtures/prose/${code}.txt`, import.meta.url), 'utf8').trim()

/** Text of a length, made of the paragraphs of a summary and its story; they begin with another one for each turn. */
function proseOf(code: string, characters: number, turn = 0): string {
  const paragraphs = readProse(code).split('\n\n')
  const at = turn % paragraphs.length
  const text = [...paragraphs.slice(at), ...paragraphs.slice(0, at)].join('\n\n')
  return `${text}\n\n`.repeat(Math.ceil(characters / text.length)).slice(0, characters)
}

const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ru', 'zh', 'ja', 'ko', 'sv', 'tr', 'cs']
const LENGTHS = [500, 800, 1200, 2000, 3500, 7000, 20_000]
const TURNS = [0, 1, 2, 3, 4, 5, 6]

for (const code of LANGUAGES)
  t.test(
    `${code}: prose with code, paths and English headings is detected, from 500 to 20,000 characters`,
    async (t) => {
      for (const length of LENGTHS)
        for (const turn of TURNS) t.equal(detectLanguage(proseOf(code, length, turn)), code, `${length}, turn ${turn}`)
    },
  )

t.test('a language that the detection does not know is never taken for two different ones', async (t) => {
  for (const code of ['da', 'fi', 'ca', 'sk', 'gl']) {
    const found = [100, 150, 200, 300, 450, 600, 2000, 20_000].map((length) => detectLanguage(proseOf(code, length)))
    t.ok(new Set(found.filter((one) => one !== undefined)).size <= 1, `${code}: ${found.join(' ')}`)
  }
})

t.test('quotes, code and headings of another language do not decide, and a mixture is uncertain', async (t) => {
  const [english, german] = [proseOf('en', 1800), proseOf('de', 1800)]
  const quotes = english.split('\n').map((line) => `> ${line}`)
  t.equal(detectLanguage([german, ...quotes, ...quotes].join('\n')), 'de')
  t.equal(detectLanguage(`${german}\n${'„The importer must skip all the rows that have no price.“ '.repeat(60)}`), 'de')
  t.equal(detectLanguage(`\`\`\`\n${english}\n\`\`\`\n${german}`), 'de')
  t.equal(detectLanguage(`${german}\n\`\`\`\n${english}`), 'de', 'a fence without its end')
  t.equal(detectLanguage(`${german}\n${english}`), undefined)
  t.equal(detectLanguage(`${proseOf('zh', 700)}\n${english}`), undefined)
})

t.test("a paste of another language does not decide the user's language", async (t) => {
  const summary = proseOf('de', 3000)
  const english = proseOf('en', 3000).slice(proseOf('en', 3000).indexOf('- [x]'))
  const expected = (...texts: string[]): string | null => checkLanguage(texts, summary).expected
  const comment = 'Das hier ist die Ausgabe, bitte sieh dir den Fehler an:'
  const german = 'Der Import soll die Zeilen ohne Preis überspringen und danach melden, wie viele es waren.'
  t.equal(expected(`${comment}\n\n${english}`), null, 'the comment is before it')
  t.equal(expected(`${english}\n\n${comment}`), null, 'the comment is after it')
  t.equal(expected(`${english.repeat(4)}\n\n${comment}`), null, 'and it is long')
  t.equal(expected(english, german), 'de', 'an older paste')
  t.equal(expected(german, english, 'ok'), null, 'a newer paste, or another language')
  t.equal(expected(english, 'ok'), 'en', 'a long message without others')
  t.equal(expected(`说明一下这个报错：\n${english.slice(0, 700)}`), null)
  t.equal(expected(`<system-reminder>${english.slice(0, 900)}</system-reminder>\n${german}`), 'de')
  t.equal(expected(german, '[Request interrupted by user for tool use]'), 'de')
  t.equal(expected(english, 'weiter bitte', 'ok'), 'en')
})
