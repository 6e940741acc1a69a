import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { dirname } from 'node:path'
import type { Test } from 'tap'
import { openHost } from '../../src/cli/mcp.ts'
import { openAnswers } from '../../src/mcp/answer-call.ts'
import type { ToolName } from '../../src/mcp/tools.ts'
import { MAIN } from '../cli/run-cli.ts'

export interface Place {
  /** The home folder of the user, and the folder in which the agent works. */
  home: string
  folder: string
  env?: Record<string, string>
  /** Options of `precis mcp`. */
  options?: readonly string[]
  /** The name of the agent as a client. */
  name?: string
  /** The revision of the protocol: that of 2026 if it is `modern`. */
  era?: 'legacy' | 'modern'
}

/** What a tool returned. */
export interface Answered {
  text: string
  isError: boolean
}

export type Call = (tool: string, args?: Record<string, unknown>, meta?: Record<string, unknown>) => Promise<Answered>

/** A client of the official library, connected to `precis mcp` as a process of its own. */
export interface OpenClient {
  client: Client
  call: Call
}

/** Starts `precis mcp` and connects to it; the end of the test ends it. */
export async function openClient(t: Test, place: Place): Promise<OpenClient> {
  const { home, folder, env = {}, options = [], name = 'somebody', era = 'legacy' } = place
  const client = new Client(
    { name, version: '1.0.0' },
    era === 'modern' ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
  )
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, 'mcp', ...options],
    cwd: folder,
    env: { PATH: dirname(process.execPath), HOME: home, ...env },
    stderr: 'inherit',
  })
  await client.connect(transport)
  t.teardown(() => client.close())
  return {
    client,
    async call(tool, args = {}, meta) {
      const request = { name: tool, arguments: args, ...(meta !== undefined && { _meta: meta }) }
      const { content, isError = false } = await client.callTool(request)
      const [first, ...others] = content as { type: string; text: string }[]
      t.same([first?.type, others], ['text', []])
      return { text: first?.text ?? '', isError }
    },
  }
}

/**
 * Returns a function that calls the tools in this process, without the protocol: a process of its own needs ten times the CPU time.
 * Each tool is also called over the protocol.
 */
export async function openTools({ home, folder, env = {}, options = [], name = 'somebody' }: Place): Promise<Call> {
  const machine = { home, folder, env: { PATH: dirname(process.execPath), HOME: home, ...env } }
  const answer = openAnswers(await openHost(machine, options.includes('--all-projects')))
  return async (tool, args = {}, meta = {}) => {
    try {
      return { text: answer({ name: tool as ToolName, args, client: name, meta }), isError: false }
    } catch (error) {
      return { text: (error as Error).message, isError: true }
    }
  }
}
