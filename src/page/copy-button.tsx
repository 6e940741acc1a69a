import { useState } from 'preact/hooks'

/** Copies a text; nothing where a browser does not allow that: without TLS, but on the own machine. */
export function CopyButton({ text }: { text: string }) {
  const [copied, setCopied] = useState<string>()
  // Its type says that it is always there.
  const { clipboard } = navigator as { clipboard?: Clipboard }
  if (clipboard === undefined) return null
  return (
    <button
      type="button"
      onClick={() => {
        void clipboard.writeText(text).then(() => {
          setCopied(text)
        })
      }}
    >
      {copied === text ? 'Copied' : 'Copy the summary'}
    </button>
  )
}
