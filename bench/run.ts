import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * Runs the named benchmark, for example `npm run bench -- plan`; without a name it lists all benchmarks. A benchmark is
 * a file `bench/NAME.bench.ts` that measures and prints when it is imported.
 */
const names = readdirSync(fileURLToPath(new URL('.', import.meta.url)))
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.replace(/\.bench\.ts$/, ''))
const [name] = process.argv.slice(2)

if (name === undefined || !names.includes(name)) {
  console.log(`Benchmarks: ${names.join(', ') || 'none yet'}`)
  process.exitCode = name === undefined ? 0 : 1
} else {
  await import(new URL(`${name}.bench.ts`, import.meta.url).href)
}
