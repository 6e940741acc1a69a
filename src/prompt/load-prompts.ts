import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { loadTemplates, readTemplate, TEMPLATE_NAMES, type TemplateName, type Templates } from './templates.ts'

/** The texts of all prompts, and those of them that the operator has replaced. */
export interface Prompts {
  templates: Templates
  replaced?: ReplacedTemplates
}

/** Plain data: a worker process has only the files of the package. */
export interface ReplacedTemplates {
  texts: Readonly<Partial<Templates>>
  /** A hash of the texts, for reports and cache keys. */
  digest: string
}

/**
 * Reads the texts of all prompts.
 * @param shipped the folder of the package
 * @param folder the operator's folder (`PRECIS_PROMPTS`): its files replace those of the same name
 * @throws Error with every fault and its file
 */
export function loadPrompts(shipped: URL, folder?: string): Prompts {
  const templates = loadTemplates(shipped)
  if (folder === undefined) return { templates }
  const replaced = inSettings(() => readReplaced(folder))
  return { templates: { ...templates, ...replaced.texts }, replaced }
}

function inSettings(read: () => ReplacedTemplates): ReplacedTemplates {
  try {
    return read()
  } catch (cause) {
    throw new Error(`Invalid configuration:\nPRECIS_PROMPTS ${(cause as Error).message}`, { cause })
  }
}

/** Reads the operator's prompts. @throws Error that says what the setting of their folder must be */
export function readReplaced(folder: string): ReplacedTemplates {
  const faults: string[] = []
  const texts: Partial<Record<TemplateName, string>> = {}
  for (const file of listFiles(folder)) {
    const name = TEMPLATE_NAMES.find((one) => `${one}.md` === file)
    if (name === undefined) {
      faults.push(
        `${file} is no prompt of this service. Known are ${TEMPLATE_NAMES.map((one) => `${one}.md`).join(', ')}`,
      )
      continue
    }
    texts[name] = readTemplate(folder, name, faults)
  }
  if (faults.length > 0) throw new Error(`has bad prompts in ${folder}:\n${faults.join('\n')}`)
  if (Object.keys(texts).length === 0)
    throw new Error(`names ${folder}, which has no prompts. Copy files from prompts/ into it, and change them`)
  const digest = createHash('sha256')
    .update(JSON.stringify(Object.entries(texts).sort()))
    .digest('hex')
    .slice(0, 16)
  return { texts, digest }
}

/** Returns the names of the files, without hidden ones: a mounted ConfigMap has `..data` and the like. */
function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .sort()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`must be a folder that can be read; ${folder} cannot be (${String(code)})`, { cause: error })
  }
}
