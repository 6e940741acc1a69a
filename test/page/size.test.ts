import { existsSync, readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { gzipSync } from 'node:zlib'

const DIST = new URL('../../dist/page/', import.meta.url)

const MAX_KIBIBYTES = 45

t.test(
  'the script of the page is small: what a browser loads, compressed',
  { skip: existsSync(DIST) ? false : 'the page is not built (npm run build:page)' },
  async (t) => {
    // The reference at `/docs` has a script of its own.
    const names = readdirSync(DIST).filter((name) => /^(?!reference-).*\.js$/.test(name))
    const bytes = names.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, DIST))).length, 0)
    t.ok(names.length > 0)
    t.ok(bytes <= MAX_KIBIBYTES * 1024, `${(bytes / 1024).toFixed(1)} KiB of at most ${MAX_KIBIBYTES} KiB`)
  },
)
