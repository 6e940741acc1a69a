import type { CompactionReply } from '../schemas/compaction-reply.ts'
import { count, counted, percent } from './numbers.ts'

interface PictureProps {
  reply: CompactionReply
  tokensKept: number
}

/** The context before and after, as two bars on one scale. */
export function Picture({ reply: { tokensBefore = 0, tokensAfter = 0, report }, tokensKept }: PictureProps) {
  const { model, calls, durationMs, redactions, degraded } = report
  const summaryTokens = Math.max(0, tokensAfter - tokensKept)
  const whole = Math.max(tokensBefore, tokensAfter, 1)
  const saved = tokensBefore - tokensAfter
  const time = durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`
  return (
    <figure class="picture">
      <Bar
        name="Before"
        whole={whole}
        parts={[
          { name: 'older messages', region: 'summarized', tokens: Math.max(0, tokensBefore - tokensKept) },
          { name: 'newest messages', region: 'kept', tokens: tokensKept },
        ]}
      />
      <Bar
        name="After"
        whole={whole}
        parts={[
          { name: 'summary', region: 'summary', tokens: summaryTokens },
          { name: 'newest messages', region: 'kept', tokens: tokensKept },
        ]}
      />
      <figcaption>
        {saved > 0
          ? `${counted(saved, 'token')} less (${percent(saved, tokensBefore)} %). `
          : 'This compaction saves nothing. '}
        {`Written by ${model === 'embedded' ? 'the embedded summarizer' : model} in ${time}, ${counted(calls, 'model call')}. `}
        {redactions > 0 ? `${counted(redactions, 'secret')} replaced. ` : ''}
        {degraded ? 'The model failed, so code extracted this summary.' : ''}
      </figcaption>
    </figure>
  )
}

interface BarPart {
  name: string
  region: string
  tokens: number
}

function Bar({ name, parts, whole }: { name: string; parts: readonly BarPart[]; whole: number }) {
  const total = parts.reduce((sum, { tokens }) => sum + tokens, 0)
  return (
    <div class="bar-row">
      <span class="bar-name">{`${name}: ${counted(total, 'token')}`}</span>
      <div class="bar">
        {parts.map((part) => (
          <div
            key={part.name}
            class={`bar-part region-${part.region}`}
            style={{ width: `${(100 * part.tokens) / whole}%` }}
          >
            <span>{`${part.name} ${count(part.tokens)}`}</span>
          </div>
        ))}
      </div>
    </div>
  )
}
