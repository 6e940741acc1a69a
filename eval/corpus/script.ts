/** One call of a tool, as it stands in a script: what follows the name depends on the tool. */
export interface ScriptCall {
  tool: string
  input: string
  output: string
  exitCode: number
}

/** One message of a user, or one answer of an agent with the calls in it. */
export type ScriptTurn = { role: 'user'; text: string } | { role: 'agent'; text: string; calls: ScriptCall[] }

/** Returns the lines of a file, `PATH` or `PATH FIRST-LAST`. */
export type ReadPart = (path: string) => string

const HEAD = /^=== (user|agent|output)(?: (\d+))?$/
const INCLUDED = '<<< '

/**
 * Reads an invented session: blocks that begin with `=== user`, `=== agent` or `=== output EXIT-STATUS`. In an answer, a line
 * `--- TOOL` begins a call. An output `<<< PATH FIRST-LAST` is that part of a file.
 */
export function readScript(text: string, readPart: ReadPart): ScriptTurn[] {
  const turns: ScriptTurn[] = []
  for (const { name, status, body } of splitBlocks(text)) {
    const last = turns.at(-1)
    if (name === 'user') turns.push({ role: 'user', text: body })
    else if (name === 'agent') turns.push(readAnswer(body))
    else if (last?.role === 'agent') {
      const call = last.calls.find(({ output }) => output === '')
      if (call === undefined) throw new Error(`An output has no call: ${body.slice(0, 60)}`)
      call.output = body.startsWith(INCLUDED) ? readPart(body.slice(INCLUDED.length)) : body || '(no output)'
      call.exitCode = status
    }
  }
  return turns
}

interface Block {
  name: string
  status: number
  body: string
}

function splitBlocks(text: string): Block[] {
  const blocks: (Block & { lines: string[] })[] = []
  for (const line of text.split('\n')) {
    const head = HEAD.exec(line)
    if (head === null) blocks.at(-1)?.lines.push(line)
    else blocks.push({ name: head[1] ?? '', status: Number(head[2] ?? 0), body: '', lines: [] })
  }
  return blocks.map(({ lines, ...block }) => ({ ...block, body: lines.join('\n').trim() }))
}

function readAnswer(body: string): ScriptTurn {
  const [text = '', ...calls] = `\n${body}`.split('\n--- ')
  return {
    role: 'agent',
    text: text.trim(),
    calls: calls.map((call) => {
      const end = call.indexOf('\n')
      return { tool: call.slice(0, end), input: call.slice(end + 1), output: '', exitCode: 0 }
    }),
  }
}
