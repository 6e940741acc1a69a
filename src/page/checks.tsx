import { describeChecks, findChecks, type State } from './find-checks.ts'
import { summaryTokensOf } from './outcome.tsx'
import type { Compaction } from './use-compactions.ts'

export function ChecksView({ result }: { result: Compaction }) {
  const findings = findChecks(result.reply, summaryTokensOf(result))
  return (
    <section class="checks-section" aria-label="Checks">
      <h3>Checks</h3>
      <p>{`Code compared the summary with the session: ${describeChecks(findings)}. Code cannot say what is true.`}</p>
      <ul class="checks" aria-label="Checks">
        {findings.map(({ text, state }) => (
          <li key={text} class={`is-${state}`}>
            <span aria-hidden="true">{SIGNS[state][0]}</span>
            <span class="sr">{`${SIGNS[state][1]}: `}</span>
            {text}
          </li>
        ))}
      </ul>
    </section>
  )
}

const SIGNS: Readonly<Record<State, readonly [sign: string, name: string]>> = {
  fine: ['✓', 'Passed'],
  fault: ['⚠', 'Attention'],
  repaired: ['+', 'Added by code'],
  unchecked: ['–', 'Not checked'],
}
