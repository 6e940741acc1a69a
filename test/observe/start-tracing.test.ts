import t from 'tap'
import { startTracing } from '../../src/observe/start-tracing.ts'

t.test('nothing is loaded where it is not wanted', async (t) => {
  const tracing = await startTracing(false, () => t.fail('loaded') as never)
  t.equal(tracing.warning, undefined)
  await tracing.stop()
})

t.test('the SDK is started under the service’s name, and stopped', async (t) => {
  const told: unknown[] = []
  class NodeSDK {
    constructor(options: object) {
      told.push(options)
    }
    start = () => told.push('start')
    shutdown = async () => told.push('stop')
  }
  const tracing = await startTracing(true, async () => ({ NodeSDK }))
  await tracing.stop()
  t.same(told, [{ serviceName: 'precis' }, 'start', 'stop'])
  t.equal(tracing.warning, undefined)
})

t.test('a package that is not there is a warning, and the service goes on', async (t) => {
  const tracing = await startTracing(true)
  t.match(tracing.warning, /^OTEL_EXPORTER_OTLP_ENDPOINT is set, but @opentelemetry\/sdk-node cannot be loaded/)
  await tracing.stop()
})
