import type { FastifyRequest } from 'fastify'

const PROBES = new Set(['/healthz', '/readyz'])

/** Tells whether an orchestrator asks how the service is: without a token, as often as it likes, also while it drains. */
export const isProbe = ({ routeOptions }: FastifyRequest): boolean => PROBES.has(routeOptions.url ?? '')

/** Tells whether somebody asks how the service is, who should hear it most of all while it is loaded or drains. */
export const isWatch = (request: FastifyRequest): boolean => isProbe(request) || request.routeOptions.url === '/metrics'
