import t from 'tap'
import { CallNotes } from '../../src/http/request-budget.ts'
import type { RequestFacts } from '../../src/http/request-facts.ts'
import type { CallFacts } from '../../src/model/summarizer.ts'

/** Notes calls (`model outcome`), and returns the facts of the log line and the end of the error at the deadline. */
function noteAll(calls: readonly (string | CallFacts)[]): { facts: RequestFacts; late: string } {
  const facts: RequestFacts = {}
  const notes = new CallNotes(facts)
  for (const call of calls) {
    const [model = '', outcome = '', status] = typeof call === 'string' ? call.split(' ') : []
    notes.note(typeof call === 'string' ? { model, outcome, ...(status && { status: Number(status) }) } : call)
  }
  return { facts, late: notes.describeUnanswered() }
}

t.test('calls that were not answered at the deadline are counted, and their models are named', async (t) => {
  t.same(noteAll(['a begun', 'a stalled', 'a begun']), {
    facts: { calls: 2, model: 'a', outcome: 'stalled,aborted' },
    late: ' a: the model server did not answer in time (2 of 2 calls).',
  })
  t.same(noteAll(['a begun']), {
    facts: { calls: 1, model: 'a', outcome: 'aborted' },
    late: ' a: the model server did not answer in time (1 of 1 call).',
  })
  t.same(noteAll(['a begun', 'a begun', 'a stalled', 'b begun', 'a stalled', 'b begun']), {
    facts: { calls: 4, model: 'a,b', outcome: 'stalled,aborted' },
    late: ' a, b: the model server did not answer in time (4 of 4 calls).',
  })
})

t.test('how failed calls ended stays until a call succeeds, with the status of the last one', async (t) => {
  t.same(noteAll(['a begun', 'a server-error 503', 'a begun']), {
    facts: { calls: 2, model: 'a', outcome: 'server-error,aborted', upstreamStatus: 503 },
    late: ' a: the model server did not answer in time (1 of 2 calls).',
  })
  t.same(noteAll(['a begun', 'a server-error 503', 'a begun', 'a empty']).facts, {
    ...{ calls: 2, model: 'a', outcome: 'server-error,empty' },
  })
  const { facts, late } = noteAll(['a begun', 'a server-error 503', 'a begun', 'a ok'])
  t.same([facts['outcome'], facts['upstreamStatus'], facts['calls'], late], [undefined, undefined, 2, ''])
  const other = noteAll(['a begun', 'a begun', 'a ok'])
  t.match(other.facts, { model: 'a', outcome: 'aborted' }, 'another part of the session is not ready')
})

t.test('a call of another request with equal work is not one of this request', async (t) => {
  t.same(noteAll([{ model: 'a', outcome: 'begun', isJoined: true }]), {
    facts: { model: 'a', outcome: 'aborted' },
    late: ' a: the model server did not answer in time (1 of 1 call).',
  })
  t.equal(noteAll(['a stalled']).facts['calls'], undefined, 'nor is one that had begun before')
})

t.test('the window that a server has shown is noted, and is no second end of its call', async (t) => {
  const learned = { model: 'a', outcome: 'too-long', learnedWindowTokens: 8000 }
  t.same(noteAll(['a begun', 'a begun', 'a too-long 400', learned]), {
    facts: { calls: 2, model: 'a', outcome: 'too-long,aborted', upstreamStatus: 400, learnedWindow: 8000 },
    late: ' a: the model server did not answer in time (1 of 2 calls).',
  })
})
