import { openRedis } from '../../test/support/start-redis.ts'
import { spawnService } from './spawn-service.ts'

export interface Reply {
  status: number
  ms: number
  json: Record<string, unknown>
}

export interface Replicas {
  /** Posts to the replicas in turn; if one is gone, to the other one, as a load balancer does. */
  post: (path: string, caller: number, body: string) => Promise<Reply>
  /** Kills the second replica. */
  killOne: () => Promise<void>
  /** Requests without a reply, or with a problem. */
  lost: () => string[]
  close: () => Promise<void>
}

const CALLERS = 32
const tokenOf = (caller: number): string => `token-of-the-caller-${caller}`

/** Starts Redis and two replicas of the service, built as they are deployed. */
export async function openReplicas(modelUrl: string, windowTokens: number): Promise<Replicas> {
  const redis = await openRedis()
  const environment = {
    OPENAI_BASE_URL: modelUrl,
    PRECIS_REDIS_URL: redis.url,
    PRECIS_STORE_KEY: 'the secret of both replicas, 32 characters',
    PRECIS_CONTEXT_WINDOW: String(windowTokens),
    PRECIS_CONCURRENCY: '64',
    PRECIS_QUEUE: '200',
    // Equal sessions are replayed twice, to compare what models read.
    PRECIS_CACHE_TTL_MS: '0',
    PRECIS_TOKENS: Array.from({ length: CALLERS }, (_, caller) => tokenOf(caller)).join(','),
  }
  const services = [await spawnService(environment), await spawnService(environment)]
  const lost: string[] = []
  let next = 0
  const post = async (path: string, caller: number, body: string): Promise<Reply> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${tokenOf(caller)}` }
    const startedAt = performance.now()
    for (let attempt = 0; attempt < 2; attempt++) {
      const { url = '' } = services[next++ % services.length] ?? {}
      try {
        const response = await fetch(url + path, { method: 'POST', headers, body })
        const json = (await response.json()) as Record<string, unknown>
        if (response.status >= 400) lost.push(`${path} ${response.status} ${String(json['detail'])}`)
        return { status: response.status, ms: performance.now() - startedAt, json }
      } catch {
        continue
      }
    }
    lost.push(`${path} without a reply`)
    return { status: 0, ms: performance.now() - startedAt, json: {} }
  }
  return {
    post,
    lost: () => lost,
    killOne: async () => {
      await services.pop()?.kill()
    },
    async close() {
      for (const service of services) await service.terminate()
      await redis.stop()
    },
  }
}
