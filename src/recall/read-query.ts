import { Problem } from '../errors.ts'
import { parseQuery, type SearchQuery } from './query.ts'

/** Reads the query of a look-up; an empty one asks for no words. @throws Problem `invalid-request` for one that has only punctuation */
export function readQuery(query: string): SearchQuery {
  const parsed = parseQuery(query)
  if (query.trim() === '' || parsed.terms.length + parsed.phrases.length > 0) return parsed
  throw new Problem('invalid-request', 'The query has no words.', {
    faults: [{ pointer: '/query', detail: 'must have a word; signs can be looked up in double quotes' }],
  })
}
