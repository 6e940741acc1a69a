import { readSettings } from '../../src/settings.ts'
import { buildLocalApp } from '../../src/local-app.ts'
import { doublingOf, type Doubling } from './cpu-time.ts'
import { DEFAULT_URLS, REQUEST_SHAPES, writeBody } from './request-shapes.ts'

export interface DoubledShape extends Doubling {
  name: string
  isText: boolean
  url: string
  /** The status of the longer request. */
  status: number
  /** The bytes of the longer request, in MB. */
  megabytes: number
}

/** Requests that take less CPU time, in milliseconds, are not slow in any way that matters. */
export const MEASURABLE_MS = 60

interface DoublingOptions {
  /** A factor for all sizes. */
  factor?: number
  /** Only the shapes whose names contain this. */
  only?: string
}

/** Measures each shape of requests in two sizes, in this process: the whole use case, without a model. */
export async function* doubleRequests({ factor = 1, only = '' }: DoublingOptions = {}): AsyncGenerator<DoubledShape> {
  const app = await buildLocalApp(
    readSettings({
      LOG_LEVEL: 'silent',
      PRECIS_CACHE_ENTRIES: '0',
      PRECIS_BODY_LIMIT: '1000000000',
      PRECIS_DEADLINE_MS: '600000',
    }),
  )
  const headers = { 'content-type': 'application/json', host: 'localhost' }
  try {
    for (const [name, shape] of Object.entries(REQUEST_SHAPES).filter(([name]) => name.includes(only))) {
      const bodyOf = (times: number): string => writeBody(shape, times * shape.size * factor)
      const [short, long] = [bodyOf(1), bodyOf(4)]
      for (const url of shape.urls ?? DEFAULT_URLS) {
        let status = 0
        const send = async (payload: string): Promise<void> => {
          const response = await app.inject({ method: 'POST', url, headers, payload })
          if (payload === long) status = response.statusCode
        }
        const doubling = await doublingOf({ send, short, long, longest: () => bodyOf(16), measurableMs: MEASURABLE_MS })
        yield {
          name,
          isText: shape.isText === true,
          url,
          status,
          megabytes: Buffer.byteLength(long) / 1e6,
          ...doubling,
        }
      }
    }
  } finally {
    await app.close()
  }
}
