import { execFileSync } from 'node:child_process'
import t from 'tap'
import { splitCommand } from '../../src/extract/shell.ts'

t.test('a command is split as a shell splits it, without comments and here-documents', async (t) => {
  const code = [
    `LOG=1 sudo npm test -- --grep="a; b" 2>&1 | tail -5 > 'out file.txt' && echo it\\'s # done; rm x`,
    `cat <<-'END' > a.txt; git commit -m "x"`,
    '\tnpm test && rm y',
    '\tEND',
    '(cd src && ls *.ts) || exit 1',
  ].join('\n')
  const text = (one: string) => one
  t.strictSame(splitCommand(code), [
    command('npm test -- --grep=quoted', '|', { words: ['npm', 'test', '--', '--grep=a; b'], hidesErrors: true }),
    command('tail -5', '&&', { redirections: [{ operator: '>', target: 'out file.txt' }] }),
    command(text('echo itquoteds'), '\n', { words: ['echo', "it's"] }),
    command('cat', ';', { redirections: [{ operator: '>', target: 'a.txt' }] }),
    command('git commit -m quoted', '\n', { words: ['git', 'commit', '-m', 'x'] }),
    command('cd src', '&&', { isCertain: false }),
    command('ls *.ts', '||', { isCertain: false }),
    command('exit 1', '', { isCertain: false }),
  ])
})

function command(text: string, operator: string, others: object = {}): object {
  const words = text.split(' ')
  return { words, text, program: words[0], redirections: [], operator, isCertain: true, ...others }
}

t.test('the code that a shell gets as an argument is what it runs', async (t) => {
  for (const code of ['bash -lc "npm test | tail"', "/bin/sh -c 'npm test | tail'", 'zsh -c npm test | tail'])
    t.strictSame(
      splitCommand(code).map(({ text, operator }) => [text, operator]),
      [
        ['npm test', '|'],
        ['tail', ''],
      ],
      code,
    )
})

t.test('what a shell would replace makes a command uncertain', async (t) => {
  const isCertain = (code: string) => splitCommand(code).map((one) => one.isCertain)
  for (const code of [
    'rm $A',
    'rm "$A"',
    'rm *.ts',
    'rm a?',
    'rm a[1]',
    'rm {a,b}',
    'rm "a',
    "rm 'a",
    '`rm a`',
    '(rm a)',
  ])
    t.strictSame(isCertain(code), [false], code)
  t.strictSame(isCertain('rm $(ls)'), [false, false])
  t.strictSame(isCertain(`rm '$A' "\\$B" \\* && [ -f a ]`), [true, true])
  t.strictSame(isCertain(`rm ${'a'.repeat(9000)}`), [false], 'a word may be cut')
})

t.test('commands without a program count if their output goes to a file', async (t) => {
  t.strictSame(
    splitCommand('> a.txt; A=1; b').map(({ words, redirections }) => [words, redirections]),
    [
      [[], [{ operator: '>', target: 'a.txt' }]],
      [['b'], []],
    ],
  )
})

/** Lines whose words a shell takes apart without replacing anything, as programs see them. */
const LINES = [
  'f a  b\tc',
  `f 'a b' "c d" e\\ f`,
  `f 'it'"'"'s' a'b'"c"d`,
  String.raw`f "a \"b\" \\ \x" '\n' \n`,
  `f '' "" a`,
  'f a#b #c d',
  'f a\\\nb "c\\\nd"',
  `f --x='a b' -y="c;d|e&f>g" 'h\ni'`,
  'f a=b A=1 c',
  'f a 2>/dev/null b',
  'f a >/dev/null 2>&1 b >&2',
  'f - -- [ ] ] ! a:b @c %d +e ,f ~g^',
  'f ä "日本 語" é\\ è',
  'f 1 2 > /dev/null 3',
]

t.test('words are those that bash passes to a program', async (t) => {
  const script = LINES.map((line) => `f() { printf '%s\\0' "$@" >&3; printf '\\n\\0' >&3; }; ${line}\n`).join('')
  const printed = execFileSync('bash', ['-c', `exec 3>&1\n${script}`], { encoding: 'utf8' })
  const expected = printed.split('\n\0').map((words) => words.split('\0').slice(0, -1))
  t.strictSame(
    LINES.map((line) => splitCommand(line)[0]?.words.slice(1)),
    expected.slice(0, -1),
  )
})

t.test('a command says whether its errors go elsewhere than its output', async (t) => {
  const hidden = (code: string) => splitCommand(code).map(({ hidesErrors }) => hidesErrors === true)
  t.same(hidden('make 2> errors.txt; make 2>/dev/null | tail; make |& tail -1'), [true, true, false, true, false])
  t.same(hidden('make &> out.txt; make > out.txt 2>&1; make 2>&1 | head -5'), [true, true, true, false])
  t.same(hidden('make > out.txt; make | wc -l; make 2>&1'), [false, false, false, false])
})
