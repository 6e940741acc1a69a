import { readFileSync } from 'node:fs'
import fastifySwagger from '@fastify/swagger'
import fastifySwaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { nameSchemas } from './name-schemas.ts'

const { version, description } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as Record<'version' | 'description', string>

/**
 * `GET /openapi.json`, `/openapi.yaml` and `/docs`: the contract, written from the routes' own schemas. To be called
 * before the routes that it shall see are registered.
 */
export async function addDocs(app: FastifyInstance): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Précis', version, description, license: { name: 'MIT', identifier: 'MIT' } },
      tags: [
        { name: 'compaction', description: 'What agents call' },
        { name: 'session', description: 'What agents need around a compaction, without a model' },
        { name: 'operations', description: 'What operators call' },
      ],
    },
    transformObject: (document) => nameSchemas('openapiObject' in document ? document.openapiObject : {}),
  })
  await app.register(fastifySwaggerUi, { routePrefix: '/docs' })
  const hidden = { schema: { hide: true } }
  app.get('/openapi.json', hidden, async () => app.swagger())
  app.get('/openapi.yaml', hidden, async (_request, reply) =>
    reply
      .type('application/yaml')
      .serializer(String)
      .send(app.swagger({ yaml: true })),
  )
}
