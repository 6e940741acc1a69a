import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkRequest, promptOf, report } from '../resume/check-request.ts'
import { opencodeEnvironment } from '../resume/client-environments.ts'
import { openTrial, type Trial } from '../resume/trial.ts'

/**
 * Tries the configuration of examples/agents/opencode.jsonc: `npx tsx scripts/remote-compaction/opencode.ts [VERSION]`.
 * opencode compacts after the requests 3 and 5, because the fake model counts too many tokens there. The next request to the
 * model must have one summary, and no older messages. The exit code is 1 if a check fails.
 */
const [, , version = '1.18.33'] = process.argv

/** More than the model of `configuration` takes. */
const TOO_MANY = 199_000

const { trial, fakeModel, close } = await openTrial({
  packages: [`opencode-ai@${version}`],
  configure(trial) {
    writeFileSync(join(trial.project, 'opencode.json'), JSON.stringify(configuration(trial)))
    return opencodeEnvironment(trial.home)
  },
})
const ask = (number: number): Promise<string> =>
  trial.run('opencode', 'run', '--auto', ...(number === 1 ? [] : ['--continue']), promptOf(number))

try {
  for (const number of [1, 2]) await ask(number)
  fakeModel.countNext(TOO_MANY)
  await ask(3)
  await ask(4)
  checkRequest(fakeModel, 4, { gone: ['request-1', 'request-2', 'request-3', 'answer-1', 'answer-2'], kept: [] })
  fakeModel.countNext(TOO_MANY)
  await ask(5)
  await ask(6)
  checkRequest(fakeModel, 6, { gone: ['request-1', 'request-3', 'request-4', 'request-5', 'answer-4'], kept: [] })
  const texts = fakeModel.requests.flatMap(({ texts }) => texts)
  report('the fake model was never asked for a summary', !texts.some((text) => text.includes('<conversation>')))
} finally {
  await close()
}

function configuration({ model, precis }: Pick<Trial, 'model' | 'precis'>): object {
  const npm = '@ai-sdk/openai-compatible'
  const limit = { context: 200_000, output: 8_000 }
  return {
    model: 'fake/fake',
    small_model: 'fake/fake',
    autoupdate: false,
    share: 'disabled',
    provider: {
      fake: {
        npm,
        options: { baseURL: `${model}/v1`, apiKey: 'none' },
        models: { fake: { name: 'Fake', tool_call: true, limit } },
      },
      precis: {
        npm,
        options: { baseURL: `${precis}/v1`, apiKey: 'none' },
        models: { precis: { limit: { context: 1_000_000, output: 16_384 } } },
      },
    },
    agent: { compaction: { model: 'precis/precis' } },
  }
}
