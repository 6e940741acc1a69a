import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Services } from '../jobs/services.ts'

/** Creates the plugin of one route, or of a few that belong together. */
export type Route = (services: Services) => FastifyPluginAsyncTypebox
