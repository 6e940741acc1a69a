import t from 'tap'
import { checkLanguage, detectLanguage } from '../../../src/summary/checks/language.ts'

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
