import { useMemo } from 'preact/hooks'
import { counted } from '../text/numbers.ts'
import { diffLines, type DiffLine } from '../text/diff-lines.ts'

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', added: '+', removed: '−' }
const WORDS: Readonly<Record<DiffLine['kind'], string>> = { same: '', added: 'Added: ', removed: 'Removed: ' }

/** The changes between two summaries, line by line. */
export function DiffView({ before, after }: { before: string; after: string }) {
  const lines = useMemo(() => diffLines(before, after).filter(({ text }) => text.trim() !== ''), [before, after])
  const [added, removed] = (['added', 'removed'] as const).map(
    (kind) => lines.filter((line) => line.kind === kind).length,
  )
  return (
    <details class="diff">
      <summary>
        {`Difference to the previous summary: ${counted(added ?? 0, 'line')} added, ${counted(removed ?? 0, 'line')} removed`}
      </summary>
      <ol class="diff-lines">
        {lines.map(({ kind, text }, index) => (
          <li key={index} class={`is-${kind}`}>
            <span aria-hidden="true">{SIGNS[kind]}</span>
            <span class="sr">{WORDS[kind]}</span>
            {text}
          </li>
        ))}
      </ol>
    </details>
  )
}
