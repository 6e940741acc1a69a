import t from 'tap'
import { readTime } from '../../src/text/read-time.ts'

t.test('a time without a time zone is in UTC, on every machine', async (t) => {
  const zone = process.env['TZ']
  t.teardown(() => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })
  process.env['TZ'] = 'America/New_York'
  const moment = Date.UTC(2026, 2, 24, 8, 5)
  for (const text of [
    ...['2026-03-24T08:05', '2026-03-24 08:05', '2026-03-24T08:05:00', '2026-03-24 08:05:00.000', '2026-03-24t08:05'],
    ...['2026-03-24T08:05:00.000000', '2026-03-24T08:05Z', '2026-03-24 08:05Z', '2026-03-24T09:05:00+01:00'],
    'Tue, 24 Mar 2026 04:05:00 EDT',
  ])
    t.equal(readTime(text), moment, text)
  t.equal(readTime('2026-03-24'), Date.UTC(2026, 2, 24))
})

t.test('a number is milliseconds, and anything else is no time', async (t) => {
  t.equal(readTime(5), 5)
  for (const value of ['yesterday', '', null, undefined, {}]) t.ok(Number.isNaN(readTime(value)))
})
