import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolsOf, type Answer, type ModelRequest } from '../resume/fake-model.ts'
import { openTrial, type OpenTrial } from '../resume/trial.ts'
import { filesBelow } from './files.ts'
import { installPrecis } from './install-precis.ts'
import { OWN_HOOK_MARK, WRITERS, type TriedWriter } from './writers.ts'

/** The first words of our system prompt. */
const SYSTEM = 'You summarize sessions between a user and an AI coding agent.'

const SUMMARY =
  '## Goal\nFix the import of invoices.\n\n## Constraints & Preferences\n- none\n\n## Progress\n### Done\n- read src/import.ts\n\n' +
  '## Key Decisions\n- none\n\n## Next Steps\n1. none\n\n## Critical Context\n- none'

/**
 * Tries the programs of `--with`, unmodified and with a scripted model: `npx tsx scripts/try-clients/with.ts [PROGRAM...]`. Each has an
 * empty home with hooks, tool servers and instructions of its user. It writes a summary of a session with a prompt of 240 kB; then one
 * with a model that first calls a shell. Everything is on loopback addresses and in a scratch folder.
 */
const names = process.argv.slice(2)
const unknown = names.find((name) => !(name in WRITERS))
if (unknown !== undefined) throw new Error(`${unknown} cannot be tried. Known are ${Object.keys(WRITERS).join(', ')}.`)
const programs = await installPrecis()
const rows: string[] = []
for (const name of names.length === 0 ? Object.keys(WRITERS) : names) {
  const writer = WRITERS[name]
  if (writer === undefined) continue
  try {
    rows.push(`| ${(await tryWriter(name, writer)).join(' | ')} |`)
  } catch (error) {
    console.error(error)
    rows.push(`| ${name} | ${writer.client.packages[0] ?? ''} | not tried: ${String(error).split('\n')[0] ?? ''} |`)
  }
}
console.log(
  '| `--with` | package | whole prompt | our system prompt | tools that stay | instructions of the user, of the project | its hooks and servers | a shell that the model calls | files left in the home |',
)
console.log(`|---|---|---|---|---|---|---|---|---|\n${rows.join('\n')}`)
process.exit()

/** Returns the cells of a program's row. */
async function tryWriter(name: string, writer: TriedWriter): Promise<string[]> {
  const plain = await writeSummary(name, writer, () => ({ text: SUMMARY }))
  let isFirst = true
  const calling = await writeSummary(name, writer, (home) => {
    const command = `touch ${join(home, 'shell-ran')}`
    const call = { id: 'call_1', name: writer.shell, args: { command, cmd: command } }
    const answer: Answer = isFirst ? { text: '', call } : { text: SUMMARY }
    isFirst = false
    return answer
  })
  const isWhole = plain.texts.some((text) => text.includes(wordsOf(0)) && text.includes(wordsOf(30)))
  const has = (text: string): string => (plain.texts.some((one) => one.includes(text)) ? 'yes' : 'no')
  return [
    ...[`\`${name}\``, writer.client.packages[0] ?? '', isWhole ? 'yes' : 'FAULT: no'],
    has(SYSTEM) === 'yes' ? 'yes' : 'FAULT: no',
    plain.tools.join(', ') || 'none',
    `${has('MARK-OF-THE-USER')}, ${has('MARK-OF-THE-PROJECT')}`,
    plain.hasRunHooks || calling.hasRunHooks ? 'FAULT: were run' : 'not run',
    existsSync(join(calling.home, 'shell-ran')) ? 'FAULT: was run' : 'not run',
    plain.left.join(', ') || 'none',
  ]
}

/** What a run has shown. */
interface Shown {
  home: string
  /** Of all requests to the model. */
  texts: string[]
  tools: string[]
  hasRunHooks: boolean
  left: string[]
}

async function writeSummary(
  name: string,
  { client, personalize, model }: TriedWriter,
  answerIn: (home: string) => Answer,
): Promise<Shown> {
  const seen: ModelRequest[] = []
  const open: OpenTrial = await openTrial(client, (request) => {
    seen.push(request)
    return Promise.resolve(answerIn(open.trial.home))
  })
  const { home, project, run } = open.trial
  open.env['PATH'] = `${programs}:${open.env['PATH'] ?? ''}`
  try {
    personalize(home)
    for (const file of ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', 'QWEN.md'])
      writeFileSync(join(project, file), 'MARK-OF-THE-PROJECT')
    const before = new Set(filesBelow(home))
    const path = join(project, 'session.jsonl')
    writeFileSync(path, JSON.stringify({ messages: Array.from({ length: 40 }, (_, index) => messageOf(index)) }))
    const chosen = model === undefined ? [] : ['--model', model]
    await run('precis', 'compact', path, '--keep', '1000', '--budget', '100000', '--with', name, ...chosen)
    const left = filesBelow(home).filter((file) => !before.has(file) && !file.endsWith(OWN_HOOK_MARK))
    return {
      home,
      texts: seen.flatMap(({ texts }) => texts),
      tools: [...new Set(seen.flatMap(({ body }) => toolsOf(body)))],
      hasRunHooks: existsSync(join(home, OWN_HOOK_MARK)),
      left: [...new Set(left.map((file) => file.replace(home, '~').split('/').slice(0, 3).join('/')))],
    }
  } finally {
    await open.close()
  }
}

/** Words that only one message has, with accents, Chinese and emoji. */
function wordsOf(index: number): string {
  return `é漢🙂 word${index}x0 é漢🙂 word${index}x1`
}

function messageOf(index: number): object {
  const words = Array.from({ length: 450 }, (_, part) => `é漢🙂 word${index}x${part}`)
  return { role: index % 2 === 0 ? 'user' : 'assistant', content: `Turn ${index}: ${words.join(' ')}` }
}
