import { findCommits } from '../extract/commands.ts'
import { commandFilesOf, filesOf, outputOf, type ToolRun } from '../extract/runs.ts'
import { readPatchPaths } from '../files/paths.ts'
import { defined } from '../text/defined.ts'
import { oneLine, shorten } from '../text/shorten.ts'
import { fileOf, hasFailed, kindsOf, LEAD_CHARACTERS, nameCall, sameCallOf, writeCall } from './describe-call.ts'
import { argumentsOf, findChanges } from './edit-changes.ts'
import type { PassageFacts, RecalledPassage } from './passage.ts'
import { splitEdit, withoutChanges } from './split-edit.ts'
import { MAX_PART_CHARACTERS, splitPassage } from './split-whole.ts'

/** A call up to this length with its output is one passage. */
const WHOLE_CALL_CHARACTERS = 1600

/** An edit up to this length is one passage: without the new text, nobody sees what became of the old one. */
const WHOLE_EDIT_CHARACTERS = 3000

/** An output up to this length, such as that an edit was done, says nothing without its call. */
const SHORT_OUTPUT_CHARACTERS = 200

/** Returns the passages of a call with its outcome. @param where the places of the call and of its result, and its unit */
export function passagesOfRun(run: ToolRun, where: Pick<PassageFacts, 'places' | 'unit'>): RecalledPassage[] {
  const { call, command } = run
  const [called, output, kinds] = [writeCall(run), outputOf(run), kindsOf(run)]
  const facts = { ...defined({ call: sameCallOf(run, called) }), ...where, tool: toolOf(run), paths: pathsOf(run) }
  const changes = call === undefined || command !== undefined ? [] : findChanges(called, argumentsOf(call))
  const isLongEdit = changes.length > 0 && called.length > WHOLE_EDIT_CHARACTERS
  // The changes of a long edit are passages of their own.
  const written = isLongEdit ? withoutChanges(called, changes) : called
  const own = { ...facts, lead: '', ...(!isLongEdit && { changes }) }
  const isWhole = isShownWith(output, written, run)
  const passages =
    isWhole && output !== ''
      ? passagesOfCall({ ...own, kinds: [...kinds, 'output'] }, [written, output], run)
      : passagesOfCall({ ...own, kinds, ...(output !== '' && { outcome: output }) }, [written], run)
  if (isLongEdit) {
    const lead = nameCall(run, called, fileOf(run))
    for (const { name, ...part } of splitEdit(called, changes))
      passages.push({ ...facts, ...part, kinds, lead: name === '' ? lead : `${lead}, ${name}` })
  }
  if (isWhole) return passages
  // Each part says which call it belongs to.
  const lead = shorten(oneLine(called), LEAD_CHARACTERS)
  const parts = splitPassage({ ...facts, kinds: ['output'], lead }, output)
  return [...passages, ...parts.map((part) => ({ ...part, kinds: kindsOfOutput(run, part.text) }))]
}

const toolOf = ({ call, result }: ToolRun): string | undefined =>
  result?.role === 'bashExecution' ? 'bash (run by the user)' : (call?.name ?? result?.toolName)

function pathsOf(run: ToolRun): string[] {
  const { readFiles, modifiedFiles } = filesOf(run)
  const ofCommand = run.command === undefined ? undefined : commandFilesOf(run)
  return [...modifiedFiles, ...readFiles, ...(ofCommand?.modified ?? []), ...(ofCommand?.read ?? [])]
}

/** Whether a call and its output are one passage. One of a call that has failed is never split: its end says why. */
const isShownWith = (output: string, written: string, run: ToolRun): boolean =>
  hasFailed(run)
    ? written.length + output.length <= MAX_PART_CHARACTERS
    : written.length + output.length <= WHOLE_CALL_CHARACTERS || output.length <= SHORT_OUTPUT_CHARACTERS

/** @param texts the call, and its output if they are one passage */
function passagesOfCall(facts: PassageFacts, texts: readonly string[], run: ToolRun): RecalledPassage[] {
  const whole = texts.filter(Boolean).join('\n\n')
  const outputAt = texts.length > 1 ? whole.length - (texts.at(-1) ?? '').length : undefined
  const { changes = [], ...others } = facts
  const where = defined({ outputAt })
  if (changes.length > 0) return [{ ...others, ...where, changes, text: whole, before: 0, after: 0 }]
  const parts = splitPassage({ ...others, ...where }, whole)
  // An output without its call belongs to none.
  if (run.call === undefined && run.command === undefined) return parts
  // Each part says which call it belongs to, and which file of a patch.
  let file = fileOf(run)
  return parts.map((part, at) => {
    const lead = at > 0 ? nameCall(run, whole, file) : part.lead
    file = readPatchPaths(part.text).at(-1) ?? file
    const isOutput = outputAt !== undefined && part.before >= outputAt
    return { ...part, lead, ...(isOutput && { kinds: kindsOfOutput(run, part.text) }) }
  })
}

/** Returns what a part of an output is. The line with which git reports a commit is of the commit: its hash is nowhere else. */
function kindsOfOutput(run: ToolRun, text: string): PassageFacts['kinds'] {
  if (hasFailed(run)) return ['failure', 'output']
  return kindsOf(run)[0] === 'commit' && findCommits(text).length > 0 ? ['output', 'commit'] : ['output']
}
