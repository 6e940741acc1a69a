import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import t from 'tap'
import { redactText } from '../../src/redact/redact-text.ts'

/** Real sessions that lie beside a checkout; they are not the project's to hand on. None of them has a secret. */
const FOLDERS = ['sessions', 'agents/samples'].map((name) => new URL(`../../../shared/${name}/`, import.meta.url))

const files = FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => new URL(name, folder))
    .filter((file) => statSync(file).isFile()),
)

/** All texts in a JSON value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

const skip = files.length === 0 ? 'no real sessions beside this checkout' : false

t.test('nothing is redacted in real sessions, as files and as texts', { skip }, async (t) => {
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    const texts = [parse(text), ...text.split('\n').map(parse)].flatMap(textsIn)
    for (const one of [text, ...texts]) {
      const { redactions } = redactText(one)
      if (redactions > 0) t.equal(redactions, 0, `${file.pathname}: ${one.slice(0, 100)}`)
    }
  }
})
