import t from 'tap'
import { normalizeText } from '../../src/recall/query.ts'

t.test('characters that nobody sees within a word are left out, and places are those of the text', async (t) => {
  const text = 'say he\u200Bllo, soft\u00ADhyphen and \u0130stanbul'
  const normal = normalizeText(text)
  t.equal(normal.text, 'say hello, softhyphen and Istanbul')
  t.equal(normal.placeOf(normal.text.indexOf('llo')), text.indexOf('llo'))
  t.equal(normal.placeOf(normal.text.indexOf('hyphen')), text.indexOf('hyphen'))
  t.equal(normalizeText('\u0130stanbul').text, 'Istanbul')
  t.equal(normalizeText('I\u0307stanbul').text, 'Istanbul')
})
