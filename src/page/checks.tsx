import type { Checks, CompactionReply } from '../schemas/compaction-reply.ts'
import { count, counted } from './numbers.ts'

/** One finding: `isFault` needs a reader's attention. */
interface Finding {
  text: string
  isFault: boolean
}

/** What code found when it checked the summary. */
export function ChecksView({ reply: { report } }: { reply: CompactionReply }) {
  const findings = report.checks === undefined ? [] : findingsOf(report.checks)
  const faults = findings.filter(({ isFault }) => isFault).length
  return (
    <section class="checks-section" aria-label="Checks">
      <h3>Checks</h3>
      <p>
        {faults === 0
          ? `Code compared the summary with the session: all ${counted(findings.length, 'check')} passed.`
          : `Code compared the summary with the session: ${faults} of ${counted(findings.length, 'check')} ${faults === 1 ? 'needs' : 'need'} your attention.`}
      </p>
      <FindingList findings={findings} />
    </section>
  )
}

function FindingList({ findings }: { findings: readonly Finding[] }) {
  return (
    <ul class="checks" aria-label="Checks">
      {findings.map(({ text, isFault }) => (
        <li key={text} class={isFault ? 'is-fault' : 'is-fine'}>
          <span aria-hidden="true">{isFault ? '⚠' : '✓'}</span>
          <span class="sr">{isFault ? 'Attention: ' : 'Passed: '}</span>
          {text}
        </li>
      ))}
    </ul>
  )
}

function findingsOf(checks: Checks): Finding[] {
  const { sections, grounding, language, size, injection, constraints, evidence, latestRequest } = checks
  return [
    ...(sections === undefined ? [] : [listed(sections.missing, 'No section is missing', 'Missing sections')]),
    ...(grounding === undefined
      ? []
      : [
          listed(
            grounding.unknown,
            `${count(grounding.checked)} paths, errors and numbers were looked up: all are in the session`,
            'Not in the session',
          ),
        ]),
    ...(injection === undefined
      ? []
      : [
          listed(injection.obeyed, 'No instruction of a tool output was followed', 'Texts that a tool output demanded'),
        ]),
    ...(language === undefined ? [] : [languageOf(language)]),
    ...(size === undefined ? [] : [sizeOf(size)]),
    ...(latestRequest === undefined
      ? []
      : [{ text: REQUESTS[latestRequest], isFault: latestRequest === 'cut' || latestRequest === 'missing' }]),
    ...(constraints === undefined ? [] : [{ text: constraintsOf(constraints.restored), isFault: false }]),
    ...(evidence === undefined ? [] : [{ text: evidenceOf(evidence.tokens), isFault: false }]),
  ]
}

const listed = (faults: readonly string[], fine: string, wrong: string): Finding =>
  faults.length === 0 ? { text: fine, isFault: false } : { text: `${wrong}: ${faults.join(', ')}`, isFault: true }

function languageOf({ expected, found }: NonNullable<Checks['language']>): Finding {
  const isFault = expected !== null && found !== null && expected !== found
  return {
    text: isFault
      ? `Wrong language: ${found} instead of ${expected}`
      : found === null
        ? 'Language: not recognized, so not compared'
        : `Language: ${found}`,
    isFault,
  }
}

const constraintsOf = (restored: number): string =>
  restored === 0
    ? 'The lasting demands of the user are there'
    : `${counted(restored, 'lasting demand')} of the user ${restored === 1 ? 'was' : 'were'} missing: code added ${restored === 1 ? 'it' : 'them'}`

const evidenceOf = (tokens: number): string =>
  tokens === 0
    ? 'No failed commands and no commits'
    : `Code added the failed commands and the commits: ${counted(tokens, 'token')}`

const sizeOf = ({ tokens, limitTokens }: NonNullable<Checks['size']>): Finding => ({
  text: `The text has ${count(tokens)} of at most ${counted(limitTokens, 'token')}`,
  isFault: tokens > limitTokens,
})

const REQUESTS: Readonly<Record<NonNullable<Checks['latestRequest']>, string>> = {
  kept: 'The newest request is there word for word',
  restored: 'Code added the newest request word for word',
  cut: 'The newest request is longer than its share and was cut',
  missing: 'The newest request is not there word for word',
}
