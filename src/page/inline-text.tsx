import type { ComponentChildren } from 'preact'
import { readInline } from './markdown.ts'

interface InlineTextProps {
  text: string
  /** Returns what is shown of a part; without it, its text. */
  show?: (part: string, isCode: boolean) => ComponentChildren
}

/** A line of Markdown, with its code and its strong text. */
export function InlineText({ text, show = (part) => part }: InlineTextProps) {
  return (
    <>
      {readInline(text).map(({ kind, text: part }, index) => {
        const shown = show(part, kind === 'code')
        if (kind === 'code') return <code key={index}>{shown}</code>
        return kind === 'strong' ? <strong key={index}>{shown}</strong> : shown
      })}
    </>
  )
}
