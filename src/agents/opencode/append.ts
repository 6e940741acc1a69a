import { fieldsOf, isObject, type SourceElement } from '../../session/entry.ts'
import {
  addAtEnd,
  cannotWriteBack,
  copyTexts,
  type DocumentEnd,
  type FinishedCompaction,
  type SessionAppender,
  type PostedSession,
} from '../appender.ts'
import { emptyDocument, readElement, splitAtEnd } from '../shared/elements.ts'

interface OpencodeMaterial {
  end: DocumentEnd
  /** The first message that stays. */
  tailStartId: string
  /** The newest message. */
  lastId: string
  sessionID: string
  user: { agent?: string; model: { providerID?: string; modelID?: string } }
  assistant: { modelID?: string; providerID?: string; path: { cwd?: string; root?: string } }
}

/**
 * Writes a compaction as opencode does: a message of the user that asks for it, and the summary as the answer (1.18.33). The
 * whole export is returned, for `opencode import`.
 */
export const opencodeAppender: SessionAppender<OpencodeMaterial> = {
  prepare(session) {
    // Messages after the branch would follow the compaction.
    if (session.isLines || !session.isWhole) return undefined
    return readExport(session)
  },

  write: (material, compacted) =>
    addAtEnd(
      material.end,
      newMessages(material, compacted).map((message) => JSON.stringify(message)),
    ),
}

/** @throws Problem `no-native-form` if opencode would not find the first kept message, or delete the compaction */
function readExport(session: PostedSession): OpencodeMaterial | undefined {
  const { body, places, kept } = session
  const { revert } = fieldsOf(emptyDocument(session)['info'])
  if (typeof fieldsOf(revert)['messageID'] === 'string') throw cannotWriteBack(PENDING_UNDO)
  const infoOf = (element: SourceElement | undefined) =>
    element && fieldsOf(readElement(body, element, ['info'])['info'])
  const [user, assistant] = (['user', 'assistant'] as const).map((role) =>
    infoOf(places.findLast(({ kind }) => kind === role)),
  )
  const end = splitAtEnd(session)
  const { sessionID } = copyTexts(infoOf(places.at(-1)) ?? {}, ['sessionID'])
  if (user === undefined || assistant === undefined || end === undefined) return undefined
  const ids = places.map(({ id }) => id)
  const { index } = kept[0]
  const tailStartId = ids[index]
  if (typeof tailStartId !== 'string' || ids.indexOf(tailStartId) !== index) throw cannotWriteBack(withoutOwnId(index))
  if (sessionID === undefined) return undefined
  const lastId = ids.map(String).reduce((newest, id) => (HAS_TIME.test(id) && id > newest ? id : newest), '')
  return {
    ...{ end, tailStartId, lastId, sessionID },
    user: { ...copyTexts(user, ['agent']), model: copyTexts(fieldsOf(user['model']), ['providerID', 'modelID']) },
    assistant: {
      ...copyTexts(assistant, ['modelID', 'providerID']),
      path: copyTexts(isObject(assistant['path']) ? assistant['path'] : {}, ['cwd', 'root']),
    },
  }
}

const PENDING_UNDO =
  'Messages were taken back with `/undo` (`info.revert`), and at the next prompt opencode deletes them and all after them, the ' +
  'compaction too. Run `/redo` in opencode, or write the next prompt first, and export the session again.'

const withoutOwnId = (index: number): string =>
  `Message ${index + 1}, the first one that is kept, has no \`info.id\` of its own, by which opencode finds it. ` +
  'Export the session again with `opencode export`, or ask for `reply=text`.'

function newMessages(
  { tailStartId, lastId, sessionID, user, assistant }: OpencodeMaterial,
  { summary, at, uuid }: FinishedCompaction,
): object[] {
  const idOf = (prefix: Prefix, name: string, count: number): string =>
    opencodeId(prefix, { atMs: at, count, lastId, random: uuid(name) })
  const [askId, answerId] = [idOf('msg', 'ask', 1), idOf('msg', 'answer', 3)]
  const part = (messageID: string, number: number) => ({
    id: idOf('prt', `part${number}`, number + 1),
    sessionID,
    messageID,
  })
  const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }
  return [
    {
      info: { id: askId, sessionID, role: 'user', time: { created: at }, ...user, summary: { diffs: [] } },
      parts: [{ type: 'compaction', auto: false, tail_start_id: tailStartId, ...part(askId, 1) }],
    },
    {
      info: {
        ...{ id: answerId, sessionID, role: 'assistant', parentID: askId, mode: 'compaction', agent: 'compaction' },
        ...{ summary: true, ...assistant, cost: 0, tokens, time: { created: at, completed: at }, finish: 'stop' },
      },
      parts: [{ type: 'text', text: summary, time: { start: at, end: at }, ...part(answerId, 3) }],
    },
  ]
}

/** Ids of opencode, which sort by time. */
const HAS_TIME = /^[a-z]{3}_[0-9a-f]{12}/

type Prefix = 'ses' | 'msg' | 'prt'

interface IdParts {
  atMs: number
  /** The number of the id among those of the same time. */
  count: number
  /** An id that the new one must follow. */
  lastId?: string
  /** At least 14 hexadecimal digits, with or without hyphens. */
  random: string
}

/**
 * Returns an id as opencode makes it (1.18.33): ids sort by time. After the prefix, it has twelve hexadecimal digits of the
 * time and a counter, and fourteen characters at random.
 */
export function opencodeId(prefix: Prefix, { atMs, count, lastId = '', random }: IdParts): string {
  const last = BigInt(`0x${/^[a-z]{3}_([0-9a-f]{12})/.exec(lastId)?.[1] ?? '0'}`)
  const now = BigInt.asUintN(48, BigInt(atMs) * 0x1000n)
  const time = (now > last ? now : last) + BigInt(count)
  return `${prefix}_${time.toString(16).padStart(12, '0')}${random.replaceAll('-', '').slice(0, 14)}`
}
