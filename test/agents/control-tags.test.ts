import t from 'tap'
import { CODEX_TAGS, CODEX_USER_TAGS } from '../../src/agents/apis/client-tags.ts'
import { neutralizeTags } from '../../src/agents/control-tags.ts'

t.test(
  'every tag that Codex writes in the role of the user is neutralized in a summary, and those that it may write later',
  (t) => {
    const names = CODEX_USER_TAGS.map((name) => name.replace(/\\w\{.*/, 'browser'))
    for (const name of [...names, 'apps_instructions', 'new_thing_context', 'some_notification', 'token_budget'])
      t.equal(neutralizeTags(`See <${name}> and </${name}>.`, CODEX_TAGS), `See &lt;${name}> and &lt;/${name}>.`)
    t.end()
  },
)

t.test('other tags and code stay as they are', (t) => {
  for (const text of ['Map<string>, <my_type>, <skills>, a < context', '<context>', '<external>', '<user_actions>'])
    t.equal(neutralizeTags(text, CODEX_TAGS), text)
  t.end()
})
