import type { FastifyRequest } from 'fastify'

const PROBES = new Set(['/healthz', '/readyz'])

/** Tells whether an orchestrator asks how the service is: without a token, as often as it likes, also while it drains. */
export const isProbe = ({ routeOptions }: FastifyRequest): boolean => PROBES.has(routeOptions.url ?? '')
