import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { opencodeEnvironment } from './client-environments.ts'
import { tryReadme } from './try-readme.ts'
import { tryResume, type Client } from './try-resume.ts'

/** Tries a resume with opencode: `npx tsx scripts/resume/opencode.ts [VERSION [readme]]`. */
const [, , version = '1.18.33', way] = process.argv

const client: Client = {
  packages: [`opencode-ai@${version}`],

  configure({ home, project, model }) {
    writeFileSync(join(project, 'opencode.json'), JSON.stringify(configuration(model)))
    return opencodeEnvironment(home)
  },

  ask: ({ run }, prompt, isFirst) => run('opencode', 'run', '--auto', ...(isFirst ? [] : ['--continue']), prompt),

  async compact({ run }, query) {
    const sessions = JSON.parse(await run('opencode', 'session', 'list', '--format', 'json')) as { id: string }[]
    const curl = `curl -fsS "$PRECIS/compaction?${query}" --data-binary @session.json -o new.json`
    await run(
      'sh',
      '-c',
      `opencode export "$0" > session.json && ${curl} && opencode import new.json`,
      sessions[0]?.id ?? '',
    )
  },

  listed: {
    agent: 'opencode',
    answering: (command) => command.replace('opencode --session', 'opencode run --auto --session'),
  },
}

await (way === 'readme' ? tryReadme(client) : tryResume(client))

function configuration(model: string): object {
  const models = { fake: { name: 'Fake', tool_call: true, limit: { context: 200_000, output: 8_000 } } }
  const options = { baseURL: `${model}/v1`, apiKey: 'none' }
  return {
    model: 'fake/fake',
    small_model: 'fake/fake',
    autoupdate: false,
    share: 'disabled',
    provider: { fake: { npm: '@ai-sdk/openai-compatible', options, models } },
  }
}
