import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Agent } from '../agents/agent.ts'
import { AGENTS } from '../agents/agents.ts'
import type { McpClient } from '../agents/home.ts'

/** A client of the protocol that is an agent with sessions. */
interface KnownClient extends McpClient {
  /** The name of the agent, as `precis list` writes it. */
  agent: string
}

const CLIENTS: readonly KnownClient[] = Object.values<Agent>(AGENTS)
  .flatMap(({ homes = [], database = [] }) => [...homes, database].flat())
  .flatMap(({ name: agent, mcpClient }) => (mcpClient === undefined ? [] : [{ agent, ...mcpClient }]))

/** Returns the agent that a client is; undefined for others. */
export const clientNamed = (name: string): KnownClient | undefined => CLIENTS.find((one) => one.name.test(name))

/** Calls that are made at the same time may have long arguments. */
const END_BYTES = 1_048_576

/** Returns whether the end of a file has a text. */
export function hasAtEnd(path: string, text: string): boolean {
  try {
    const file = openSync(path, 'r')
    try {
      const { size } = fstatSync(file)
      const end = Buffer.alloc(Math.min(size, END_BYTES))
      const length = readSync(file, end, 0, end.length, size - end.length)
      return end.subarray(0, length).includes(text)
    } finally {
      closeSync(file)
    }
  } catch {
    return false
  }
}
