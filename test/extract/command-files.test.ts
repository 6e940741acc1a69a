import t from 'tap'
import { findCommandFiles, type CommandFiles } from '../../src/extract/command-files.ts'
import { splitCommand } from '../../src/extract/shell.ts'

const cases: [code: string, files: Partial<CommandFiles>][] = [
  ['cat a.ts "b c.ts"', { read: ['a.ts', 'b c.ts'] }],
  ['sed -n 1,5p a.ts', { read: ['a.ts'] }],
  ["sed -i 's/a/b/' a.ts", { modified: ['a.ts'] }],
  ["sed -i.bak -E -e 's/a/b/' -e 's/c/d/' a.ts b.ts", { modified: ['a.ts', 'b.ts'] }],
  ["sed -i '' 's/a/b/' a.ts", { modified: ['a.ts'] }],
  ['sed -i -f script.sed a.ts', {}],
  ["sed 's/a/b/' a.ts", {}],
  ['npm test > out.txt 2>&1', { modified: ['out.txt'] }],
  ['npm test >> out.txt 2> /dev/null', { modified: ['out.txt'] }],
  ['echo hi | tee -a log.txt', { modified: ['log.txt'] }],
  ['mv a.ts b.ts', { renamed: [{ from: 'a.ts', to: 'b.ts' }] }],
  ['git mv a.ts b.ts && rm -rf dist', { renamed: [{ from: 'a.ts', to: 'b.ts' }], deleted: ['dist'] }],
  ['git rm --cached a.ts', {}],
  ['mv a b dir', {}],
  ['cat a.ts\nrm b.ts', { read: ['a.ts'], deleted: ['b.ts'] }],
  ["cat > x.ts <<'EOF'\nrm y.ts\nEOF", { modified: ['x.ts'] }],
  ['cat a.ts; cat <<EOF > b.ts\nrm c.ts\nEOF\nrm d.ts', { read: ['a.ts'], modified: ['b.ts'], deleted: ['d.ts'] }],
  ['touch a.ts; cp b.ts c.ts; mkdir -p d', { modified: ['c.ts'], created: ['a.ts', 'd'] }],
  ['cp a.ts src; cp -r lib old.d; cp a.ts b.ts src/c.ts', { created: ['src', 'old.d', 'src/c.ts'] }],
  ['git checkout -- a.ts; git restore b.ts', { created: ['a.ts', 'b.ts'] }],
  ['git reset --hard HEAD', { created: ['.'] }],
  ['rm $FILE', {}],
  ['rm *.ts', {}],
  ['cat $(ls)', {}],
  ['cat `ls`', {}],
  ['cd src && cat a.ts', {}],
  ['cat a.ts && cd src && cat b.ts', { read: ['a.ts'] }],
  ["echo 'rm a.ts'", {}],
  ["echo 'begins\nrm a.ts\nends'", {}],
  ['(rm a.ts)', {}],
  ['cat a.ts # rm b.ts', { read: ['a.ts'] }],
]

for (const [code, files] of cases)
  t.test(`${JSON.stringify(code)}: only what is certain`, async (t) => {
    t.strictSame(findCommandFiles(splitCommand(code)), {
      read: [],
      modified: [],
      deleted: [],
      renamed: [],
      created: [],
      ...files,
    })
  })
