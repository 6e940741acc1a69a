import t from 'tap'
import { readMomentTime } from '../../src/recall/moment-time.ts'

const timesOf =
  (...times: (string | undefined)[]) =>
  () =>
    times.map((time) => (time === undefined ? time : Date.parse(time)))

t.test('a time of day is one of the only day of a session, in UTC', async (t) => {
  const day = timesOf('2026-03-24T00:01:00Z', undefined, '2026-03-24T23:59:00Z')
  t.equal(readMomentTime('14:30', day), Date.parse('2026-03-24T14:30:00Z'))
  t.equal(readMomentTime('8:05:30', day), Date.parse('2026-03-24T08:05:30Z'))
  t.ok(Number.isNaN(readMomentTime('25:00', day)))
})

t.test('a time of day needs its day if the session has several', async (t) => {
  t.equal(
    readMomentTime('9:30', timesOf('2026-03-25T10:00:00Z', '2026-03-24T10:00:00Z')),
    'must have its day, such as 2026-03-25T09:30Z: the session has entries of several days',
  )
})

t.test('a date, or a date with a time, needs nothing of the session', async (t) => {
  const none = () => t.fail('the times are not read')
  t.equal(readMomentTime('2026-03-24', none as never), Date.parse('2026-03-24'))
  t.equal(readMomentTime('2026-03-24 14:30', none as never), Date.parse('2026-03-24T14:30:00Z'))
  t.ok(Number.isNaN(readMomentTime('e12', none as never)))
  t.ok(Number.isNaN(readMomentTime('14:30', timesOf(undefined))), 'no entry has a time')
})
