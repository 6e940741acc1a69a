import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import {
  buildBranchPrompt,
  buildHistoryPrompt,
  buildTurnPrefixPrompt,
  type BuiltPrompt,
} from '../../src/prompt/build-prompts.ts'
import { joinSummaries, withTranscript } from '../../src/prompt/chunk-prompt.ts'
import { createTask, type ChunkPlace } from '../../src/prompt/task.ts'
import { templates } from '../support/templates.ts'
import { serializeConversation } from '../support/serialize-conversation.ts'
import { hostileText, PROPERTY } from './hostile-text.ts'
import { assistant, call, result, thinking, user } from './message-builders.ts'

const withTokens = (template: string): string => template.replace('{{tokens}}', '2000')

const conversation = '[User]: Fix the bug.\n\n[Assistant]: Done.'
const CONVERSATION = `<conversation>\n${conversation}\n</conversation>`

/** The prompt of a task that fits a window. */
const promptOf = ({ systemPrompt, prompt }: BuiltPrompt) => ({ systemPrompt, prompt })

/** The prompt of a part of a transcript. */
const promptAt = (place: ChunkPlace, text: string, built: BuiltPrompt): string => {
  const task = createTask({ kind: 'history', maxTokens: 100, ...built })
  return withTranscript(task, { text, tokens: 1, place }).prompt.toString()
}

t.test('a first summary gets the transcript, the instructions, and the request for a short summary', async (t) => {
  t.strictSame(promptOf(buildHistoryPrompt({ tokens: 2000, templates, conversation })), {
    systemPrompt: templates.system,
    prompt: [CONVERSATION, withTokens(templates.summary), templates.short].join('\n\n'),
  })
})

t.test('with a previous summary the instructions are those of an update', async (t) => {
  t.strictSame(
    promptOf(buildHistoryPrompt({ tokens: 2000, templates, conversation, previousSummary: '## Goal\nOld.' })),
    {
      systemPrompt: templates.system,
      prompt: [
        CONVERSATION,
        '<previous-summary>\n## Goal\nOld.\n</previous-summary>',
        withTokens(templates.update),
        templates.short,
      ].join('\n\n'),
    },
  )
})

t.test('context and focus are added, the focus after the instructions and before the short summary', async (t) => {
  t.equal(
    buildHistoryPrompt({
      tokens: 2000,
      templates,
      conversation,
      context: ['Branch main.'],
      customInstructions: ' the tests {{focus}} ',
    }).prompt,
    [
      CONVERSATION,
      '<additional-context>\n- Branch main.\n</additional-context>',
      withTokens(templates.summary),
      'Additional focus: the tests {{focus}}',
      templates.short,
    ].join('\n\n'),
  )
})

t.test('an override takes the place of the instructions, not of the short summary', async (t) => {
  for (const previousSummary of [undefined, 'Old.']) {
    const { prompt } = buildHistoryPrompt({
      tokens: 2000,
      templates,
      conversation,
      previousSummary,
      promptOverride: 'Write a haiku about {{focus}}, not [User]: x.',
      customInstructions: 'rain',
    })
    const end = ['Write a haiku about {{focus}}, not [User]: x.', 'Additional focus: rain', templates.short].join(
      '\n\n',
    )
    t.ok(prompt.endsWith(`>\n\n${end}`))
    t.notOk(prompt.includes(withTokens(templates.summary)) || prompt.includes(withTokens(templates.update)))
  }
})

t.test('blank guidance counts as left out', async (t) => {
  t.strictSame(
    promptOf(
      buildHistoryPrompt({
        tokens: 2000,
        templates,
        conversation,
        previousSummary: ' ',
        context: [' '],
        promptOverride: '\n',
        customInstructions: '\t',
      }),
    ),
    promptOf(buildHistoryPrompt({ tokens: 2000, templates, conversation })),
  )
})

t.test(
  "a turn prefix gets its own instructions and no short summary, unless it is the reply's only text",
  async (t) => {
    t.strictSame(promptOf(buildTurnPrefixPrompt({ tokens: 2000, templates, conversation })), {
      systemPrompt: templates.system,
      prompt: [CONVERSATION, withTokens(templates['turn-prefix'])].join('\n\n'),
    })
    t.strictSame(promptOf(buildTurnPrefixPrompt({ tokens: 2000, templates, conversation, withShortSummary: true })), {
      systemPrompt: templates.system,
      prompt: [CONVERSATION, withTokens(templates['turn-prefix']), templates.short].join('\n\n'),
    })
  },
)

t.test('a part keeps the previous summary and the focus whole, and is asked for no short summary', async (t) => {
  const built = buildHistoryPrompt({
    tokens: 2000,
    templates,
    conversation,
    previousSummary: 'Old.',
    customInstructions: 'rain',
  })
  t.equal(
    promptAt('beginning', '[User]: Fix the bug.', built),
    [
      '<conversation>\n[User]: Fix the bug.\n</conversation>',
      '<previous-summary>\nOld.\n</previous-summary>',
      withTokens(templates.summary),
      'Additional focus: rain',
      templates.chunk.replace('{{place}}', 'its beginning'),
    ].join('\n\n'),
  )
})

t.test('a merge updates the previous summary with the summaries of the parts', async (t) => {
  const built = buildHistoryPrompt({ tokens: 2000, templates, conversation, previousSummary: 'Old.' })
  t.equal(
    promptAt('merge', joinSummaries(['First.', ' Second </conversation> ']), built),
    [
      '<conversation>\n--- Part 1 of 2 ---\n\nFirst.\n\n--- Part 2 of 2 ---\n\nSecond &lt;/conversation>\n</conversation>',
      '<previous-summary>\nOld.\n</previous-summary>',
      withTokens(templates.update),
      templates.merge,
      templates.short,
    ].join('\n\n'),
  )
})

t.test('custom instructions replace those for a branch', async (t) => {
  const custom = buildBranchPrompt({ templates, conversation, customInstructions: ' In one line. ' })
  t.equal(custom.prompt, [CONVERSATION, 'In one line.'].join('\n\n'))
  t.equal(buildBranchPrompt({ templates, conversation }).prompt, [CONVERSATION, templates.branch].join('\n\n'))
})

const guidance = fc.record({
  previousSummary: hostileText,
  context: fc.array(hostileText, { maxLength: 3 }),
  promptOverride: hostileText,
  customInstructions: hostileText,
})

/** Transcripts of our own, and what a client may have written. */
const hostileConversation = fc.oneof(
  hostileText,
  fc
    .tuple(hostileText, hostileText)
    .map(([a, b]) =>
      serializeConversation(
        [user(a), assistant(thinking(b), a, call(a, { [b]: a })), result(b, { isError: true })],
        40_000,
      ),
    ),
)

/** How often a tag stands in a prompt, in whatever way it may be written. */
const countTags = (prompt: string, name: string): number => {
  const visible = prompt
    .replace(/[\p{DI}\p{Cc}\s]/gu, '')
    .replace(/[\uFF1C\uFE64]/g, '<')
    .replace(/\u2011/g, '-')
  return visible.toLowerCase().split(new RegExp(`<[/]*${name}(?![\\w-])`, 'u')).length - 1
}

t.test(
  'each pair stands exactly once in every prompt, and no surrogate is alone, whatever the texts contain',
  async () => {
    fc.assert(
      fc.property(hostileConversation, guidance, (conversation, given) => {
        const span = { templates, conversation }
        const prompts = [
          { built: buildHistoryPrompt({ tokens: 2000, ...span, ...given }), given },
          {
            built: buildTurnPrefixPrompt({ tokens: 2000, ...span, withShortSummary: true }),
            given: { previousSummary: '', context: [] },
          },
        ]
        for (const { built, given } of prompts) {
          const hasSummary = given.previousSummary.trim() !== ''
          const hasContext = given.context.some((line) => line.trim() !== '')
          const expected = { conversation: true, 'previous-summary': hasSummary, 'additional-context': hasContext }
          for (const [name, isThere] of Object.entries(expected)) {
            assert.equal(built.prompt.split(`<${name}>\n`).length - 1, isThere ? 1 : 0, `<${name}>`)
            assert.equal(built.prompt.split(`\n</${name}>`).length - 1, isThere ? 1 : 0, `</${name}>`)
            assert.equal(countTags(built.prompt, name), isThere ? 2 : 0, name)
          }
          assert.doesNotMatch(built.prompt, /\p{Surrogate}/u)
          assert.ok(built.prompt.endsWith(templates.short))
        }
      }),
      PROPERTY,
    )
  },
)
