import { chinese } from './support/chinese.ts'
import { compareInputs } from './support/compare-inputs.ts'
import { describeMachine } from './support/describe-machine.ts'
import { english } from './support/english.ts'
import { FACT_RULES } from './support/facts.ts'
import { findDemands } from './support/find-demands.ts'
import { openForgetfulModel } from './support/forgetful-model.ts'
import { generateSession } from './support/generate-session.ts'
import { printQuality, type QualityRow } from './support/print-quality.ts'
import { readRealSession } from './support/read-real-session.ts'
import { replaySession } from './support/replay-session.ts'
import { charactersOf, type SessionEntry } from './support/session-entry.ts'
import { startService, type Service } from './support/start-service.ts'

/**
 * Measures the facts that are still in a model's context after ten compactions in a row: with the embedded summarizer,
 * and with a model that forgets everything, so that only the facts that code keeps are left. All requests use real
 * sockets, as those of a client. Then it compares what one compaction reads with what other agents read for it.
 */
const COMPACTIONS = 10
/** The sizes of entries are random: this gives 1,000,000 tokens. */
const CHARACTERS = 4_030_000
const SEED = 4242

interface Case {
  name: string
  entries: SessionEntry[]
  constraints: readonly string[]
  /** The text of a forgetful model, in the session's language. */
  forgetful: string
  settings: Record<string, number>
}

function gatherCases(): Case[] {
  const generated = [english, chinese].map((language) => ({
    ...generateSession(language, { characters: CHARACTERS, seed: SEED }),
    name: `generated, ${language.name}`,
    forgetful: language.forgetful,
    settings: {},
  }))
  const real = readRealSession()
  if (real === undefined) {
    console.log('The real session (../shared/sessions) is missing and is left out.')
    return generated
  }
  // A tenth of the session has about 12,000 tokens: with the default of 20,000, the first compactions would have
  // nothing to do.
  const settings = { keepRecentTokens: 4000 }
  return [
    { name: 'real, 1 MB', entries: real, constraints: findDemands(real), forgetful: english.forgetful, settings },
    ...generated,
  ]
}

async function withEmbedded<T>(work: (service: Service) => Promise<T>): Promise<T> {
  const service = await startService({})
  return work(service).finally(() => service.close())
}

async function withForgetful<T>(sentence: string, work: (service: Service) => Promise<T>): Promise<T> {
  const model = await openForgetfulModel(sentence)
  const service = await startService({ OPENAI_BASE_URL: model.url, OPENAI_API_KEY: 'none' })
  return work(service).finally(async () => {
    await service.close()
    await model.close()
  })
}

function printSize({ name, entries, settings }: Case): void {
  const characters = entries.reduce((sum, { message }) => sum + (message === undefined ? 0 : charactersOf(message)), 0)
  console.log(`${name}: ${entries.length} entries, ${Math.round(characters / 4)} tokens, ${JSON.stringify(settings)}`)
}

console.log(`${describeMachine()}; ${COMPACTIONS} compactions in a row, seed ${SEED}`)
const rows: QualityRow[] = []
for (const one of gatherCases()) {
  printSize(one)
  const { name, constraints } = one
  const replay = (service: Service) => replaySession(one.entries, { ...one, service, steps: COMPACTIONS })
  rows.push({ name, constraints, summarizer: 'embedded', stages: await withEmbedded(replay) })
  rows.push({ name, constraints, summarizer: 'forgetful', stages: await withForgetful(one.forgetful, replay) })
}
console.log('')
for (const rule of FACT_RULES) console.log(`- ${rule}`)
console.log('')
printQuality(rows)
console.log('')
await compareInputs()
