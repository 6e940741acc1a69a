import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ask } from './ask-model.ts'
import { writeItems } from './json-list.ts'
import type { EvalOptions } from './options.ts'
import { findUnprovenProbes, readProbes, UnusableProbes, writeProbes, type Probe } from './probes.ts'
import type { SessionCut, SessionFile } from './session.ts'
import { writeEvalTranscript } from './transcript.ts'

/** What the probes of a run are about, and where they are written. */
interface ProbeRun {
  options: Pick<EvalOptions, 'probes'>
  folder: string
  file: SessionFile
  cut: SessionCut
  print: (line: string) => void
}

/** Returns the probes of an earlier run, or writes new ones into the folder of this one. */
export async function prepareProbes(
  given: readonly Probe[] | undefined,
  { options, folder, file, cut, print }: ProbeRun,
  ask: Ask,
): Promise<readonly Probe[]> {
  const transcript = writeEvalTranscript(file.branch, cut)
  const probes = given ?? (await writeProbes(transcript, ask).catch(saveDraft(folder)))
  const path = join(folder, 'probes.json')
  if (given === undefined) writeFileSync(path, writeItems(probes))
  print(`${probes.length} probes: ${options.probes ?? path}`)
  const unproven = findUnprovenProbes(probes, transcript)
  if (unproven.length > 0)
    print(`Check the keys of ${unproven.join(', ')}: their quotes are not in the session before the cut.`)
  return probes
}

export function loadProbes(path: string): Probe[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new Error(`The probes ${path} cannot be opened (${String(code)}). Check the path after --probes.`, { cause })
  }
  const { probes, faults } = readProbes(text)
  if (faults.length > 0) throw new Error(`The probes ${path} have faults:\n${faults.join('\n')}`)
  return probes
}

const saveDraft =
  (folder: string) =>
  (error: unknown): never => {
    if (!(error instanceof UnusableProbes)) throw error
    const path = join(folder, 'probes.draft.json')
    writeFileSync(path, error.draft)
    throw new Error(`${error.message}\nCorrect ${path}, and run the command again with --probes ${path}.`, {
      cause: error,
    })
  }
