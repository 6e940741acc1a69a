import t from 'tap'
import { fillTemplate } from '../../src/prompt/fill-template.ts'

t.test('every placeholder is replaced, also one that stands twice', async (t) => {
  t.equal(fillTemplate('{{a}} and {{b}} and {{a}}', { a: '1', b: '2' }), '1 and 2 and 1')
})

t.test('a value is never expanded again', async (t) => {
  t.equal(fillTemplate('{{a}}{{b}}', { a: '{{b}}', b: '{{a}}' }), '{{b}}{{a}}')
})

t.test("a value's dollar signs stay as they are", async (t) => {
  t.equal(fillTemplate('<{{a}}>', { a: "$& $1 $$ $'" }), "<$& $1 $$ $'>")
})

t.test('a placeholder without a value is an error that names it', async (t) => {
  t.throws(() => fillTemplate('{{a}} {{toString}}', { a: '1' }), new Error('No value was given for {{toString}}'))
})
