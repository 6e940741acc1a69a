import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { InstallTarget, Setup } from '../../agents/install-target.ts'
import type { Cli } from '../cli.ts'
import { CliError, EXIT } from '../exit.ts'
import { withOwnCommand } from '../own-command.ts'
import { alignColumns } from '../table-cells.ts'
import type { Values } from '../read-arguments.ts'
import { applyInstallation, applyRemoval, isChange } from './apply-changes.ts'
import { describeChanges, describeUnwritten, describeStaying } from './describe-changes.ts'
import { planInstallation, planRemoval, type PlannedChanges } from './plan-changes.ts'
import { readReceipt, receiptFolder, receiptKeyOf } from './receipts.ts'
import { remarkOnSummaries } from './remark-on-summaries.ts'
import { refuseChanged, refuseReadOnly } from './settings-file.ts'
import {
  foundOf,
  refuseUnquotable,
  refuseWithoutProjects,
  sayMissing,
  setupOf,
  targetsNamed,
  TARGETS,
} from './targets.ts'

const needsWriting = ({ changes }: PlannedChanges): boolean => changes.some(isChange)

/** `precis install`: shows and writes what an agent needs in its settings. */
export async function install(values: Values, names: readonly string[], cli: Cli): Promise<void> {
  if (names.length === 0) return overview(values, cli)
  const setup = setupOf(values, cli)
  const targets = targetsNamed(names)
  refuseWithoutProjects(targets, setup)
  refuseUnquotable(setup)
  const planned = targets.map((target) => planFor(target, setup))
  for (const { target } of planned.filter(needsWriting)) sayMissing(target, cli)
  const remarks = planned.filter(needsWriting).flatMap(({ target, setup: own }) => remarkOnSummaries(target, own, cli))
  await confirm(planned, { values, cli, remarks, done: 'has everything already' })
  if (values['dry-run'] === true) return
  const written: string[] = []
  for (const one of planned) {
    const { target, setup, changes } = one
    // Also without a change, if its receipt is lost: `doctor` and an uninstallation need it.
    if (!needsWriting(one) && readReceipt(setup, receiptKeyOf(target, setup)) !== undefined) continue
    const copies = applyInstallation(one, written)
    if (!needsWriting(one)) continue
    cli.terminal.say(
      `Installed into ${target.name}. The files as they were are in ${receiptFolder(setup, receiptKeyOf(target, setup))}`,
    )
    sayCopies(copies, cli)
    for (const line of [...describeUnwritten(target, setup, changes), ...(target.advice?.(setup) ?? [])])
      cli.terminal.say(withOwnCommand(line, cli.command))
    if (target.command !== undefined)
      cli.terminal.say(
        `Check it with: ${cli.command} doctor ${target.id}${setup.project === undefined ? '' : ' --project'}`,
      )
  }
}

/** `precis uninstall`: takes out of the settings of an agent what an installation has written. */
export async function uninstall(values: Values, names: readonly string[], cli: Cli): Promise<void> {
  const setup = setupOf(values, cli)
  const targets = targetsNamed(names)
  refuseWithoutProjects(targets, setup)
  const planned = targets.map((target): PlannedChanges => {
    const receipt = readReceipt(setup, receiptKeyOf(target, setup))
    return { target, setup, changes: planRemoval(target, setup, receipt) }
  })
  const remarks = planned.flatMap(({ changes }) => changes.flatMap(describeStaying))
  await confirm(planned, { values, cli, remarks, done: 'has nothing of Précis' })
  if (values['dry-run'] === true) return
  // Also without a change: what an installation has kept goes.
  const written: string[] = []
  for (const one of planned) {
    const { copies, staying } = applyRemoval(one, written)
    if (needsWriting(one)) cli.terminal.say(`Removed from ${one.target.name}.`)
    sayCopies(copies, cli)
    if (staying !== undefined) cli.terminal.say(withOwnCommand(staying, cli.command))
  }
}

function sayCopies(copies: readonly string[], { terminal }: Cli): void {
  for (const copy of copies) terminal.say(`The file with your changes is kept as ${copy}`)
}

/** Returns the changes of an installation; one that was made for a service stays so. */
function planFor(target: InstallTarget, setup: Setup): PlannedChanges {
  const receipt = readReceipt(setup, receiptKeyOf(target, setup))
  const own = { ...setup, url: setup.url ?? receipt?.url }
  return { target, setup: own, changes: planInstallation(target, own, receipt) }
}

/**
 * Prints the changes, and asks for permission.
 * @throws CliError if nobody can be asked, or the answer is no
 */
async function confirm(
  planned: readonly PlannedChanges[],
  { values, cli, done, remarks = [] }: { values: Values; cli: Cli; done: string; remarks?: readonly string[] },
): Promise<void> {
  for (const one of planned) {
    const { target, changes } = one
    if (!needsWriting(one)) cli.terminal.say(`${target.name} ${done}.`)
    else await cli.terminal.print(describeChanges(target, changes, cli))
  }
  for (const remark of remarks) cli.terminal.say(remark)
  if (!planned.some(needsWriting) || values['dry-run'] === true) return
  // Only now: its user needs to see the lines that another program has to write.
  for (const { changes } of planned) for (const { file } of changes.filter(isChange)) refuseReadOnly(file)
  if (values['yes'] !== true) await ask(cli)
  // Before the first file is written: while the user has read, another program may have changed one.
  for (const { changes } of planned) for (const { file } of changes.filter(isChange)) refuseChanged(file)
}

async function ask(cli: Cli): Promise<void> {
  if ((cli.stdin as { isTTY?: boolean }).isTTY !== true)
    throw new CliError('usage', 'Nothing was written: nobody can be asked here. Add --yes to write the changes above.')
  if (!(await askYesNo('Write these changes?', cli))) throw new CliError(EXIT.nothingFound, 'Nothing was written.')
}

/** Asks a question, and waits for a line from the user. Returns whether it says yes. */
async function askYesNo(question: string, { stdin, terminal }: Pick<Cli, 'stdin' | 'terminal'>): Promise<boolean> {
  terminal.say(`${question} [y/N]`)
  const lines = createInterface({ input: stdin as unknown as Readable })
  try {
    // The end of the input is an answer, too.
    const answered = await Promise.race([once(lines, 'line'), once(lines, 'close')])
    return /^\s*y(?:es)?\s*$/i.test(String(answered[0] ?? ''))
  } finally {
    lines.close()
  }
}

/** Prints which agents are on this machine, and what an installation would do. */
async function overview(values: Values, cli: Cli): Promise<void> {
  const setup = setupOf(values, cli)
  const rows = TARGETS.filter(({ hasProjects }) => hasProjects || setup.project === undefined).map((target) => ({
    ...{ id: target.id, name: target.name, found: foundOf(target, cli) },
    state: stateOf(target, setup),
  }))
  // An agent may have been removed since.
  const shown = rows.filter(({ found, state }) => found !== undefined || state === 'installed')
  const cells = shown.map(({ id, found, state }) => [id, found ?? 'no', state])
  const [head = '', ...lines] = alignColumns([['AGENT', 'FOUND', 'PRÉCIS'], ...cells], [])
  await cli.terminal.print(`${[cli.terminal.paint('bold', head), ...lines].join('\n')}\n`)
  const others = rows.filter((row) => !shown.includes(row)).map(({ id }) => id)
  if (others.length > 0) cli.terminal.say(`Not found on this machine: ${others.join(', ')}`)
  const missing = rows.filter(({ found, state }) => found !== undefined && state !== 'installed').map(({ id }) => id)
  const command = `${cli.command} install ${missing.join(' ')}`
  if (missing.length > 0)
    cli.terminal.say(
      `To see what an installation changes: ${command} --dry-run. To install, after a question: ${command}`,
    )
}

/** Returns what is there of an installation, and what a new one would write. */
function stateOf(target: InstallTarget, setup: Setup): string {
  try {
    const { changes } = planFor(target, setup)
    if (!changes.some(isChange)) return 'installed'
    const receipt = readReceipt(setup, receiptKeyOf(target, setup))
    const files = changes.filter(isChange).map(({ file }) => file.path)
    return `${receipt === undefined ? 'not installed' : 'installed in part, or changed'}: would change ${files.join(', ')}`
  } catch (error) {
    if (error instanceof CliError) return error.message
    throw error
  }
}
