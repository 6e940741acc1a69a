import { spawn, spawnSync } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import type { Test } from 'tap'
import { connectRedis } from '../../src/runtime/redis.ts'
import { until } from './until.ts'

/** Why tests that need Redis are skipped; false where `redis-server` or `valkey-server` is there. */
const SERVER = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).status === 0)
export const SKIP_WITHOUT_REDIS = SERVER === undefined && 'redis-server is not installed'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Starts a Redis that forgets everything, on a free port of 127.0.0.1; it ends with the test, or when it is told to. */
export async function startRedis(t: Test, port?: number) {
  const redis = await openRedis(port)
  t.teardown(redis.stop)
  return redis
}

/** The same outside of a test: the caller stops it. */
export async function openRedis(port?: number) {
  const at = port ?? (await freePort())
  const args = ['--port', String(at), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const process = spawn(SERVER ?? '', args, { stdio: 'ignore' })
  const stop = async (): Promise<void> => {
    if (process.exitCode !== null || process.signalCode !== null) return
    const ended = new Promise((resolve) => process.once('exit', resolve))
    process.kill('SIGKILL')
    await ended
  }
  const url = `redis://127.0.0.1:${at}`
  const probe = connectRedis(url)
  await until(() => probe.isUp())
  probe.close()
  return { url, port: at, stop }
}
