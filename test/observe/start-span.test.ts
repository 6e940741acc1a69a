import t from 'tap'
import { startSpan } from '../../src/observe/start-tracing.ts'

/** Where all copies of OpenTelemetry's API find the SDK (`@opentelemetry/api`, src/internal/global-utils.ts). */
const GLOBAL = Symbol.for('opentelemetry.js.api.1')

t.test('spans reach an SDK that starts after the service was loaded, with its own copy of the API', async (t) => {
  const all = globalThis as { [GLOBAL]?: unknown }
  const before = all[GLOBAL]
  t.teardown(() => {
    all[GLOBAL] = before
  })
  const names: string[] = []
  startSpan('before')
  all[GLOBAL] = {
    version: '1.9.1',
    trace: { getTracer: (of: string) => ({ startSpan: (name: string) => names.push(`${of}: ${name}`) }) },
  }
  startSpan('after')
  t.same(names, ['precis: after'])
})
