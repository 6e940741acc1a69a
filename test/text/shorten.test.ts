import t from 'tap'
import { replaceLoneSurrogates } from '../../src/text/shorten.ts'

t.test('surrogates without a partner become U+FFFD, pairs stay', async (t) => {
  t.equal(replaceLoneSurrogates('a\uD83Db\uDE00c\uD83D\uDE00d\uDE00\uD83D'), 'a\uFFFDb\uFFFDc\u{1F600}d\uFFFD\uFFFD')
})
