import { wrongParameter } from '../errors.ts'
import { meantParameter, parametersFor } from '../ingest/read-query.ts'
import { FormatQuerySchema } from '../schemas/format.ts'
import { isSession, type UseCase } from '../use-cases/use-case.ts'
import { USE_CASES } from '../use-cases/use-cases.ts'

/** Returns the names of the query parameters of a use case. */
function parametersOf({ body, query }: UseCase): string[] {
  const ofSession = isSession(body) ? { ...body.forms.entries.properties, ...FormatQuerySchema.properties } : {}
  return parametersFor({ ...ofSession, ...query?.properties }).filter((name) => name !== 'entries')
}

const PARAMETERS = new Map(USE_CASES.map((useCase) => [useCase.path, parametersOf(useCase)]))

/** A client may send the same parameters to all routes: each of them ignores those of others. */
const OF_ANY_ROUTE = new Set([...PARAMETERS.values()].flat())

/** Refuses a query parameter whose name is nearly that of one that the use case has. @throws Problem that names it */
export function refuseMisspelt(path: string, query: Readonly<Record<string, unknown>>): void {
  const known = PARAMETERS.get(path) ?? []
  for (const name of Object.keys(query)) {
    const meant = OF_ANY_ROUTE.has(name) ? undefined : meantParameter(name, known)
    if (meant !== undefined) throw wrongParameter(name, `is not known on this route; use \`${meant}\``)
  }
}
