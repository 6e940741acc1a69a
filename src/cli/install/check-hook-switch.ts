import { resolve } from 'node:path'
import type { InstallTarget, Setup } from '../../agents/install-target.ts'
import type { DoctorFinding } from './doctor-finding.ts'
import { valueAt, valueOfJson } from './edit-json.ts'
import { readSettingsFile } from './settings-file.ts'

/** Finds out whether the user has switched off all hooks of an agent: ours do nothing then. */
export function checkHookSwitch(target: InstallTarget, setup: Setup): DoctorFinding | undefined {
  const { file, path, value } = target.hooksOff?.(setup) ?? {}
  if (file === undefined || path === undefined) return undefined
  const whole = resolve(setup.folder, file)
  if (valueAt(valueOfJson(readSettingsFile(whole).text ?? ''), path) !== value) return undefined
  const text = `${target.name} runs no hooks: \`${path.join('.')}\` is ${value} in ${whole}. Remove it there if the hooks are to run.`
  return { kind: 'fault', text }
}
