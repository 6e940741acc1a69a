import type { Report } from '../schemas/compaction-reply.ts'
import { count, counted, percent } from '../text/numbers.ts'
import { summaryTokensOf } from './outcome.tsx'
import type { Compaction } from './use-compactions.ts'

/** The context before and after, as two bars on one scale. */
export function PictureView({ result }: { result: Compaction }) {
  const { reply, plan } = result
  const { tokensBefore = 0, tokensAfter = 0, tokensOutside = 0, report } = reply
  const { lastTokensOutside = tokensOutside, tokensOutsideAfter = lastTokensOutside } = reply
  const messages = tokensBefore - tokensOutside
  const before = messages + lastTokensOutside
  const after = tokensAfter + tokensOutsideAfter
  const whole = Math.max(before, after, 1)
  const outside = (tokens: number): BarPart[] =>
    tokens > 0 ? [{ name: 'beside the messages', region: 'outside', tokens }] : []
  const kept = { name: 'newest', region: 'kept', tokens: plan.tokensKept }
  const olderName = plan.hasPreviousSummary ? 'earlier summary and older entries' : 'older entries'
  const older = { name: olderName, region: 'summarized', tokens: messages - plan.tokensKept }
  return (
    <figure class="picture">
      <Bar name="Before" whole={whole} parts={[...outside(lastTokensOutside), older, kept]} />
      <Bar
        name="After"
        whole={whole}
        parts={[
          ...outside(tokensOutsideAfter),
          { name: 'summary', region: 'summary', tokens: summaryTokensOf(result) },
          kept,
        ]}
      />
      <figcaption>
        <strong>
          {before > after
            ? `${lastTokensOutside > 0 ? 'About ' : ''}${counted(before - after, 'token')} less (${percent(before - after, before)} %). `
            : 'This compaction saves nothing. '}
        </strong>
        {tokensOutsideAfter === lastTokensOutside
          ? ''
          : `The provider counts ${count(plan.keep.ratio)} tokens for each of ours: what it has beside the messages shrinks with them. `}
        {describeWriting(report)}
      </figcaption>
    </figure>
  )
}

/** Returns what wrote a summary, how long it took, and how many calls it made. */
export function describeWriting({ model, calls, durationMs, redactions, degraded, usage }: Report): string {
  const time = durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`
  const read =
    usage.inputTokens > 0 ? ` (${count(usage.inputTokens)} tokens read, ${count(usage.outputTokens)} written)` : ''
  const writer = model === 'embedded' ? 'the embedded summarizer' : model
  return [
    `Written by ${model === 'caller' ? 'you' : `${writer} in ${time}, with ${counted(calls, 'model call')}${read}`}.`,
    ...(redactions > 0 ? [`${counted(redactions, 'secret')} replaced.`] : []),
    ...(model === 'embedded' && !degraded ? ['Code picked its sentences.'] : []),
    ...(degraded ? ['The model failed, so code picked the sentences of this summary.'] : []),
  ].join(' ')
}

interface BarPart {
  name: string
  region: string
  tokens: number
}

/** One bar, with its parts as wide as their tokens. */
export function Bar({ name, parts, whole }: { name: string; parts: readonly BarPart[]; whole: number }) {
  const tokensOf = (some: readonly BarPart[]): number => some.reduce((sum, { tokens }) => sum + tokens, 0)
  const tokens = tokensOf(parts)
  const outside = tokensOf(parts.filter(({ region }) => region === 'outside'))
  return (
    <div class="bar-row">
      <p class="bar-name">
        <strong>{`${name}: ${outside > 0 ? 'about ' : ''}${counted(tokens, 'token')}`}</strong>
        {parts.map(({ name: part, region, tokens }) => (
          <span key={part}>
            <span class={`swatch region-${region}`} aria-hidden="true" />
            {`${part}: ${count(tokens)}`}
          </span>
        ))}
      </p>
      <div class="bar" aria-hidden="true">
        {parts.map(({ name: part, region, tokens }) => (
          <div key={part} class={`bar-part region-${region}`} style={{ width: `${(100 * tokens) / whole}%` }} />
        ))}
      </div>
    </div>
  )
}
