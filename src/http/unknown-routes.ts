import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { nearName } from '../text/near-name.ts'
import { sendProblem } from './problems.ts'

/** The detail of a 404. */
export const UNKNOWN_ROUTE = 'Unknown route. See GET /openapi.json.'

/**
 * Replies to requests that no route takes: 405 with `Allow` if the path is known with other methods (RFC 9110, section
 * 15.5.6), otherwise 404. To be called before the routes are registered.
 */
export function refuseUnknownRoutes(app: FastifyInstance): void {
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    methodsOf.set(url, methods)
  })
  const refuse = (request: FastifyRequest, reply: FastifyReply): Problem => {
    const allowed = Array.from(methodsOf).flatMap(([pattern, methods]) =>
      matches(pattern, pathOf(request.url)) ? [...methods] : [],
    )
    if (allowed.length === 0)
      return new Problem('not-found', UNKNOWN_ROUTE + hintAt(pathOf(request.url), methodsOf.keys()))
    void reply.header('allow', [...new Set(allowed)].sort().join(', '))
    const needed = allowed.filter((method) => method !== 'HEAD').join(' or ')
    return new Problem('method-not-allowed', `This route needs ${needed}, not ${request.method}.`)
  }
  app.setNotFoundHandler((request, reply) => sendProblem(reply, refuse(request, reply)))
  // Before the body is parsed: a body that is too large or of an unknown type is not the fault of an unknown route.
  app.addHook('preParsing', async (request, reply) => {
    if (request.is404) throw refuse(request, reply)
  })
}

/** The shortest path that is taken for the beginning of another one. */
const MIN_BEGINNING = 5

/** Returns the route that a path is likely meant to be, as a sentence; empty if there is none. */
function hintAt(path: string, patterns: Iterable<string>): string {
  const known = [...patterns].filter((pattern) => !/[:*]/.test(pattern))
  const meant =
    nearName(path, known) ??
    known.find((pattern) => pattern === `/v1${path}`) ??
    known.find((pattern) => path.length >= MIN_BEGINNING && pattern.startsWith(path))
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}

/** Returns whether a path is one of a route's: its pattern may have parameters (`/a/:id`), and a `*` as its end. */
function matches(pattern: string, path: string): boolean {
  const wanted = segmentsOf(pattern)
  const found = segmentsOf(path)
  const isOpen = wanted.at(-1) === '*'
  if (isOpen ? found.length < wanted.length : found.length !== wanted.length) return false
  return wanted.every((segment, index) => segment === '*' || segment.startsWith(':') || segment === found[index])
}

/** A slash at the end does not count. */
const segmentsOf = (path: string): string[] => path.replace(/(?<=.)\/$/, '').split('/')

const pathOf = (url: string): string => url.split('?', 1)[0] ?? url
