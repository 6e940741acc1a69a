import t from 'tap'
import { ShortIds } from '../../src/recall/short-ids.ts'

const IDS = [
  ...['ebea9024-065a-402d-a297-6524973ce409', 'ebea9024-065b-402d-a297-6524973ce409'],
  ...['c12735d0-c6c2-44ec-91f5-f89ed30ca81b', 'e1', 'a long name of 25 letters', 'backup-1:e1'],
]

t.test('a long id is as short as no other id begins, and at least 8 characters long', async (t) => {
  const ids = new ShortIds(IDS)
  t.same(
    IDS.map((id) => ids.shorten(id)),
    [...['ebea9024-065a', 'ebea9024-065b', 'c12735d0', 'e1', 'a long name of 25 letters', 'backup-1:e1']],
  )
  for (const id of IDS.slice(0, 3)) t.same(ids.beginningWith(ids.shorten(id)), [id])
})

t.test('the ids that begin with a text are found, and none for a short text', async (t) => {
  const ids = new ShortIds(IDS)
  t.same(ids.beginningWith('ebea9024-065'), IDS.slice(0, 2))
  t.same(ids.beginningWith('ebea902'), [])
  t.same(ids.beginningWith('zzzzzzzzz'), [])
})
