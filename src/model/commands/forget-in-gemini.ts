import { existsSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { namesIn, readText } from '../../agents/shared/session-file.ts'
import { filled } from '../../agents/shared/values.ts'
import type { Environment } from '../../environment.ts'
import { fieldsOf, parseJson } from '../../session/entry.ts'

/** The beginning of the name of a folder in which a known program runs. */
export const RUN_FOLDER = 'precis-with-'

/**
 * Removes what Gemini CLI 0.61.0 keeps of a run below a folder: the session and its history, each in a folder that has the path of the
 * project in a file, and the entry of the project in its list.
 */
export function forgetInGemini(env: Environment, root: string): void {
  const home = join(filled(env['GEMINI_CLI_HOME']) ?? env['HOME'] ?? '', '.gemini')
  for (const kept of ['tmp', 'history'].map((name) => join(home, name)))
    for (const name of namesIn(kept))
      if (
        readText(join(kept, name, '.project_root'))
          .trim()
          .startsWith(root)
      )
        rmSync(join(kept, name), { recursive: true, force: true })
  forgetProjects(join(home, 'projects.json'), root)
}

/** Removes the projects of this run, and of runs that were killed, from the list: under its lock, which is a folder beside it. */
function forgetProjects(path: string, root: string): void {
  const isOurs = (project: string): boolean =>
    project.startsWith(root) || (project.startsWith(join(dirname(root), RUN_FOLDER)) && !existsSync(project))
  if (!Object.keys(projectsIn(path)).some(isOurs)) return
  try {
    mkdirSync(`${path}.lock`)
  } catch {
    // Gemini CLI is writing it: a later run removes the entry.
    return
  }
  try {
    const kept = Object.entries(projectsIn(path)).filter(([project]) => !isOurs(project))
    const draft = `${path}.${process.pid}.tmp`
    const list = { ...fieldsOf(parseJson(readText(path))), projects: Object.fromEntries(kept) }
    writeFileSync(draft, JSON.stringify(list, undefined, 2), { mode: statSync(path).mode })
    renameSync(draft, path)
  } finally {
    rmSync(`${path}.lock`, { recursive: true, force: true })
  }
}

const projectsIn = (path: string) => fieldsOf(fieldsOf(parseJson(readText(path)))['projects'])
