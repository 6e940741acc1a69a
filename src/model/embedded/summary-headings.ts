import { HEADINGS } from '../../text/summary-headings.ts'
import type { Part } from '../../text/summary-parts.ts'

/**
 * The headings of our summaries and of those that models write by the prompts of clients, by the part that has their text:
 * Claude Code 2.1.330, Cline 3.0.65, opencode 1.18.33, Codex 0.169, Gemini CLI 0.61, Qwen Code 0.24, OpenHands 1, Roo 3.36,
 * and usual other words for the same things.
 */
const NAMES: Readonly<Record<Part, readonly string[]>> = {
  goal: [
    ...[HEADINGS.goal, HEADINGS.originalRequest, 'Goals', 'Objective', 'Objectives', 'Overall goal', 'User context'],
    ...['Primary request and intent', 'Primary request', 'User request', 'User intent'],
  ],
  constraints: [
    ...[HEADINGS.constraints, 'Constraints and preferences', 'Constraints', 'Preferences', 'Active constraints'],
    ...['User preferences', 'User constraints', 'User directives', 'Requirements', 'Constraints or user preferences'],
  ],
  done: [
    ...[HEADINGS.progress, HEADINGS.done, HEADINGS.earlyProgress, 'State', 'Work state', 'Completed', 'Completed work'],
    ...['Current progress', 'Current progress and key decisions', 'Current progress and key decisions made', 'Changes'],
    ...['Recent actions', 'What was done', 'Work done', 'Accomplished', 'Accomplishments', 'Already done'],
    ...[
      'Done so far',
      'Completed so far',
      'Progress so far',
      'Completed tasks',
      'Completed steps',
      'What has been done',
    ],
    ...[
      'Erledigt',
      'Bisher erledigt',
      'Fertig',
      'Fait',
      'Déjà fait',
      'Terminé',
      'Hecho',
      'Ya hecho',
      'Terminado',
      '已完成',
    ],
  ],
  inProgress: [
    ...[HEADINGS.inProgress, 'Active', 'Active work', 'Current work', 'Current task', 'Task tracking'],
    ...['In Arbeit', 'En cours', 'En curso', '进行中'],
  ],
  pending: [
    ...[HEADINGS.pending, 'Pending tasks', 'Todo', 'Todos', 'Todo list', 'Still to do', 'Left to do', 'To be done'],
    ...['Remaining', 'Remaining work', 'Remaining tasks', 'Remaining items', 'Work remaining', 'Tasks remaining'],
    ...[
      'Open',
      'Still open',
      'Open tasks',
      'Open items',
      'Open points',
      'Open work',
      'Outstanding',
      'Outstanding tasks',
    ],
    ...[
      'Outstanding work',
      'Unresolved',
      'Unresolved issues',
      'Unfinished',
      'Unfinished work',
      'Not done',
      'Not done yet',
    ],
    ...['Not yet done', 'Not started', 'Incomplete', "What's left", 'What is left', "What's left to do"],
    ...['Offen', 'Noch offen', 'Noch zu tun', 'Offene Punkte', 'Offene Aufgaben', 'Zu erledigen', 'Ausstehend'],
    ...['À faire', 'Reste à faire', 'Il reste à faire', 'Restant', 'Tâches restantes', 'En attente', 'En suspens'],
    ...['Pendiente', 'Pendientes', 'Tareas pendientes', 'Por hacer', 'Queda por hacer', '待办', '未完成'],
  ],
  blocked: [HEADINGS.blocked, 'Blockers', 'Open questions', 'Blockers and open questions'],
  state: [
    ...[
      HEADINGS.state,
      'Files and code sections',
      'Files and code',
      'Relevant files',
      'Relevant files and code',
      'Files',
    ],
    ...['File system state', 'Code state', 'Current state', 'Artifact trail', 'Key files', 'Important files'],
    ...['Modified files', 'Changed files', 'Files modified', 'Files changed'],
  ],
  decisions: [HEADINGS.decisions, 'Decisions', 'Highlights', 'Design decisions', 'Technical decisions'],
  nextSteps: [
    ...[HEADINGS.nextSteps, 'Next step', 'Next', 'Next move', 'Next moves', 'Next actions', 'Optional next step'],
    ...['Immediate next steps', 'Current plan', 'Plan', 'Task state', 'What remains', 'What remains to be done'],
    ...['Remaining steps', 'Pending tasks and next steps', 'Nächste Schritte', 'Prochaines étapes', 'Étapes suivantes'],
    ...['Próximos pasos', 'Siguientes pasos', '下一步'],
  ],
  context: [
    ...[HEADINGS.context, HEADINGS.contextForSuffix, 'Context', 'Important details', 'Key knowledge', 'Tests', 'Deps'],
    ...[
      'Key technical concepts',
      'Errors and fixes',
      'All user messages',
      'Version control status',
      'Important context',
    ],
    // It has solved problems, and those that are still open.
    ...['Problem solving', 'Critical data', 'Previous conversation', 'Notes'],
  ],
}

/** Returns a key that is equal for the spellings of a heading: case, numbers, marks and what is in parentheses do not count. */
function keyOf(title: string): string {
  const end = title.indexOf('(')
  return title
    .slice(0, end < 0 ? MAX_TITLE_CHARACTERS : Math.min(end, MAX_TITLE_CHARACTERS))
    .toLowerCase()
    .replaceAll('&', 'and')
    .normalize('NFD')
    .replace(/\P{L}/gu, '')
}

export const MAX_TITLE_CHARACTERS = 80

const PARTS = new Map(
  Object.entries(NAMES).flatMap(([part, names]) => names.map((name): [string, Part] => [keyOf(name), part as Part])),
)

/** Returns the part that has the text below a heading; undefined for an unknown one. */
export const partOf = (title: string): Part | undefined => PARTS.get(keyOf(title))

/** The headings of our own context: other ones are kept there as labels. */
const CONTEXT_NAMES = new Set([HEADINGS.context, HEADINGS.contextForSuffix, 'Context'].map(keyOf))

export const isContextHeading = (title: string): boolean => CONTEXT_NAMES.has(keyOf(title))

/** The headings whose items may name the part that they belong to, as in Cline's `- Done: ...`. */
const ITEM_HEADINGS = new Set(
  [HEADINGS.progress, 'State', 'Work state', 'Current progress', 'Status', 'Current status'].map(keyOf),
)

const ITEM_PARTS: ReadonlySet<Part | undefined> = new Set<Part>([
  'done',
  'inProgress',
  'pending',
  'blocked',
  'nextSteps',
])

/** Returns the part of an item with a label, such as `- Remaining: ...`, below a heading; undefined where it has none. */
export function partOfItem(label: string, heading: string): Part | undefined {
  // What is to be changed may be called so, too.
  const isLabel = ITEM_HEADINGS.has(keyOf(heading)) && keyOf(label) !== 'changes'
  const part = isLabel ? partOf(label) : undefined
  return ITEM_PARTS.has(part) ? part : undefined
}
