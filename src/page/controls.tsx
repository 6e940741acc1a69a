import type { ComponentChildren } from 'preact'
import type { PlanReply } from '../schemas/plan.ts'
import { contextOf, count, counted, describeContext, describeKept, percent } from '../text/numbers.ts'
import { REASONS } from '../text/reasons.ts'
import { Range, type Control } from './range.tsx'
import type { ServiceFacts } from './use-access.ts'
import { useIsWide } from './use-is-wide.ts'
import type { OpenedSession, SettingChanges } from './use-session.ts'

interface ControlsProps extends Pick<ServiceFacts, 'defaults'> {
  session: OpenedSession
  /** Whether they are shown: a result needs the room. A user can open and close them. */
  isOpen: boolean
  /** Whether a plan with the settings is being made. */
  isBusy: boolean
  onChange: (changes: SettingChanges, isFinal: boolean) => void
}

/** The session may name the window, as those of Codex do. */
const windowOf = ({ settings, plan: { contextWindow } }: OpenedSession): Control => ({
  name: 'contextWindow',
  label: 'Context window of the agent’s model, in tokens',
  ...(settings.contextWindow === undefined && contextWindow !== null && { fallback: contextWindow }),
  start: 200_000,
  ...{ min: 8000, max: 1_000_000, step: 1000 },
})

/** The default share depends on the window: in a small one, the room for an answer takes more of it. */
const thresholdOf = ({ plan: { thresholdTokens, contextWindow }, planned: { thresholdPercent } }: OpenedSession) => ({
  name: 'thresholdPercent' as const,
  label: 'Compact above this share, in percent',
  fallback: contextWindow && !thresholdPercent ? percent(thresholdTokens ?? 0, contextWindow) : 85,
  start: 85,
  ...{ min: 1, max: 99, step: 1 },
})

const budgetOf = ({ transcriptTokens }: ServiceFacts['defaults']): Control => ({
  name: 'transcriptTokens',
  label: 'Tokens that the summary is written from',
  ...(transcriptTokens !== undefined && { fallback: transcriptTokens }),
  ...{ unset: 'automatic', start: 40_000 },
  ...{ min: 1000, max: Math.max(200_000, transcriptTokens ?? 0), step: 1000 },
})

/** The default depends on the window, too: the plan has it. */
function keepOf({ plan: { tokensBefore, tokensOutside, keep }, settings }: OpenedSession): Control {
  const max = Math.max(tokensBefore - tokensOutside, keep.asked)
  return {
    name: 'keepRecentTokens',
    label: 'Newest tokens that stay word for word',
    ...(settings.keepRecentTokens === undefined && { fallback: keep.asked }),
    start: keep.asked,
    ...{ min: 0, max, step: stepOf(max) },
  }
}

/** The settings, each beside what it changes. */
export function Controls({ session, defaults, isOpen, isBusy, onChange }: ControlsProps) {
  const { settings, plan } = session
  const range = (control: Control) => (
    <Range key={control.name} {...{ control, onChange }} value={settings[control.name]} />
  )
  // On a phone, the settings would push the views off the screen.
  const isWide = useIsWide()
  return (
    <form class="controls" aria-label="Settings" onSubmit={(event) => event.preventDefault()}>
      <details open={isWide && isOpen}>
        <summary>Settings</summary>
        <div class="groups">
          <Group
            name="What is summarized"
            effect={isBusy ? PLANNING : readingOf(plan)}
            why={plan.firstKeptEntryId === null ? undefined : describeKept(plan.keep)}
          >
            {range(keepOf(session))}
            {range(budgetOf(defaults))}
          </Group>
          <Group name="When the agent should compact" effect={isBusy ? PLANNING : adviceOf(plan)}>
            {range(windowOf(session))}
            {range(thresholdOf(session))}
          </Group>
        </div>
      </details>
    </form>
  )
}

interface GroupProps {
  name: string
  /** What the settings lead to, and why. */
  effect: string
  why?: string | undefined
  children: ComponentChildren
}

function Group({ name, effect, why, children }: GroupProps) {
  return (
    <fieldset>
      <legend>{name}</legend>
      <div class="ranges">{children}</div>
      {why === undefined ? (
        <p class="hint">{effect}</p>
      ) : (
        <details class="hint">
          <summary>{effect}</summary>
          <p>{`Kept: ${why}`}</p>
        </details>
      )}
    </fieldset>
  )
}

/** Returns a step with which a range has some hundred places. */
const stepOf = (most: number): number => Math.max(10, 10 ** Math.floor(Math.log10(most / 100)))

const PLANNING = 'Planning with these settings …'

const readingOf = ({ firstKeptEntryId, promptTokens, keep: { kept } }: PlanReply): string =>
  firstKeptEntryId === null
    ? 'Nothing is summarized.'
    : `${counted(kept, 'token')} stay: the cut is between two messages. A model would read ${counted(promptTokens, 'token')} to write the summary.`

const ACTIONS: Readonly<Record<PlanReply['action'], string>> = {
  compact: 'Compact now',
  prepare: 'A summary can be prepared now',
  prune: 'Removing old tool outputs is enough',
  none: 'No need to compact yet',
}

function adviceOf(plan: PlanReply): string {
  const { action, reason, thresholdTokens } = plan
  return `${ACTIONS[action]}: ${REASONS[reason]} (the context has ${describeContext(contextOf(plan))}; the threshold is ${count(thresholdTokens ?? 0)}).`
}
