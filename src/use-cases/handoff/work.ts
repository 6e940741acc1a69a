import { collectFiles } from '../../extract/collect-files.ts'
import { pairMessages, type PairedMessages } from '../../extract/runs.ts'
import { readingOf, readRequest, type ReadRequest } from '../../ingest/read-request.ts'
import { findFileLists, findRegion, messagesWithoutList } from '../../plan/region.ts'
import { redactFiles, startRedaction } from '../../redact/redaction.ts'
import { HANDOFF_FORMS, type HandoffReply, type HandoffRequest } from '../../schemas/handoff.ts'
import type { Entry, FileLists } from '../../session/entry.ts'
import { selectBranch } from '../../session/link-session.ts'
import { explainNoMessages, hintAtIgnored, nothingToCompact } from '../shared/nothing-to-compact.ts'
import type { Pipeline } from '../shared/pipeline.ts'
import { prepareSummary } from '../shared/prepare-summary.ts'
import { describeReplaced } from '../shared/replaced-part.ts'
import { finishSummary, guidanceTexts, type SummaryMaterial } from '../shared/summary-material.ts'
import { summaryWork } from '../shared/summary-work.ts'

const EMPTY_BRANCH =
  'The branch of the session has no messages and no previous summary, so there is nothing to hand off. Name another leaf.'

/** `POST /handoff`: writes the document with which a new session can continue without the old one. */
const writeHandoff: Pipeline<ReadRequest<HandoffRequest>, SummaryMaterial> = {
  /** @throws Problem `invalid-session`, `nothing-to-compact` for a session without messages */
  prepare(read, context) {
    const { fields: request, session, ignored } = read
    const branch = selectBranch(session, request.leafId)
    const { paired, previousSummary, files } = planHandoff(branch)
    const { messages } = paired
    const { redact, additions } = context
    if (messages.length === 0 && previousSummary === undefined)
      throw nothingToCompact((explainNoMessages(session) ?? EMPTY_BRANCH) + hintAtIgnored(ignored, redact))
    const texts = [previousSummary, ...guidanceTexts(request, additions)]
    const redaction = startRedaction(redact, { messages, texts, files })
    const source = {
      kind: 'handoff' as const,
      texts: { history: { messages: redaction.messages(messages) } },
      kept: [],
      session: paired,
      files: redactFiles(files, redaction),
      previousSummary: redaction.text(previousSummary ?? ''),
      ...{ redaction, request },
      replaced: () => describeReplaced(read, branch, branch.length),
    }
    // Its form is what makes it a handoff: hooks cannot replace it.
    return prepareSummary(source, { ...context, additions: { ...additions, prompt: undefined } })
  },

  finish(material, drafts, context) {
    const { summary, details, report } = finishSummary(material, drafts, context)
    const reply: HandoffReply = { document: summary, details, report }
    return { reply, summary, reported: { report } }
  },
}

/** The material of a handoff, as data. */
interface HandoffPlan {
  paired: PairedMessages
  /** Without the file tags. */
  previousSummary?: string
  files: FileLists
}

/** Plans a handoff: all messages that `/context` returns, and all their files (openapi.yaml, `/handoff`). */
function planHandoff(branch: readonly Entry[]): HandoffPlan {
  const region = findRegion(branch)
  const messages = branch.slice(region.start).flatMap(({ message }) => message ?? [])
  const summary = region.previous?.summary
  const all = pairMessages([...messagesWithoutList(region), ...messages])
  return {
    paired: { ...all, messages },
    ...(summary === undefined ? {} : { previousSummary: summary }),
    files: collectFiles(all, findFileLists(region, branch.length)),
  }
}

const READING = readingOf(HANDOFF_FORMS, false)

export default summaryWork({ handoff: writeHandoff }, (received, context) => {
  const request = readRequest(received, READING, context)
  return { name: 'handoff', request, notes: request }
})
