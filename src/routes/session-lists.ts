import type { SessionLists } from '../ingest/json-reader.ts'

/** For routes that plan over the active branch. */
export const PLANNED_SESSION: SessionLists = { names: ['entries', 'messages'], keep: 'considered' }

/** For routes that hand entries or messages back. */
export const WHOLE_SESSION: SessionLists = { names: ['entries', 'messages'], keep: 'whole' }

/** For the route that compares branches: what an earlier compaction covers may be on the one that is left. */
export const TREE_OF_ENTRIES: SessionLists = { names: ['entries'], keep: 'shown' }
