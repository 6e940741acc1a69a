import { CLIENT_INFO_META_KEY, fromJsonSchema, McpServer, type ServerContext } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { fieldsOf, isObject } from '../session/entry.ts'
import {
  describeArgumentFault,
  INSTRUCTIONS,
  TOOLS,
  withoutEmpty,
  type Tool,
  type ToolCall,
  type ToolName,
} from './tools.ts'
import type { McpHost } from './host.ts'

type AnswerCall = (call: ToolCall) => string

/**
 * Serves the Model Context Protocol on stdin and stdout, until stdin ends. Some clients send their first request without waiting
 * for the tools: what reads sessions is loaded when a tool is called for the first time.
 * @param version that of this program
 */
export function serveMcp(version: string, openHost: () => Promise<McpHost>): void {
  let opened: Promise<AnswerCall> | undefined
  const open = async (): Promise<AnswerCall> => {
    const [{ openAnswers }, host] = await Promise.all([import('./answer-call.ts'), openHost()])
    return openAnswers(host)
  }
  serveStdio(() => buildServer(version, async (call) => (await (opened ??= open()))(call)))
}

function buildServer(version: string, answer: (call: ToolCall) => Promise<string>): McpServer {
  const server = new McpServer({ name: 'precis', title: 'Précis', version }, { instructions: INSTRUCTIONS })
  for (const [name, tool] of Object.entries(TOOLS)) {
    const { title, description } = tool
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: checkedSchema(tool),
        annotations: { readOnlyHint: true, openWorldHint: false },
        // Claude Code: the tool is offered at once, and not behind a search for tools.
        _meta: { 'anthropic/alwaysLoad': true },
      },
      async (args: Record<string, unknown>, { mcpReq }: ServerContext) => {
        const client = nameOf(mcpReq.envelope) ?? nameAtOpening(server.server)
        return reply(() => answer({ name: name as ToolName, args, client, meta: mcpReq._meta ?? {} }))
      },
    )
  }
  return server
}

/** Returns the schema of the arguments of a tool. The library does not say which argument it does not know. */
function checkedSchema(tool: Tool) {
  const { properties, required = [] } = tool
  const schema = fromJsonSchema<Record<string, unknown>>({
    ...{ type: 'object', properties, required: [...required], additionalProperties: false },
  })
  const { validate, ...standard } = schema['~standard']
  return {
    '~standard': {
      ...standard,
      validate: (given: unknown) => {
        const args = isObject(given) ? withoutEmpty(given, tool) : given
        const message = describeArgumentFault(tool, args)
        return message === undefined ? validate(args) : { issues: [{ message }] }
      },
    },
  }
}

/** Returns the name that a client of the revision of 2026 gives with each call. */
function nameOf(envelope: Readonly<Record<string, unknown>> = {}): string | undefined {
  const { name } = fieldsOf(envelope[CLIENT_INFO_META_KEY])
  return typeof name === 'string' ? name : undefined
}

/** The version that an older client names when it opens the connection: the library counts it as deprecated, since newer ones do not. */
interface OpenedConnection {
  getClientVersion: () => { name: string } | undefined
}

/** Returns the name that an older client gives when it opens the connection. */
const nameAtOpening = (connection: OpenedConnection): string => connection.getClientVersion()?.name ?? ''

/** Returns the result of a tool. A model reads errors too, and can do something about them. */
async function reply(work: () => Promise<string>) {
  try {
    return { content: [{ type: 'text' as const, text: await work() }] }
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    return { content: [{ type: 'text' as const, text }], isError: true }
  }
}
