import t from 'tap'
import { divideClientPrompt } from '../../src/prompt/divide-client-prompt.ts'
import { joinSummaries } from '../../src/prompt/divide-prompt.ts'
import { loadTemplates } from '../../src/prompt/load-templates.ts'

const templates = loadTemplates(new URL('../../prompts/', import.meta.url))
const PROMPT =
  'Note.\n<conversation>\nOne.\n\nTwo.\n</conversation>\n\n<previous-summary>\nOld.\n</previous-summary>\n\nDo.'

t.test('what a client wrote around the transcript is whole in every part, with a remark at the end', async (t) => {
  const division = divideClientPrompt(PROMPT, templates)
  t.equal(division?.conversation, '\nOne.\n\nTwo.\n')
  t.equal(
    division?.part('Two.\n', { isFirst: false, isLast: true }),
    `Note.\n<conversation>\nTwo.\n</conversation>\n\n<previous-summary>\nOld.\n</previous-summary>\n\nDo.\n\n${templates.part.replace('{{place}}', 'its end')}`,
  )
  t.equal(
    division?.merge(joinSummaries(['A', 'B'])),
    `Note.\n<conversation>\n--- Part 1 of 2 ---\n\nA\n\n--- Part 2 of 2 ---\n\nB\n</conversation>\n\n<previous-summary>\nOld.\n</previous-summary>\n\nDo.\n\n${templates.merge}`,
  )
})

t.test('a prompt without conversation tags cannot be told in parts', async (t) => {
  t.equal(divideClientPrompt('Summarize this: ...', templates), undefined)
})
