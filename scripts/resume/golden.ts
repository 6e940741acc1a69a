import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { configureClaudeCode } from './client-environments.ts'
import { promptOf, report } from './check-request.ts'
import { CODEX_FLAGS, configureCodex } from './codex-client.ts'
import { hasTools, newestRequest } from './fake-model.ts'
import { openTrial, type RealClient, type Trial } from './trial.ts'

/**
 * Resumes the reviewed sessions of test/fixtures/write-back/, after the reviewed compaction, with the real clients:
 * `npx tsx scripts/resume/golden.ts [claude-code|codex|qwen]`. It checks that the model gets the summary and the kept turn.
 */
const FIXTURES = new URL('../../test/fixtures/write-back/', import.meta.url)
/** Those of the fixtures; Codex takes no other names than ids like this one. */
const IDS = {
  'claude-code': '11111111-1111-4111-8111-111111111111',
  codex: '0199c0de-0000-7000-8000-000000000001',
  qwen: '33333333-3333-4333-8333-333333333333',
}

interface Reader extends RealClient {
  /** Where the client looks for a session. */
  place: (trial: Trial) => string
  ask: (trial: Trial, prompt: string) => Promise<unknown>
}

const slugOf = (path: string): string => path.replace(/[^a-zA-Z0-9]/g, '-')

const READERS: Readonly<Record<string, Reader>> = {
  'claude-code': {
    packages: ['@anthropic-ai/claude-code@2.1.330', 'node@22.23.3'],
    configure: configureClaudeCode,
    place: ({ home, project }) => join(home, '.claude', 'projects', slugOf(project), `${IDS['claude-code']}.jsonl`),
    ask: ({ run }, prompt) => run('claude', '--resume', IDS['claude-code'], '--print', prompt),
  },
  codex: {
    packages: ['@openai/codex@0.169.0'],
    configure({ home, model }) {
      configureCodex(home, { url: model })
      return {}
    },
    place: ({ home }) => join(home, '.codex/sessions/2026/11/21', `rollout-2026-11-21T18-00-00-${IDS.codex}.jsonl`),
    ask: ({ run }, prompt) => run('codex', 'exec', 'resume', IDS.codex, ...CODEX_FLAGS, prompt),
  },
  qwen: {
    packages: ['@qwen-code/qwen-code@0.24.4', 'node@22.23.3'],
    configure({ home, model }) {
      mkdirSync(join(home, '.qwen'))
      const settings = {
        ...{ security: { auth: { selectedType: 'openai' } }, privacy: { usageStatisticsEnabled: false } },
        ...{ telemetry: { enabled: false }, general: { disableAutoUpdate: true, enableAutoUpdate: false } },
      }
      writeFileSync(join(home, '.qwen', 'settings.json'), JSON.stringify(settings))
      return { OPENAI_BASE_URL: `${model}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'fake' }
    },
    place: ({ home, project }) => join(home, '.qwen', 'projects', slugOf(project), 'chats', `${IDS.qwen}.jsonl`),
    ask: ({ run }, prompt) =>
      run('qwen', '--auth-type', 'openai', '--model', 'fake', '--yolo', '--resume', IDS.qwen, '--prompt', prompt),
  },
}

async function resume(name: string, reader: Reader): Promise<void> {
  const { trial, fakeModel, close } = await openTrial(reader)
  try {
    const [input, appended] = ['input.jsonl', 'turn.append.jsonl'].map((file) =>
      readFileSync(new URL(`${name}/${file}`, FIXTURES), 'utf8'),
    )
    const place = reader.place(trial)
    mkdirSync(dirname(place), { recursive: true })
    const session = `${input}${appended}`
      .replaceAll('"s1"', `"${IDS.codex}"`)
      .replaceAll('"model_provider":"openai"', '"model_provider":"trial"')
      .replaceAll('/home/user/calc', trial.project)
    writeFileSync(place, session)
    await reader.ask(trial, promptOf(1))
    const request = fakeModel.requests.find((one) => hasTools(one) && newestRequest(one.texts) === 1)
    const text = request?.texts.join('\n') ?? ''
    for (const kept of ['Never delete <b>files</b>', 'Now write the docs', 'The docs are written'])
      report(`${name} sends "${kept}"`, text.includes(kept))
    for (const gone of ['OLD SUMMARY', 'Fix the parser', 'lexer badly', 'Search the folder'])
      report(`${name} does not send "${gone}"`, request !== undefined && !text.includes(gone))
  } finally {
    await close()
  }
}

for (const [name, reader] of Object.entries(READERS)) if ((process.argv[2] ?? name) === name) await resume(name, reader)
