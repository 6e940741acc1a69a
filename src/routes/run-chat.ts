import { Type } from '@sinclair/typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import type { RequestModes } from '../jobs/start-chat.ts'
import type { RouteName } from '../jobs/start-request.ts'
import type { CompletedChat } from '../use-cases/chats/complete-chat.ts'
import type { Report } from '../schemas/compaction-reply.ts'
import { Nullish } from '../schemas/typebox.ts'
import type { RouteServices } from './route.ts'
import { runJob } from './run-job.ts'

/** A request of an API that was made for other servers, and its reply. */
interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
}

/** Runs the job of a chat. The header `X-Precis-Report` gets the report. @throws Problem; `ClientDisconnected` */
export async function runChat(
  route: RouteName,
  { request, reply }: Exchange,
  services: RouteServices,
): Promise<CompletedChat> {
  // `/v1/messages` answers nothing but compactions.
  const modes = route === 'messages' ? {} : readPipelineMode(request)
  const json = await runJob(route, { request, budget: request.budget, modes }, services)
  setReport({ request, reply })
  return JSON.parse(json.toString()) as CompletedChat
}

/** The header that selects the pipeline (OpenAPI). */
export const PipelineHeaderSchema = Type.Object({
  'x-precis-pipeline': Nullish(
    Type.String({
      description:
        '`on`: the chat is compacted in any case. `off`: it goes to the model in any case, unless it ends with a ' +
        '`compaction_trigger` item, which a model cannot answer.',
    }),
  ),
})

function readPipelineMode({ headers }: FastifyRequest): RequestModes {
  const value = String(headers['x-precis-pipeline'] ?? '')
  const pipeline = (['on', 'off'] as const).find((one) => one === value.trim().toLowerCase())
  if (value !== '' && pipeline === undefined)
    throw new Problem(
      'invalid-request',
      'The header X-Precis-Pipeline must be `on` or `off`. Correct it, or leave it out.',
    )
  return pipeline === undefined ? {} : { pipeline }
}

/** Sets the header with the report of a request, whose reply has no place for it. */
export function setReport({ request, reply }: Exchange): void {
  const { reported } = request
  if (reported !== undefined) void reply.header('x-precis-report', writeReport(reported.report))
}

/** Proxies refuse heads that are longer than some thousand bytes. */
const MAX_REPORT_CHARACTERS = 2000

/** Returns a report as compact JSON in ASCII; without the lists of the checks if it would be too long for a header. */
export function writeReport(report: Report): string {
  const { checks: _checks, ignored: _ignored, ...short } = report
  const [json = ''] = [report, short].map(asciiJson).filter(({ length }) => length <= MAX_REPORT_CHARACTERS)
  return json
}

const asciiJson = (value: object): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Pieces of a text, about as long as a line; with `u`, no surrogate pair is split. */
const PIECES = /[^]{1,120}/gu

/** Returns the pieces in which a text is streamed. */
export const piecesOf = (text: string): string[] => Array.from(text.matchAll(PIECES), ([piece]) => piece)
