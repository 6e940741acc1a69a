import { useMemo } from 'preact/hooks'
import { counted } from '../text/numbers.ts'
import { compareContents, type ComparedLine } from './compare-contents.ts'

interface DiffViewProps {
  /** What is compared, as the beginning of a sentence. */
  name: string
  before: string
  after: string
}

/** The changes between two versions of a summary, by what their lines say. Lines without a change are folded. */
export function DiffView({ name, before, after }: DiffViewProps) {
  const lines = useMemo(() => compareContents(before, after), [before, after])
  const parts = useMemo(() => groupLines(lines), [lines])
  return (
    <details class="diff">
      <summary>{`${name}: ${describeChanges(lines)}`}</summary>
      <ol class="diff-lines">
        {parts.map((part, index) =>
          Array.isArray(part) ? <Unchanged key={index} lines={part} /> : <LineView key={index} line={part} />,
        )}
      </ol>
    </details>
  )
}

function describeChanges(lines: readonly ComparedLine[]): string {
  const count = (kind: ComparedLine['kind']): number => lines.filter((line) => line.kind === kind).length
  const [added, changed, removed, moved] = [count('added'), count('changed'), count('removed'), count('moved')]
  const changes = [
    added > 0 ? counted(added, 'new line') : '',
    changed > 0 ? `${changed} changed` : '',
    removed > 0 ? `${removed} gone` : '',
  ].filter((one) => one !== '')
  const rest = `${counted(count('same') + moved, 'line')} unchanged${moved > 0 ? ` (${moved} in another place)` : ''}`
  return changes.length === 0 ? `both say the same, ${rest}` : `${changes.join(', ')}; ${rest}`
}

const isUnchanged = ({ kind }: ComparedLine): boolean => kind === 'same' || kind === 'moved'

/** Returns the lines with each run of unchanged ones as a list, but for a heading or a single line before a change. */
function groupLines(lines: readonly ComparedLine[]): (ComparedLine | ComparedLine[])[] {
  const parts: (ComparedLine | ComparedLine[])[] = []
  let run: ComparedLine[] = []
  const close = (isEnd: boolean): void => {
    const last = run.at(-1)
    const isShown = last !== undefined && !isEnd && (run.length === 1 || isHeading(last))
    if (isShown) run.pop()
    if (run.length > 0) parts.push(run)
    if (isShown) parts.push(last)
    run = []
  }
  for (const line of lines) {
    if (isUnchanged(line)) run.push(line)
    else {
      close(false)
      parts.push(line)
    }
  }
  close(true)
  return parts
}

const isHeading = (line: ComparedLine): boolean => line.kind !== 'changed' && line.text.startsWith('#')

function Unchanged({ lines }: { lines: readonly ComparedLine[] }) {
  return (
    <li>
      <details>
        <summary class="hint">{`${counted(lines.length, 'line')} unchanged`}</summary>
        <ol class="diff-lines">
          {lines.map((line, index) => (
            <LineView key={index} line={line} />
          ))}
        </ol>
      </details>
    </li>
  )
}

const SIGNS: Readonly<Record<ComparedLine['kind'], readonly [sign: string, word: string]>> = {
  same: ['', ''],
  moved: ['↕', 'In another place: '],
  added: ['+', 'New: '],
  removed: ['−', 'Gone: '],
  changed: ['~', 'Changed: '],
}

function LineView({ line }: { line: ComparedLine }) {
  const [sign, word] = SIGNS[line.kind]
  return (
    <li class={`is-${line.kind}`}>
      <span class="diff-sign" aria-hidden="true">
        {sign}
      </span>
      <span class="sr">{word}</span>
      <span>
        {line.kind === 'changed'
          ? line.words.map(({ kind, item }, index) => <WordsView key={index} {...{ kind, item }} />)
          : line.text}
      </span>
    </li>
  )
}

function WordsView({ kind, item }: { kind: 'same' | 'added' | 'removed'; item: string }) {
  if (kind === 'added') return <ins class="is-added">{item}</ins>
  return kind === 'removed' ? <del class="is-removed">{item}</del> : <>{item}</>
}
