import type { ScriptCall, ScriptTurn } from './script.ts'

/** Returns an invented session as a rollout of Codex 0.120. */
export function writeCodex(turns: readonly ScriptTurn[], cwd: string): string {
  let seconds = 0
  let calls = 0
  const line = (type: string, payload: object): string => {
    seconds += 7
    return JSON.stringify({
      timestamp: new Date(Date.UTC(2026, 9, 5, 8) + seconds * 1000).toISOString(),
      type,
      payload,
    })
  }
  const item = (payload: object): string => line('response_item', payload)
  const meta = { id: '0199c0de-0000-7000-8000-0000000000c1', timestamp: '2026-10-05T08:00:00.000Z', cwd }
  const head = line('session_meta', { ...meta, originator: 'codex_cli_rs', cli_version: '0.120.0', source: 'cli' })
  const lines = turns.flatMap((turn) => {
    if (turn.role === 'user') return [item(message('user', 'input_text', turn.text))]
    const said = turn.text === '' ? [] : [item(message('assistant', 'output_text', turn.text))]
    return [...said, ...turn.calls.flatMap((call) => callItems(call, `call_${++calls}`).map(item))]
  })
  return `${[head, ...lines].join('\n')}\n`
}

const message = (role: string, type: string, text: string): object => ({
  type: 'message',
  role,
  content: [{ type, text }],
})

function callItems({ tool, input, output, exitCode }: ScriptCall, call_id: string): object[] {
  if (tool === 'apply_patch')
    return [
      { type: 'custom_tool_call', status: 'completed', call_id, name: tool, input },
      { type: 'custom_tool_call_output', call_id, output: patchOutput(output, exitCode) },
    ]
  const text = `Chunk ID: ${call_id}\nWall time: 0.4000 seconds\nProcess exited with code ${exitCode}\nOutput:\n${output}\n`
  return [
    { type: 'function_call', name: tool, arguments: JSON.stringify({ cmd: input }), call_id },
    { type: 'function_call_output', call_id, output: text },
  ]
}

const patchOutput = (output: string, exit_code: number): string =>
  JSON.stringify({
    output: exit_code === 0 ? `Success. Updated the following files:\n${output}\n` : output,
    metadata: { exit_code, duration_seconds: 0.1 },
  })
