import { lastingDemandsIn } from '../../extract/demands.ts'
import { newestWordings } from '../../extract/newest-wordings.ts'
import type { PairedMessages, ToolRuns } from '../../extract/runs.ts'
import type { HistoryGuidance } from '../../prompt/build-prompts.ts'
import type { Assignment } from '../../prompt/build-tasks.ts'
import { requiredSections, type Templates } from '../../prompt/templates.ts'
import type { FileLists } from '../../session/entry.ts'
import { toolCallsOf, type Message, textsOf, type ToolCallBlock } from '../../session/message.ts'
import { HEADINGS, saysNothing } from '../../text/summary-headings.ts'
import { estimateMessageTokens, estimateTextTokens } from '../../tokens/estimate-tokens.ts'
import type { ReplacedTokens } from '../../plan/settings.ts'
import type { AskedSections } from '../asked-sections.ts'
import { cutRequest, USER_SHARE } from '../../extract/cut-request.ts'
import { findLatestRequest } from '../requests.ts'
import { EMPTY_SUMMARY, linesInSection, type Summary } from '../summary.ts'

/** The expectations for a summary. A field that is left out is not checked. */
export interface Expectations {
  sections?: ExpectedSections
  /** All texts that the summary may take facts from, in the order of the conversation. */
  sources?: readonly string[]
  /** The size of the replaced content, and the limit of the summary, in tokens. */
  size?: { replacedTokens: ReplacedTokens; limitTokens: number }
}

type IsMissing = (headings: readonly string[]) => boolean

/** The headings of a summary. Code adds those that are missing, except for those whose content only a model can write. */
export interface ExpectedSections extends AskedSections {
  /** Returns whether only a model can write what is missing. @param isMissing whether the summary has no heading of a group */
  needsModel?: (isMissing: IsMissing) => boolean
  /** The user's newest request, for a missing heading of the goal. */
  request?: string | undefined
}

/** The sources of expectations for a summary, besides the text that it summarizes. */
interface ExpectationSources {
  /** Those that the model was asked with. */
  templates: Templates
  /** All messages of the request: those that stay, and both parts of a split turn. */
  messages?: readonly Message[]
  /** The user's newest request before these messages. */
  earlierRequest?: string | undefined
  files?: FileLists | undefined
  previous?: Summary | undefined
}

/** Returns the expectations for one summary. A caller's own prompt sets its own form. */
export function expectationsOf(
  { kind, maxTokens, source }: Assignment,
  guidance: HistoryGuidance,
  { templates, messages: around = [], earlierRequest, files, previous }: ExpectationSources,
): Expectations {
  const { previousSummary = '', context = [], promptOverride = '', customInstructions = '' } = guidance
  const isOverridden = promptOverride.trim() !== ''
  const { messages, runs } = source.form === 'messages' ? source : NOTHING
  const paths = files === undefined ? [] : [...files.readFiles, ...files.modifiedFiles]
  const latest = findLatestRequest(messages, earlierRequest)
  const request = latest === undefined ? undefined : cutRequest(latest, Math.floor(maxTokens * USER_SHARE)).text
  const headings = isOverridden ? [] : requiredSections(kind, templates, previousSummary.trim() !== '')
  const rules = (source.form === 'messages' && source.work?.rules) || []
  const texts = [previousSummary, ...context, promptOverride, customInstructions, ...paths, ...rules]
  const replacedTokens = {
    messages: messages.reduce((sum, message) => sum + estimateMessageTokens(message), 0),
    previousSummary: estimateTextTokens(previousSummary),
  }
  return {
    sections: { headings, areOptional: false, request, needsModel: needsModelOf(messages, { previous, request }) },
    sources: [...texts, ...sourcesOf([...around, ...messages], runs)],
    size: { replacedTokens, limitTokens: maxTokens },
  }
}

const NOTHING: PairedMessages = { messages: [], runs: new Map() }

const PROGRESS = [HEADINGS.progress, HEADINGS.done, HEADINGS.inProgress, HEADINGS.earlyProgress]

/** Sections of a previous summary that lose facts if the next summary does not have them. */
const LASTING = [[HEADINGS.constraints], PROGRESS, [HEADINGS.decisions], [HEADINGS.context]]

/** Returns whether there is something to write below missing headings, from the messages or the previous summary: to look for it takes time. */
const needsModelOf =
  (
    messages: readonly Message[],
    { previous = EMPTY_SUMMARY, request }: { previous: Summary | undefined; request: string | undefined },
  ) =>
  (isMissing: IsMissing): boolean =>
    LASTING.some((group) => isMissing(group) && group.some((heading) => hasContent(previous, heading))) ||
    // Code can quote a request, but not say what an earlier goal was.
    (request === undefined && isMissing([HEADINGS.goal, HEADINGS.originalRequest])) ||
    (isMissing(PROGRESS) && messages.some((message) => toolCallsOf(message).length > 0)) ||
    (isMissing([HEADINGS.constraints]) && newestWordings(messages.flatMap(lastingDemandsIn)).length > 0)

const hasContent = (summary: Summary, heading: string): boolean =>
  linesInSection(summary, heading).some(
    (line) => /[\p{L}\p{N}]/u.test(line) && !line.startsWith('#') && !saysNothing(line),
  )

/** A longer command or argument is a text of its own. */
const MAX_JOINED_CHARACTERS = 4000

const CHANGES_FOLDER = /(?:^|[\s;&|(])cd\s+["']?([^\s;&|"')]{1,400})/g

/**
 * Returns the texts of messages. A call and its result are one text, after the last folder that a command changed to: an
 * output has names of files, and the call names their folder.
 */
function sourcesOf(messages: readonly Message[], runs: ToolRuns): string[] {
  const sources: string[] = []
  const calls = new Map<ToolCallBlock, string>()
  let folder = ''
  for (const message of new Set(messages)) {
    for (const call of toolCallsOf(message)) {
      folder = [...(runs.get(call)?.command ?? '').matchAll(CHANGES_FOLDER)].at(-1)?.[1] ?? folder
      calls.set(call, `${folder}/\n${textOfCall(call)}`)
    }
    const texts = message.role === 'bashExecution' ? [textsOf(message).join('\n')] : textsOf(message)
    const { call } = (message.role === 'toolResult' && runs.get(message)) || {}
    const before = call && calls.get(call)
    for (const text of before === undefined ? texts : [`${before}\n${texts.join('\n')}`]) sources.push(text)
  }
  return sources
}

const textOfCall = (call: ToolCallBlock): string =>
  textsOf({ role: 'assistant', content: [call] })
    .filter((text) => text.length <= MAX_JOINED_CHARACTERS)
    .join('\n')
