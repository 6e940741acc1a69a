import t from 'tap'
import { sessionsNamed, shownIds } from '../../src/cli/session-ids.ts'
import type { LocatedSession } from '../../src/cli/locate-sessions.ts'

const session = (id: string, path?: string): LocatedSession => ({
  ...{ agent: 'a', id, modifiedMs: 0, project: () => undefined },
  ...(path !== undefined && { path }),
})

const shownOf = (all: readonly LocatedSession[]): (string | undefined)[] => {
  const shown = shownIds(all)
  for (const one of all) {
    const name = shown.get(one) ?? ''
    if (name !== one.path) t.same(sessionsNamed(name, all), [one], `${name} finds its session`)
  }
  return all.map((one) => shown.get(one))
}

t.test('a shown id is as short as its session can be found by', async (t) => {
  t.same(shownOf([]), [])
  t.same(shownOf([session('0199c0de-aaaa')]), ['0199c0de'])
  t.same(shownOf([session('0199c0de-aaaa'), session('0199c0de-abbb')]), ['0199c0de-aa', '0199c0de-ab'])
  t.same(shownOf([session('s1', '/x/session-1.jsonl'), session('s2', '/x/session-2.jsonl')]), ['s1', 's2'])
  t.same(shownOf([session('abc'), session('abcdef'), session('abcdefghij')]), ['abc', 'abcdef', 'abcdefgh'])
})

t.test('the names of other files count: they can be given too', async (t) => {
  const file = session('session-2026-11-22T18-00', '/x/session-2026-11-22T18-00.jsonl')
  const other = session('5dc7a8aa-58f0', '/x/session-2026-11-22T19-00.jsonl')
  t.same(shownOf([file, other]), ['session-2026-11-22T18', '5dc7a8aa-58f0'])
})

t.test('a session whose id another one has is shown by its path', async (t) => {
  const [a, b] = [session('s1', '/x/s1.jsonl'), session('s1', '/y/s1.jsonl')]
  t.same(shownOf([a, b, session('0199c0de-aaaa')]), ['/x/s1.jsonl', '/y/s1.jsonl', '0199c0de'])
})

t.test('a whole id is found however short it is, a beginning needs four characters', async (t) => {
  const all = [session('s1'), session('s12345')]
  t.same(sessionsNamed('s1', all), [all[0]])
  t.same(sessionsNamed('s12', all), [])
  t.same(sessionsNamed('s123', all), [all[1]])
})
