import { Bar } from './picture.tsx'

/** The tokens of the bars: numbers that are easy to compare. */
const [WHOLE, KEPT, SUMMARY] = [100_000, 20_000, 6000]

/** The explanation of a compaction for someone who has never seen one. */
export function Intro() {
  const kept = { name: 'newest entries, word for word', region: 'kept', tokens: KEPT }
  return (
    <section class="intro" aria-label="What a compaction is">
      <p>
        A coding agent sends its whole conversation to its model, again and again, until it no longer fits into the
        model’s context window. A <em>compaction</em> then replaces the older entries with a summary. What the summary
        does not say, the agent no longer knows.
      </p>
      <Bar
        name="For example, before"
        whole={WHOLE}
        parts={[{ name: 'older entries', region: 'summarized', tokens: WHOLE - KEPT }, kept]}
      />
      <Bar
        name="After a compaction"
        whole={WHOLE}
        parts={[{ name: 'summary', region: 'summary', tokens: SUMMARY }, kept]}
      />
      <ol class="steps">
        <li>
          <strong>Open</strong> a session: you see which entries are replaced, and which stay.
        </li>
        <li>
          <strong>Compact</strong> it: each path, command and quote of the summary leads to the entry where it stands.
        </li>
        <li>
          <strong>Correct</strong> the summary, compare it with another one, and save it for your agent.
        </li>
      </ol>
    </section>
  )
}
