import 'fastify'

declare module 'fastify' {
  /**
   * How the hooks of this layer treat a route; each route declares it in its `config`. A route that declares nothing, and
   * an unknown route, get the strictest treatment: a token is required, and neither overload nor shutdown is ignored.
   */
  interface FastifyContextConfig {
    /** Called by orchestrators: needs no service token, and does not count for the rate limit. */
    isProbe?: boolean
    /** A file of the page, without data of a caller: needs no service token, and does not count for the rate limit. */
    isPublic?: boolean
    /** Reports the state of the service, so it is served even while the service is overloaded or shutting down. */
    isAlwaysServed?: boolean
    /** The status that refuses a missing or wrong service token, if it is not 401. */
    tokenRefusedStatus?: 404
  }
}
