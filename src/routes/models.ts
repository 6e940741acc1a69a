import { Type, type Static } from '@sinclair/typebox'
import { Problem } from '../errors.ts'
import { describedBy, describeResult } from './define-route.ts'
import { readExample } from './examples.ts'
import { LOAD_PROBLEMS, problemResponses, READ_PROBLEMS } from './problem-responses.ts'
import type { Route } from './route.ts'

const ModelSchema = Type.Object(
  { id: Type.String(), object: Type.Literal('model'), created: Type.Integer(), owned_by: Type.String() },
  { title: 'Model' },
)
type Model = Static<typeof ModelSchema>

const ModelListSchema = Type.Object(
  { object: Type.Literal('list'), data: Type.Array(ModelSchema) },
  { title: 'ModelList' },
)

const PROBLEM_TYPES = [...READ_PROBLEMS, ...LOAD_PROBLEMS]

/** `GET /v1/models`, `/v1/models/{id}`: the candidates, for clients that choose from a list. */
export const modelsRoute: Route =
  ({ summarizer }) =>
  async (app) => {
    const names = summarizer.name === 'embedded' ? ['embedded'] : (summarizer.candidates ?? [])
    const models = [...new Set(names)].map((id): Model => ({ id, object: 'model', created: 0, owned_by: 'precis' }))
    const description =
      'The candidates of `PRECIS_MODEL`, or `embedded`. Requests may name any model: the service selects it.'
    app.get(
      '/v1/models',
      {
        config: describedBy(() => ({
          operationId: 'listModels',
          summary: 'List the models',
          description,
          tags: ['operations'],
          response: {
            200: describeResult(ModelListSchema, { object: 'list', data: [readExample('retrieveModel.reply')] }),
            ...problemResponses('openai', PROBLEM_TYPES),
          },
        })),
      },
      async () => ({ object: 'list' as const, data: models }),
    )
    const config = describedBy(() => ({
      operationId: 'retrieveModel',
      summary: 'Get a model',
      tags: ['operations'],
      params: Type.Object({ id: Type.String() }),
      response: {
        200: describeResult(ModelSchema, readExample('retrieveModel.reply')),
        ...problemResponses('openai', [...PROBLEM_TYPES, 'not-found']),
      },
    }))
    const find = (id: string | undefined): Model => {
      const model = models.find((one) => one.id === id)
      if (model !== undefined) return model
      throw new Problem('not-found', 'There is no such model. See GET /v1/models.')
    }
    app.get<{ Params: { id: string } }>('/v1/models/:id', { config }, async ({ params }) => find(params.id))
    // Names of models may have slashes.
    app.get('/v1/models/*', { schema: { hide: true } }, async ({ params }) => find((params as { '*': string })['*']))
  }
