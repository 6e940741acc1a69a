import type { ScriptCall, ScriptTurn } from './script.ts'

const MODEL = { providerID: 'anthropic', modelID: 'claude-sonnet-4-5' }
const ID = 'ses_corpus0001'

/** Returns an invented session as `opencode export` of version 1.18 writes it. */
export function writeOpencode(turns: readonly ScriptTurn[], cwd: string): string {
  const writer = new Writer(cwd)
  const messages = turns.map((turn) => (turn.role === 'user' ? writer.user(turn.text) : writer.agent(turn)))
  const info = {
    id: ID,
    slug: 'corpus',
    projectID: 'corpus',
    directory: cwd,
    title: 'Sessions of Codex',
    version: '1.18.33',
  }
  return `${JSON.stringify({ info: { ...info, time: { created: START, updated: START } }, messages }, undefined, 1)}\n`
}

const START = Date.UTC(2026, 9, 5, 8)
const TODO_STATES: Readonly<Record<string, string>> = { ' ': 'pending', '>': 'in_progress', x: 'completed' }

class Writer {
  readonly #cwd: string
  #count = 0
  #userId = ''

  constructor(cwd: string) {
    this.#cwd = cwd
  }

  user(text: string): object {
    const { id, created } = this.#next('msg')
    this.#userId = id
    const info = { id, sessionID: ID, role: 'user', time: { created }, agent: 'build', model: MODEL }
    return { info, parts: [this.#part(id, { type: 'text', text })] }
  }

  agent({ text, calls }: Extract<ScriptTurn, { role: 'agent' }>): object {
    const { id, created } = this.#next('msg')
    const info = {
      ...{ id, sessionID: ID, role: 'assistant', parentID: this.#userId, ...MODEL, mode: 'build', agent: 'build' },
      ...{ path: { cwd: this.#cwd, root: this.#cwd }, cost: 0, finish: calls.length > 0 ? 'tool-calls' : 'stop' },
      tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      time: { created, completed: created + 900 },
    }
    const said = text === '' ? [] : [this.#part(id, { type: 'text', text })]
    return { info, parts: [...said, ...calls.map((call) => this.#part(id, this.#tool(call, created)))] }
  }

  #tool({ tool, input: text, output, exitCode }: ScriptCall, start: number): object {
    const input = this.#input(tool, text)
    const metadata = tool === 'bash' ? { exit: exitCode, output } : {}
    const state = {
      ...{ status: 'completed', input, title: tool, metadata, time: { start, end: start + 400 } },
      output: output === '@todos' ? JSON.stringify(input['todos'], undefined, 2) : output,
    }
    return { type: 'tool', callID: `call_${this.#count}`, tool, state }
  }

  #input(tool: string, text: string): Record<string, unknown> {
    const [first = '', ...rest] = text.split('\n')
    const filePath = `${this.#cwd}/${first}`
    if (tool === 'bash') return { command: text, description: 'Run a command' }
    if (tool === 'read') return { filePath }
    if (tool === 'write') return { filePath, content: `${rest.join('\n')}\n` }
    if (tool === 'todowrite') return { todos: text.split('\n').map(todoOf) }
    const [, oldString = '', newString = ''] = /^<<<<\n([^]*)\n====\n([^]*)\n>>>>$/.exec(rest.join('\n')) ?? []
    return { filePath, oldString, newString }
  }

  #part(messageID: string, fields: object): object {
    return { id: this.#next('prt').id, sessionID: ID, messageID, ...fields }
  }

  #next(kind: string): { id: string; created: number } {
    this.#count += 1
    return { id: `${kind}_corpus${String(this.#count).padStart(5, '0')}`, created: START + this.#count * 3000 }
  }
}

const todoOf = (line: string): object => ({
  content: line.slice(4),
  status: TODO_STATES[line[1] ?? ' '],
  priority: 'medium',
})
