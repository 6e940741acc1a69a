import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readSessionBytes, readSessionFile, type SessionFile } from '../session.ts'
import { flattenClaudeCode } from './flatten-claude-code.ts'
import { writePiSession, type CompactionPlace } from './pi-session.ts'
import { readScript, type ScriptTurn } from './script.ts'
import { writeCodex } from './write-codex.ts'
import { writeOpencode } from './write-opencode.ts'

/** What a session is built from. */
export interface Sources {
  /** The folder with the real sessions and documents. */
  from: string
  /** The summaries of the compactions that have happened already, for the chain. */
  summaries: readonly string[]
}

export interface CorpusSession {
  /** The name of its file, and of its probes in `probes/`. */
  name: string
  ending: 'json' | 'jsonl'
  /** The first entry that is not summarized; the chain has one for each compaction. */
  cuts: readonly string[]
  build: (sources: Sources) => string
}

const CLAUDE_CODE = 'agents/samples/claude-code/session-2.1.39-'
const LONG_TURN = `${CLAUDE_CODE}ae4a77f8.jsonl`
const TRACKER = `${CLAUDE_CODE}4d5611e5.jsonl`
const FIXTURE = 'agents/samples/cline/repo-fixture-session.messages.json'
const SMALL = [
  'openhands/v0-trajectory-basic.json',
  'atif/harbor_openhands.json',
  'swe-agent/function_calling_simple.traj',
].map((path) => `agents/samples/${path}`)
const REFACTORING = 'sessions/pi-v1-large.jsonl'

/** The line of the compaction that Claude Code wrote at the end of the long turn. */
const LONG_TURN_LINES = 1480

const CHAIN: readonly CompactionPlace[] = [
  { firstKeptEntryId: 'c0282', after: 'c0463' },
  { firstKeptEntryId: 'c0542', after: 'c0683' },
  { firstKeptEntryId: 'c0793', after: 'c0913' },
]

/** The sessions of the evaluation corpus; eval/corpus/README.md says what each of them is. */
export const CORPUS: readonly CorpusSession[] = [
  {
    name: 'long-turn',
    ending: 'jsonl',
    cuts: ['de5cdfda-ee06-4024-8b17-c0b5b43129c4'],
    build: ({ from }) => `${readFrom(from, LONG_TURN).split('\n').slice(0, LONG_TURN_LINES).join('\n')}\n`,
  },
  {
    name: 'tracker',
    ending: 'jsonl',
    cuts: ['ef8de19d-4d1f-4943-9962-7d119469775e'],
    build: ({ from }) => readFrom(from, TRACKER),
  },
  {
    name: 'chain',
    ending: 'jsonl',
    cuts: CHAIN.map(({ firstKeptEntryId }) => firstKeptEntryId),
    build: ({ from, summaries }) =>
      writePiSession(
        [{ file: sessionIn(from, REFACTORING), prefix: 'c' }],
        CHAIN.flatMap((place, index) => {
          const summary = summaries[index]
          return summary === undefined ? [] : [{ ...place, summary }]
        }),
      ),
  },
  {
    name: 'joined',
    ending: 'jsonl',
    cuts: ['d0429'],
    build: ({ from }) =>
      writePiSession([
        { file: flatSessionIn(from, TRACKER), prefix: 'a' },
        { file: sessionIn(from, REFACTORING), prefix: 'b' },
        { file: sessionIn(from, FIXTURE), prefix: 'c' },
        ...SMALL.map((path, index) => ({ file: sessionIn(from, path), prefix: `e${index + 1}x` })),
        { file: flatSessionIn(from, LONG_TURN), prefix: 'd' },
      ]),
  },
  {
    name: 'held-out/german',
    ending: 'jsonl',
    cuts: ['line:106'],
    build: ({ from }) => writeCodex(scriptOf('held-out/german', from), '/home/dev/versuche'),
  },
  {
    name: 'held-out/sessions-generator',
    ending: 'json',
    cuts: ['msg_corpus00102'],
    build: ({ from }) => writeOpencode(scriptOf('held-out/sessions-generator', from), '/home/dev/tools'),
  },
]

const readFrom = (from: string, path: string): string => readFileSync(join(from, path), 'utf8')

const sessionIn = (from: string, path: string): SessionFile => readSessionFile(join(from, path), false)

const flatSessionIn = (from: string, path: string): SessionFile =>
  readSessionBytes(path, Buffer.from(flattenClaudeCode(readFrom(from, path))), { redact: false })

/** Returns the turns of an invented session, whose long outputs are parts of real files. */
function scriptOf(name: string, from: string): ScriptTurn[] {
  const text = readFileSync(new URL(`parts/${name}.txt`, import.meta.url), 'utf8')
  return readScript(text, (part) => {
    const [path = '', range] = part.split(' ')
    const lines = readFrom(from, path).trimEnd().split('\n')
    const [first = 1, last = lines.length] = range?.split('-').map(Number) ?? []
    return lines.slice(first - 1, last).join('\n')
  })
}
