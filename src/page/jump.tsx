import type { ComponentChildren } from 'preact'

interface JumpProps {
  /** A selector of what the link leads to. */
  to: string
  block?: ScrollLogicalPosition
  children: ComponentChildren
}

/** A link to another part of the page, which is opened if it is closed. */
export function Jump({ to, block = 'center', children }: JumpProps) {
  return (
    <a
      href="#"
      onClick={(event) => {
        event.preventDefault()
        const target = document.querySelector<HTMLElement>(to)
        const details = target?.closest('details')
        if (details) details.open = true
        target?.scrollIntoView({ block })
        target?.focus()
      }}
    >
      {children}
    </a>
  )
}
