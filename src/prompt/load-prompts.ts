import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  findTemplateFaults,
  loadTemplates,
  TEMPLATE_PLACEHOLDERS,
  type TemplateName,
  type Templates,
} from './templates.ts'

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

/** Each job has the replaced texts: a long one would be sent to a worker again and again. */
const MAX_BYTES = 65_536

/**
 * Reads the texts of all prompts.
 * @param shipped the folder of the package
 * @param folder the operator's folder (`PRECIS_PROMPTS`): its files replace those of the same name
 * @throws Error with every fault and its file
 */
export function loadPrompts(shipped: URL, folder?: string): Prompts {
  const templates = loadTemplates(shipped)
  if (folder === undefined) return { templates }
  const replaced = readReplaced(folder)
  return { templates: { ...templates, ...replaced.texts }, replaced }
}

function readReplaced(folder: string): ReplacedTemplates {
  const faults: string[] = []
  const texts: Partial<Record<TemplateName, string>> = {}
  for (const file of listFiles(folder)) {
    const name = NAMES.find((one) => `${one}.md` === file)
    if (name === undefined) {
      faults.push(`${file} is no prompt of this service. Known are ${NAMES.map((one) => `${one}.md`).join(', ')}`)
      continue
    }
    const { text = '', faults: found } = readFile(join(folder, file), TEMPLATE_PLACEHOLDERS[name])
    texts[name] = text
    faults.push(...found.map((fault) => `${file} ${fault}`))
  }
  if (faults.length > 0) throw invalid(`has bad prompts in ${folder}:\n${faults.join('\n')}`)
  if (Object.keys(texts).length === 0)
    throw invalid(`names ${folder}, which has no prompts. Copy files from prompts/ into it, and change them`)
  const digest = createHash('sha256')
    .update(JSON.stringify(Object.entries(texts).sort()))
    .digest('hex')
    .slice(0, 16)
  return { texts, digest }
}

const NAMES = Object.keys(TEMPLATE_PLACEHOLDERS) as TemplateName[]

const invalid = (what: string, cause?: unknown): Error =>
  new Error(`Invalid configuration:\nPRECIS_PROMPTS ${what}`, cause === undefined ? {} : { cause })

/** Returns the names of the files, without hidden ones: a mounted ConfigMap has `..data` and the like. */
function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith('.'))
      .sort()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw invalid(`must be a folder that can be read; ${folder} cannot be (${String(code)})`, error)
  }
}

function readFile(path: string, placeholders: readonly string[]): { text?: string; faults: string[] } {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    return { faults: [`cannot be read (${String((error as NodeJS.ErrnoException).code)})`] }
  }
  if (bytes.length > MAX_BYTES) return { faults: [`has ${bytes.length} bytes; at most ${MAX_BYTES} are allowed`] }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n/g, '\n').trim()
    return { text, faults: findTemplateFaults(text, placeholders) }
  } catch {
    return { faults: ['is not valid UTF-8. Save it as UTF-8'] }
  }
}
