import t from 'tap'
import { isPlainLine } from '../../src/text/plain-line.ts'

/** What Unicode calls so, and formats that have no other sign of their own: interlinear annotations and hieroglyphs. */
const NOT_PLAIN = /[\p{Cc}\p{DI}\p{Bidi_Control}\u2028\u2029<\ufff9-\ufffb\u{13430}-\u{1343f}]/u

t.test(
  'a line is refused for each character that a reader does not see, and for no other letter or sign',
  async (t) => {
    const wrong: string[] = []
    for (let code = 0x20; code <= 0x10ffff; code++) {
      if (code >= 0xd800 && code <= 0xdfff) continue
      const character = String.fromCodePoint(code)
      if (isPlainLine(`a${character}b`) === NOT_PLAIN.test(character)) wrong.push(code.toString(16))
    }
    t.same(wrong, [])
  },
)
