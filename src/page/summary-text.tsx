import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import type { CompactionReply } from '../schemas/compaction-reply.ts'
import type { Fact } from '../schemas/provenance.ts'
import { FactView } from './fact-view.tsx'
import { InlineText } from './inline-text.tsx'
import { Jump } from './jump.tsx'
import { readMarkdown, type MarkdownBlock } from './markdown.ts'
import { splitterOf, type FactPart, type SplitFacts } from './split-facts.ts'

interface SummaryTextProps {
  written: Pick<CompactionReply, 'summary' | 'provenance'>
  onFact: (fact: Fact) => void
  /** Facts that only this one of two results has. */
  own?: ReadonlySet<string> | undefined
  /** Whether links lead to the sections: only one summary of the page can have them. */
  hasContents?: boolean
}

interface FactContext extends Pick<SummaryTextProps, 'onFact' | 'own'> {
  split: SplitFacts
}

/** A summary, with each fact as a link to the entries where it is. */
export function SummaryText({ written: { summary, provenance }, onFact, own, hasContents = false }: SummaryTextProps) {
  const blocks = useMemo(() => readMarkdown(summary), [summary])
  const split = useMemo(() => splitterOf(provenance?.facts ?? []), [provenance])
  const context = { split, onFact, own }
  return (
    <div class="summary-text">
      {hasContents ? <Contents blocks={blocks} /> : null}
      {blocks.map((block, index) => (
        <div key={index} {...(hasContents && { id: `part-${index}` })} class="block">
          <BlockView block={block} context={context} />
        </div>
      ))}
    </div>
  )
}

interface SummaryColumnProps extends SummaryTextProps {
  name: string
  /** What is said of it, above its text. */
  children: ComponentChildren
}

/** One of two summaries that stand side by side. */
export const SummaryColumn = ({ name, children, ...text }: SummaryColumnProps) => (
  <section aria-label={name}>
    <h3>{name}</h3>
    {children}
    <SummaryText {...text} />
  </section>
)

/** Links to the sections. */
function Contents({ blocks }: { blocks: readonly MarkdownBlock[] }) {
  return (
    <nav class="contents" aria-label="Sections of the summary">
      {blocks.map((block, index) =>
        block.kind === 'heading' && block.level < 3 ? (
          <Jump key={index} to={`#part-${index}`} block="start">
            {block.text}
          </Jump>
        ) : null,
      )}
    </nav>
  )
}

function BlockView({ block, context }: { block: MarkdownBlock; context: FactContext }) {
  switch (block.kind) {
    case 'heading':
      return block.level < 3 ? <h4>{block.text}</h4> : <h5>{block.text}</h5>
    case 'rule':
      return <hr />
    case 'code':
      return (
        <pre tabIndex={0}>
          <Parts parts={context.split(block.text, true)} context={context} />
        </pre>
      )
    case 'quote':
      return (
        <blockquote>
          <Inlines text={block.text} context={context} />
        </blockquote>
      )
    case 'paragraph':
      return (
        <p>
          <Inlines text={block.text} context={context} />
        </p>
      )
    case 'files':
      return <FileList {...block} context={context} />
    case 'list': {
      const items = block.items.map((item, index) => (
        <li key={index}>
          {item.map((one, part) => (
            <BlockView key={part} block={one} context={context} />
          ))}
        </li>
      ))
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>
    }
  }
}

function FileList({ name, paths, context }: { name: string; paths: readonly string[]; context: FactContext }) {
  return (
    <details>
      <summary>{`${name === 'read-files' ? 'Files that were read' : 'Files that were changed'}: ${paths.length}`}</summary>
      <ul>
        {paths.map((path) => (
          <li key={path}>
            <Parts parts={context.split(path, true)} context={context} />
          </li>
        ))}
      </ul>
    </details>
  )
}

const Inlines = ({ text, context }: { text: string; context: FactContext }) => (
  <InlineText text={text} show={(part, isCode) => <Parts parts={context.split(part, isCode)} context={context} />} />
)

function Parts({ parts, context }: { parts: readonly FactPart[]; context: FactContext }) {
  return (
    <>
      {parts.map(({ text, fact }, index) =>
        fact === undefined ? text : <FactView key={index} fact={fact} onFact={context.onFact} own={context.own} />,
      )}
    </>
  )
}
