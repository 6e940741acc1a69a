import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Test } from 'tap'
import { HookRunner } from '../../src/jobs/hook-runner.ts'
import type { StartTimer } from '../../src/runtime/abort.ts'
import { compiled } from './compile-source.ts'

const script = pathToFileURL(compiled('src/hook-process.ts'))

interface HookTestOptions {
  name?: string
  processes?: number
  env?: Record<string, string>
  startTimer?: StartTimer
}

/** A timer that never fires: how busy the machine is decides no test. */
const never: StartTimer = () => () => undefined

/** Starts real processes for a module of hooks, which gets a folder of its own. */
export async function openHooks(
  t: Test,
  source: string,
  { name = 'hooks.mjs', processes = 2, env = {}, startTimer = never }: HookTestOptions = {},
): Promise<HookRunner> {
  const file = join(t.testdir({}), name)
  writeFileSync(file, source)
  const hooks = await HookRunner.open({ script, file, env, processes, limitMs: 1, startTimer })
  t.teardown(() => hooks.close())
  return hooks
}
