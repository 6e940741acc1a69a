import t, { type Test } from 'tap'
import { addLine } from '../../src/page/add-line.ts'
import { describeChecks, findChecks } from '../../src/page/find-checks.ts'
import { diffLists } from '../../src/text/diff-lists.ts'
import { hasStart } from '../../src/text/name-boundary.ts'
import type { CompactionReply } from '../../src/schemas/compaction-reply.ts'
import type { RecallPassage } from '../../src/schemas/recall.ts'
import type { Fact } from '../../src/schemas/provenance.ts'
import { findProvenance } from '../../src/summary/provenance.ts'
import { findMarks } from '../../src/prompt/find-marks.ts'
import { leftOutNote } from '../../src/prompt/fit-budget.ts'
import { compareContents } from '../../src/page/compare-contents.ts'
import { findFact } from '../../src/page/find-fact.ts'
import { excerptAround, phraseOf, rangesOf, searchedTexts } from '../../src/page/find-passage.ts'
import { describeLeftOut } from '../../src/page/left-out.ts'
import { readMarkdown, readInline } from '../../src/page/markdown.ts'
import { outline, readRecordTexts } from '../../src/page/read-record.ts'
import { openSessionDocument, writeRequest } from '../../src/page/session-document.ts'
import { splitterOf } from '../../src/page/split-facts.ts'
import { entryAt, layOut } from '../../src/page/strip-layout.ts'
import { growthOf, MAX_GROWTH } from '../support/cpu-time.ts'

const text = (one: string) => ({ kind: 'paragraph', text: one })

t.test('a summary is read as headings, lists, quotes, code, files and paragraphs', async (t) => {
  const summary =
    '## Goal\nFix it.\nNow.\n\n> a\n> b\n- one\n  more\n- two\n1. first\n```\ncode\n```\n---\n<read-files>\na.ts\nb.ts\n</read-files>'
  t.strictSame(readMarkdown(summary), [
    { kind: 'heading', level: 2, text: 'Goal' },
    { kind: 'paragraph', text: 'Fix it.\nNow.' },
    { kind: 'quote', text: 'a\nb' },
    { kind: 'list', isOrdered: false, items: [[text('one\nmore')], [text('two')], [text('first')]] },
    { kind: 'code', text: 'code' },
    { kind: 'rule' },
    { kind: 'files', name: 'read-files', paths: ['a.ts', 'b.ts'] },
  ])
})

t.test('a code block and a list of files without an end extend to the end', async (t) => {
  t.strictSame(readMarkdown('```\na'), [{ kind: 'code', text: 'a' }])
  t.strictSame(readMarkdown('<read-files>\na'), [{ kind: 'files', name: 'read-files', paths: ['a'] }])
})

t.test('a block of code in an item ends where it is closed, and keeps the indentation of its own lines', async (t) => {
  const code = '- **a.ts**:\n  - Now:\n  ```elixir\n  def a do\n    :ok\n\nend\n  ```\n\n- b\n\n# Next'
  t.strictSame(readMarkdown(code), [
    {
      kind: 'list',
      isOrdered: false,
      items: [
        [
          text('**a.ts**:'),
          { kind: 'list', isOrdered: false, items: [[text('Now:')]] },
          { kind: 'code', text: 'def a do\n  :ok\n\nend' },
        ],
        [text('b')],
      ],
    },
    { kind: 'heading', level: 1, text: 'Next' },
  ])
  t.strictSame(readMarkdown('- a\n  ```\n  never closed\n# Next'), [
    { kind: 'list', isOrdered: false, items: [[text('a'), { kind: 'code', text: 'never closed' }]] },
    { kind: 'heading', level: 1, text: 'Next' },
  ])
  t.strictSame(readMarkdown('````md\n```\n````\nb'), [{ kind: 'code', text: '```' }, text('b')])
})

t.test('a line is read as text, code and strong text', async (t) => {
  t.strictSame(readInline('**`src/a.ts`**'), [{ kind: 'strong', text: 'src/a.ts' }])
  t.strictSame(readInline('a `b` **c** d'), [
    { kind: 'text', text: 'a ' },
    { kind: 'code', text: 'b' },
    { kind: 'text', text: ' ' },
    { kind: 'strong', text: 'c' },
    { kind: 'text', text: ' d' },
  ])
})

t.test('of facts that begin together, the longest one is found', async (t) => {
  const fact = (text: string) => ({ text, kind: 'path' as const, entryIds: [], count: 0 })
  const [short, long] = [fact('src/a'), fact('src/a.ts')]
  t.strictSame(splitterOf([short, long])('in src/a.ts (src/a)'), [
    { text: 'in ' },
    { text: 'src/a.ts', fact: long },
    { text: ' (' },
    { text: 'src/a', fact: short },
    { text: ')' },
  ])
})

t.test('a part of a longer word is no fact, and a name is one in code only', async (t) => {
  const fact = { text: 'note', kind: 'code' as const, entryIds: [], count: 1 }
  const split = splitterOf([fact])
  t.strictSame(split('note', true), [{ text: 'note', fact }])
  t.strictSame(split('notes', true), [{ text: 'notes' }])
  t.strictSame(split('a note'), [{ text: 'a note' }])
  const word = { text: 'with', kind: 'command' as const, entryIds: [], count: 77 }
  t.strictSame(splitterOf([word])('a test with it'), [{ text: 'a test with it' }])
})

t.test('a fact is found in an entry, whatever its case, its white space and its slashes are', async (t) => {
  const found = (text: string, fact: string): string | undefined => {
    const range = findFact(text, { text: fact, kind: 'path' })
    return range && text.slice(range.start, range.end)
  }
  t.equal(found('Read SRC\\money.ts now', 'src/money.ts'), 'SRC\\money.ts')
  t.equal(found('one\n    two three', 'one two'), 'one\n    two')
  t.equal(found('the second part', 'first… second part'), 'second part')
  t.equal(found('nothing', 'src/money.ts'), undefined)
  t.equal(found('nothing', ' '), undefined)
})

const path = (text: string) => ({ text, kind: 'path' as const })

t.test('a name is not found in a longer one, and other facts are', async (t) => {
  const start = (text: string, fact: string, kind: Fact['kind']) => findFact(text, { text: fact, kind })?.start
  const longer = ['data.ts', 'a.tsx', 'a.ts-old', '~a.ts', 'b@a.ts', 'my-a.ts', 'éa.ts', 'a.tsß', 'a.ts_']
  t.same(
    longer.filter((name) => start(name, 'a.ts', 'path') !== undefined),
    [],
  )
  t.equal(start(`${longer.join(' ')} src/a.ts.`, 'a.ts', 'path'), longer.join(' ').length + 5, 'the first whole name')
  t.equal(start('see @a.ts', 'a.ts', 'path'), 5, 'a mention')
  t.equal(start('src/x/lib/a.ts', '…/lib/a.ts', 'path'), 5, 'a shortened name')
  t.equal(start('18080 8080', '8080', 'port'), 6)
  t.equal(start('v1.2.30 1.2.3', '1.2.3', 'version'), 8)
  t.equal(start('ab12cd34ef ab12cd3', 'ab12cd3', 'commit'), 11)
  t.equal(start('notes', 'note', 'code'), 0)
  t.equal(start('a well-known-text', 'known', 'quote'), 7)
})

t.test('words are not found in longer words, except where they are cut', async (t) => {
  t.notOk(hasStart('it is false', 'ls'))
  t.ok(hasStart('false, then `ls`', 'ls'))
  t.notOk(hasStart('npm tests', 'npm test'))
  const start = 'npm test -- --reporter dot --file src/page/texts.test.ts and'
  t.ok(hasStart(`${start}s`, `${start} then`), 'cut after 60 characters')
  t.notOk(hasStart(`${start}s`, start))
  t.notOk(hasStart('## goal', 'go'))
})

t.test('the page finds a name in an entry exactly where the provenance of the service does', async (t) => {
  const around = ['', ' ', '/', '.', '(', '`', '-', '_', '@', '~', 'x', '9', 'é', '日']
  for (const before of around)
    for (const after of around) {
      const content = `see ${before}lib/a.ts${after} there`
      const message = { role: 'user' as const, content: [{ type: 'text' as const, text: content }] }
      const details = { readFiles: ['lib/a.ts'], modifiedFiles: [] }
      const { facts } = findProvenance({ summary: '', details }, [{ id: 'e', message }])
      const isFound = findFact(content, path('lib/a.ts')) !== undefined
      t.equal(isFound, facts[0]?.count === 1, JSON.stringify(content))
    }
})

t.test('what the prompts do not have is described by the notes in them', async (t) => {
  const prompt = `a[... 1200 characters left out ...]b[base64, 34 characters]${leftOutNote(2)}`
  const marks = findMarks(prompt)
  const planned = {
    segment: 'history' as const,
    systemPrompt: '',
    prompt,
    tokens: 1,
    maxTokens: 1,
    marks,
    transcript: { start: 0, end: 0 },
  }
  t.equal(
    describeLeftOut([planned]),
    '1,234 characters of long texts, in 2 places; older answers, calls and outputs, in 1 place',
  )
  t.equal(describeLeftOut([{ ...planned, marks: [] }]), 'nothing')
})

t.test('a line is added to a summary before its lists of files, in one section', async (t) => {
  const summary = '## Goal\nFix it.\n\n<read-files>\na.ts\n</read-files>'
  const added = '## Goal\nFix it.\n\n## Added by Hand\n- one\n- two\n\n<read-files>\na.ts\n</read-files>'
  t.equal(addLine(addLine(summary, 'one'), 'two'), added)
  t.equal(addLine('## Goal\nFix it.', 'one'), '## Goal\nFix it.\n\n## Added by Hand\n- one\n')
})

t.test('the checks are counted by what they found', async (t) => {
  const states = ['fine', 'fine', 'fault', 'repaired', 'unchecked'] as const
  const findings = states.map((state) => ({ text: state, state }))
  t.equal(
    describeChecks(findings),
    '1 needs your attention; 3 of 5 checks passed, 1 after code added what was missing; 1 had nothing to compare',
  )
  t.equal(describeChecks(findings.slice(0, 2)), '2 of 2 checks passed')
})

t.test('that no lasting demands were found is no passed check', async (t) => {
  const demandsIn = (section: string): unknown =>
    findChecks({
      summary: `## Goal\nFix it.\n\n## Constraints & Preferences\n${section}\n\n## Progress\n`,
      report: { model: 'embedded', checks: { constraints: { restored: 0 } } },
    } as unknown as CompactionReply)
  t.strictSame(demandsIn('(none)'), [{ text: 'No lasting demands of the user were found', state: 'unchecked' }])
  t.strictSame(demandsIn('- Never push.'), [{ text: 'The lasting demands of the user are there', state: 'fine' }])
})

t.test('two lists are compared item by item', async (t) => {
  t.strictSame(
    diffLists(['a', 'b', 'c'], ['a', 'x', 'c']).map(({ kind, item }) => `${kind} ${item}`),
    ['same a', 'removed b', 'added x', 'same c'],
  )
})

t.test('versions of a summary are compared by what their lines say', async (t) => {
  const before = '## Goal\n- fix the money\n- a line that is gone\n\n## Done\n1. it moved'
  const after = '# **Goal**\n  - `it` moved\n  - fix all the money\n```\nnew here\n```\n### Done'
  t.strictSame(compareContents(before, after), [
    { kind: 'same', text: '# **Goal**' },
    { kind: 'removed', text: '- a line that is gone' },
    { kind: 'same', text: '  - `it` moved' },
    {
      kind: 'changed',
      words: [
        { kind: 'same', item: '- fix ' },
        { kind: 'added', item: 'all ' },
        { kind: 'same', item: 'the money' },
      ],
    },
    { kind: 'added', text: 'new here' },
    { kind: 'moved', text: '### Done' },
  ])
  const renamed = before.replace('- fix', '* fix').replaceAll('\n', '\n\n')
  t.same([...new Set(compareContents(before, renamed).map(({ kind }) => kind))], ['same'])
})

t.test('the place of an entry on the strip follows from its tokens', async (t) => {
  const layout = layOut([10, 0, 30].map((tokens) => ({ tokens })))
  t.strictSame([...layout], [0, 0.25, 0.25, 1])
  t.strictSame(
    [0, 0.2, 0.25, 0.9, 1].map((share) => entryAt(layout, share)),
    [0, 0, 2, 2, 2],
  )
})

t.test(
  'a document is sent as it is; with a summary, it is put into an envelope; our own form gets fields',
  async (t) => {
    const written = async (text: string, summary?: string, isOwn = false) => {
      const document = await openSessionDocument('x', new Blob([text]))
      const fields = { settings: { keepRecentTokens: 5 }, ...(summary !== undefined && { summary }) }
      const { query, body, contentType } = await writeRequest(isOwn ? { ...document, kind: 'own' } : document, fields)
      return [query.toString(), await body.text(), contentType]
    }
    const lines = '{"a":"ä\\n\\""}\n{"b":2}\n'
    t.strictSame(await written(lines), ['keepRecentTokens=5', lines, 'application/x-ndjson'])
    const [, envelope = ''] = await written(lines, 'S')
    t.strictSame(JSON.parse(envelope), { session: lines, settings: { keepRecentTokens: 5 }, summary: 'S' })
    const [, json = ''] = await written('[{"a": 1}]', 'S')
    t.strictSame(JSON.parse(json), { session: [{ a: 1 }], settings: { keepRecentTokens: 5 }, summary: 'S' })
    const [, own = ''] = await written('{"entries": [], "settings": {"x": 1}}\n', undefined, true)
    t.strictSame(JSON.parse(own), { entries: [], settings: { keepRecentTokens: 5 } })
  },
)

t.test('an entry is shown as lines, with its texts as they are', async (t) => {
  t.equal(
    outline('{"id":"a","content":[{"text":"one\\ntwo"}]}'),
    'id: a\ncontent: \n  - \n    text: \n      one\n      two',
  )
  t.equal(outline('not json'), 'not json')
})

t.test('the message of a record is shown without ids and times, with one empty line before a text', async (t) => {
  const content = [
    { type: 'text', text: 'one\ntwo' },
    { type: 'text', text: 'three' },
  ]
  const json = JSON.stringify({
    id: 'a',
    message: { role: 'toolResult', toolName: 'write', attribution: 'x', internal_meta: 1, content },
  })
  const { message } = await readRecordTexts(new Blob([json]), { start: 0, end: json.length })
  t.equal(message, 'toolName: write\n\none\ntwo\n\nthree')
})

/** The marked parts of a text, and the part of it that a list of passages shows. */
const marked = (text: string, query: string) => rangesOf(text, query).map(({ start, end }) => text.slice(start, end))

t.test('what a search has found is marked: whole words, also parts of names, and phrases over line ends', async (t) => {
  t.strictSame(marked('Use parse_config; reparsing is parsed', 'parseConfig'), ['parse_config'])
  t.strictSame(marked('The migrations ran. Migrate!', 'migrated'), ['migrations', 'Migrate'])
  t.strictSame(marked('first\n   line, second line', '"first line"'), ['first\n   line'])
  t.strictSame(marked('only config here', 'parseConfig'), ['config'], 'a part of a name, where the whole is nowhere')
  t.strictSame(marked('nothing of it', 'zebra "x y"'), [])
})

t.test('a list shows the lines of a passage around what was found', async (t) => {
  const lines = Array.from({ length: 40 }, (_, line) => `line ${line} of the long and boring log of a build`).join('\n')
  const shown = (query: string): string => {
    const { start, end } = excerptAround(lines, rangesOf(lines, query))
    return lines.slice(start, end)
  }
  t.match(shown('nowhere'), /^line 0 [^]*line 6 of the long and boring log of a build$/)
  t.match(shown('20'), /^line 20 of/)
  t.equal(shown('20').split('\n').length, 7)
  const oneLong = 'a '.repeat(5000) + 'needle' + ' b'.repeat(5000)
  const { start, end } = excerptAround(oneLong, rangesOf(oneLong, 'needle'))
  t.strictSame([start, end], [9880, 10_360])
})

t.test('a passage is found in its entry by the line that has what was searched for, or else by the word', async (t) => {
  const passage = { text: '$ npm test\n\n1 of 3 failed', kind: 'call', entryIds: [] } as unknown as RecallPassage
  const texts = (query: string) => searchedTexts(passage, query).map(({ text }) => text)
  t.strictSame(texts('npm'), ['npm test', 'npm'])
  t.strictSame(texts('fail'), ['1 of 3 failed', 'failed'])
  t.strictSame(texts('an-id'), ['npm test'])
})

t.test(
  'a lost fact is looked up word for word, by the longest part that has no gap and no quotation mark',
  async (t) => {
    t.equal(phraseOf('npm run typecheck'), '"npm run typecheck"')
    t.equal(phraseOf('it said "no" and then it went home…'), '"and then it went home"')
    t.equal(phraseOf('[redacted:token] is the longer part'), '"is the longer part"')
    t.equal(phraseOf('word '.repeat(60)), `"${'word '.repeat(40).trim()}"`)
    t.equal(phraseOf('x'.repeat(300)), `"${'x'.repeat(200)}"`)
  },
)

/** Checks that four times the text takes about four times as long; a few milliseconds say nothing. */
function checkGrowth(t: Test, textOf: (length: number) => string, work: (text: string) => unknown): void {
  const growth = growthOf({ work, short: textOf(50_000), long: textOf(200_000), measurableMs: 50 })
  t.ok(growth <= MAX_GROWTH, `four times the length takes ${growth.toFixed(1)} times as long`)
}

for (const part of ['`', '**', '> ', '- ', '```\n', '<read-files>\n', '# ', ' \n', 'a b '])
  t.test(`a summary of many ${JSON.stringify(part)} takes time in proportion to its length`, async (t) => {
    const textOf = (length: number) => part.repeat(length / part.length)
    checkGrowth(t, textOf, (text) => [readMarkdown(text), readInline(text)])
  })

t.test('versions of a summary are compared in time in proportion to their length', async (t) => {
  const lines = ['a b c', '> > - 1. ', '`*', 'x'.repeat(60)]
  for (const line of lines) {
    // All lines differ: what belongs together is searched for among all of them.
    const textOf = (mark: string, length: number) =>
      Array.from({ length: length / 20 }, (_, at) => `${line} ${mark}${at} w${at % 97}`).join('\n')
    const work = (length: string) => compareContents(textOf('a', Number(length)), textOf('b', Number(length)))
    checkGrowth(t, (length) => String(length), work)
  }
  for (const part of ['> ', '1. ', '# ', 'a ', '`'])
    checkGrowth(
      t,
      (length) => part.repeat(length / part.length),
      (text) => compareContents(text, `${text}end`),
    )
})

t.test('a fact is looked up in time in proportion to the entry', async (t) => {
  const textOf = (length: number) => `a${' '.repeat(9)}`.repeat(length / 10)
  checkGrowth(t, textOf, (text) => findFact(text, path('a a a a a b')))
})

t.test('matches are marked in time in proportion to the text', async (t) => {
  for (const part of ['a', 'ab_', 'ab ', 'A'])
    checkGrowth(
      t,
      (length) => part.repeat(length / part.length),
      (text) => rangesOf(text, 'ab abAb "a b"'),
    )
})

t.test('the facts of a summary are found in time in proportion to its length', async (t) => {
  const split = splitterOf(['a/b.ts', 'a/b', 'b a'].map((text) => ({ text, kind: 'path', entryIds: [], count: 1 })))
  checkGrowth(t, (length) => 'a/b.tsx '.repeat(length / 8), split)
})

t.test('a piece that is not in the session needs attention once', async (t) => {
  const fact = (text: string, count: number) => ({ text, kind: 'path', entryIds: [], count })
  const reply = {
    report: { model: 'm', checks: { grounding: { checked: 2, unknown: ['src/gone.ts'] } } },
    provenance: { facts: [fact('src/gone.ts', 0), fact('src/a.ts', 1)] },
  }
  t.strictSame(findChecks(reply as unknown as CompactionReply), [
    { text: 'Not in the session: src/gone.ts', state: 'fault' },
    { text: '1 path, command or quote has a place in an entry', state: 'fine' },
  ])
})
