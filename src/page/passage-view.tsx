import { Fragment } from 'preact'
import type { SessionEntry } from './strip-layout.ts'
import type { RecallPassage } from '../schemas/recall.ts'
import { count } from '../text/numbers.ts'
import type { TextRange } from './find-fact.ts'
import { excerptAround, rangesOf } from './find-passage.ts'
import { describeWhen, entryOf, namePassage } from './passage-words.ts'

interface PassageViewProps {
  passage: RecallPassage
  /** The query of the look-up. */
  query: string
  /** The entries of the session with their positions, by id. */
  places: ReadonlyMap<string, number>
  entries: readonly SessionEntry[]
  isSelected: boolean
  onShow: (entryId: string) => void
}

/** A passage of the session: around what was found, or as a whole if it is selected. */
export function PassageView({ passage, query, places, entries, isSelected, onShow }: PassageViewProps) {
  const entryId = entryOf(passage, query)
  const place = places.get(entryId)
  const region = entries[place ?? -1]?.region ?? 'ignored'
  const when = describeWhen(passage)
  return (
    <li
      class={`passage region-${region}`}
      aria-current={isSelected}
      onClick={() => {
        // A text that is being selected is about to be copied.
        if (getSelection()?.type !== 'Range') onShow(entryId)
      }}
    >
      <p class="passage-head">
        <button
          type="button"
          class="link"
          onClick={(event) => {
            event.stopPropagation()
            onShow(entryId)
          }}
        >
          {place === undefined ? 'Entry' : `Entry ${place + 1}`}
        </button>
        <strong>{namePassage(passage)}</strong>
        <span class="hint">{when}</span>
      </p>
      {passage.lead === undefined ? null : <p class="hint lead">{passage.lead}</p>}
      <PassageText passage={passage} query={query} isWhole={isSelected} />
      <Copies {...{ passage, places, onShow }} />
    </li>
  )
}

interface PassageTextProps {
  passage: RecallPassage
  query: string
  isWhole: boolean
}

function PassageText({ passage: { text, cutBefore, cutAfter }, query, isWhole }: PassageTextProps) {
  const marks = rangesOf(text, query)
  const { start, end } = isWhole ? { start: 0, end: text.length } : excerptAround(text, marks)
  const [before, after] = [cutBefore + start, cutAfter + text.length - end]
  return (
    <div class="passage-text">
      {before > 0 ? <CutNote characters={before} /> : null}
      <Marked {...{ text, marks, start, end }} />
      {after > 0 ? <CutNote characters={after} /> : null}
    </div>
  )
}

const CutNote = ({ characters }: { characters: number }) => (
  <span class="hint cut">{`… ${count(characters)} more ${characters === 1 ? 'character' : 'characters'} `}</span>
)

function Marked({ text, marks, start, end }: TextRange & { text: string; marks: readonly TextRange[] }) {
  const shown = marks.filter((mark) => mark.start >= start && mark.end <= end)
  return (
    <>
      {shown.map((mark, index) => (
        <Fragment key={mark.start}>
          {text.slice(shown[index - 1]?.end ?? start, mark.start)}
          <mark>{text.slice(mark.start, mark.end)}</mark>
        </Fragment>
      ))}
      {text.slice(shown.at(-1)?.end ?? start, end)}
    </>
  )
}

/** The entries that say nearly the same. */
function Copies({ passage: { copies = [] }, places, onShow }: Pick<PassageViewProps, 'passage' | 'places' | 'onShow'>) {
  const known = copies.flatMap((id) => {
    const place = places.get(id)
    return place === undefined ? [] : [{ id, place }]
  })
  if (copies.length === 0) return null
  return (
    <p class="hint copies">
      {`Nearly the same in ${copies.length === 1 ? 'another entry' : `${copies.length} other entries`}`}
      {known.length > 0 ? ': ' : '.'}
      {known.map(({ id, place }) => (
        <button
          key={id}
          type="button"
          class="link"
          aria-label={`Entry ${place + 1}`}
          onClick={(event) => {
            event.stopPropagation()
            onShow(id)
          }}
        >
          {place + 1}
        </button>
      ))}
    </p>
  )
}
