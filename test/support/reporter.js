import { writeSync } from 'node:fs'
import { Transform } from 'node:stream'
import { Parser } from 'tap-parser'

/** What the end of a log shows: under 40 lines in all. */
const MAX_NAMED = 30
const MAX_DIFF_LINES = 30
const MAX_LINE_CHARACTERS = 300

/**
 * What `npm test` prints: a line a file, a failure with its difference as it comes, and at the end, where a log is read, all
 * failures once more by file and sentence. In JavaScript, since tap loads it itself, without tsx.
 */
export default class Reporter extends Transform {
  #parser = new Parser()
  #startedAt = Date.now()
  #failed = []
  #counts = { passed: 0, skipped: 0 }

  constructor() {
    super()
    // A check after all tests may fail the run too.
    process.once('exit', (code) => {
      if (code !== 0 && this.#failed.length === 0)
        writeSync(1, 'Failed, though every assertion has passed: see above.\n')
    })
    this.#parser
      .on('pass', () => (this.#counts.passed += 1))
      .on('skip', () => (this.#counts.skipped += 1))
      .on('fail', (result) => {
        this.#failed.push(headline(result))
        this.#print(`FAILED ${[headline(result), ...details(result)].join('\n')}\n`)
      })
      .on('assert', ({ ok, name, time }) => {
        this.#print(`${ok ? 'ok    ' : 'FAILED'} ${name} (${seconds(time)})`)
      })
      .on('bailout', (reason) => {
        this.#print(`Bail out! ${reason}`)
      })
  }

  _transform(chunk, _encoding, done) {
    this.#parser.write(chunk)
    done()
  }

  _flush(done) {
    this.#parser.end()
    const { passed, skipped } = this.#counts
    const more = this.#failed.length - MAX_NAMED
    if (this.#failed.length > 0) this.#print(['\nFailed:', ...this.#failed.slice(0, MAX_NAMED)].join('\n'))
    if (more > 0) this.#print(`and ${more} more`)
    const took = seconds(Date.now() - this.#startedAt)
    this.#print(`\n${passed} passed, ${this.#failed.length} failed, ${skipped} skipped in ${took}`)
    done()
  }

  #print(text) {
    this.push(`${text}\n`)
  }
}

const seconds = (ms) => `${((ms ?? 0) / 1000).toFixed(1)} s`

const clip = (line) => (line.length > MAX_LINE_CHARACTERS ? `${line.slice(0, MAX_LINE_CHARACTERS)}...` : line)

/** File and line, then the sentences down to the assertion. A suite's name says nothing: the place names the file. */
function headline({ fullname, diag }) {
  const [process = '', ...sentences] = fullname.split(' > ')
  const { fileName, lineNumber } = diag?.at ?? {}
  const place = fileName === undefined ? process : `${fileName}:${lineNumber}`
  return clip(`  ${place}  ${sentences.join(' > ')}`)
}

/** What was expected, or whatever else there is to say. */
function details({ diag }) {
  const { diff, stack, at: _at, source: _source, ...others } = diag ?? {}
  const told =
    diff ??
    [...Object.entries(others).map(([name, value]) => `${name}: ${JSON.stringify(value)}`), stack ?? ''].join('\n')
  const lines = told.trimEnd().split('\n')
  return lines.slice(0, MAX_DIFF_LINES).map((line) => clip(`    ${line}`))
}
