import type { InstallTarget, Setup } from '../../agents/install-target.ts'
import { withoutControls } from '../../text/controls.ts'
import type { Cli } from '../cli.ts'
import { listDatabases } from '../databases.ts'
import { CliError } from '../exit.ts'
import { readSession, type NamedSession } from '../find-session.ts'
import { locateSessions, type LocatedSession } from '../locate-sessions.ts'
import { optionTextOf, type Values } from '../read-arguments.ts'
import { withService } from '../service.ts'
import { isChange } from './apply-changes.ts'
import { checkHook, checkHookSwitch, checkToolServer, readAgentVersion, type DoctorFinding } from './check-programs.ts'
import { checkSummarizer } from './check-summarizer.ts'
import { planInstallation } from './plan-changes.ts'
import { readReceipt, receiptKeyOf, type Receipt } from './receipts.ts'
import { refuseWithoutProjects, setupOf, TARGETS, targetsNamed } from './targets.ts'

/** `precis doctor`: checks what is installed. The exit code is 1 if something needs to be done. */
export async function doctor(values: Values, names: readonly string[], cli: Cli): Promise<void> {
  const setup = setupOf(values, cli)
  const isInstalled = (target: InstallTarget): boolean => readReceipt(setup, receiptKeyOf(target, setup)) !== undefined
  const targets = names.length > 0 ? targetsNamed(names) : TARGETS.filter(isInstalled)
  if (targets.length === 0) return checkServiceAlone(values, setup, cli)
  refuseWithoutProjects(targets, setup)
  let server: DoctorFinding | undefined
  let faults = 0
  for (const target of targets) {
    const newest = newestSessionOf(target, cli)
    const settings = checkSettings(target, setup, cli.command)
    // With other settings, the agent starts other programs than those that this version would install.
    const isAsNow = settings.kind === 'ok'
    if (isAsNow) server ??= await checkToolServer(setup)
    const findings = [
      checkFound(target, setup),
      settings,
      isAsNow ? server : NOT_CHECKED,
      await checkSummarizer(valuesOf(values, readReceipt(setup, receiptKeyOf(target, setup))), cli, target.command),
      isAsNow ? await checkHook(target, setup, newest) : undefined,
      isAsNow ? checkHookSwitch(target, setup) : undefined,
      await checkSession(newest, cli),
    ].filter((finding) => finding !== undefined)
    faults += findings.filter(({ kind }) => kind === 'fault').length
    await cli.terminal.print(`${target.name}\n${findings.map((one) => writeFinding(one, cli)).join('')}\n`)
  }
  refuseFaults(faults)
}

/** @throws CliError if there is a fault */
function refuseFaults(faults: number): void {
  if (faults > 0)
    throw new CliError(
      'failed',
      faults === 1
        ? 'There is 1 fault: its line says what to do.'
        : `There are ${faults} faults: their lines say what to do.`,
    )
}

/** Checks the service of the configuration, which commands use without an installation. */
async function checkServiceAlone(values: Values, setup: Setup, cli: Cli): Promise<void> {
  const nothing = nothingInstalled(setup, cli)
  const url = optionTextOf(values, 'url')
  if (url === undefined) throw nothing
  const finding = await checkSummarizer(values, cli)
  await cli.terminal.print(
    `${withoutControls(url)}\n${writeFinding(finding, cli)}${writeFinding({ kind: 'remark', text: nothing.message }, cli)}\n`,
  )
  refuseFaults(finding.kind === 'fault' ? 1 : 0)
}

const NOT_CHECKED: DoctorFinding = {
  kind: 'remark',
  text: 'The tool server and the hooks are checked only with the settings of this version.',
}

function nothingInstalled(setup: Setup, { command }: Cli): CliError {
  if (setup.project !== undefined)
    return new CliError(
      'failed',
      `Précis is installed into no agent of this project. Try: ${command} install --project`,
    )
  const inProject = TARGETS.find(({ id }) => isInProject(id, setup))
  if (inProject === undefined)
    return new CliError('failed', `Précis is installed into no agent. Try: ${command} install`)
  const { name } = inProject
  return new CliError(
    'failed',
    `Précis is installed only for the project in this folder, into ${name}. Try: ${command} doctor --project`,
  )
}

/** Whether an agent has an installation of the project in the current folder, and this is about those of the user. */
const isInProject = (agent: string, setup: Setup): boolean =>
  setup.project === undefined && readReceipt(setup, { agent, project: setup.folder }) !== undefined

/** Hooks that were installed for a service use it, whatever the configuration says. */
const valuesOf = (values: Values, receipt: Receipt | undefined): Values =>
  receipt?.url === undefined || optionTextOf(values, 'url') !== undefined
    ? values
    : { ...values, model: undefined, with: undefined, url: receipt.url }

const COLOURS = { ok: 'green', remark: 'yellow', fault: 'red' } as const

const writeFinding = ({ kind, text }: DoctorFinding, { terminal }: Cli): string =>
  `  ${terminal.paint(COLOURS[kind], kind.padEnd(6))}  ${text}\n`

function checkFound(target: InstallTarget, setup: Setup): DoctorFinding | undefined {
  const { command, known, name } = target
  if (command === undefined)
    return { kind: 'remark', text: `${name} is an extension of an editor: its version is not checked.` }
  const version = readAgentVersion(command, setup)
  if (version === undefined)
    return { kind: 'fault', text: `\`${command} --version\` does not run. Install ${name}, or correct the PATH.` }
  if (known.includes(version)) return { kind: 'ok', text: `${command} ${version}, whose settings are known.` }
  const versions = known.length === 0 ? 'of no version' : `of ${known.join(', ')}`
  const text = `${command} ${version}: its settings are known ${versions}. Look whether the tools and hooks work.`
  return { kind: 'remark', text }
}

function checkSettings(target: InstallTarget, setup: Setup, command: string): DoctorFinding {
  const receipt = readReceipt(setup, receiptKeyOf(target, setup))
  const remedy = `Run: ${command} install ${target.id}${setup.project === undefined ? '' : ' --project'}`
  if (receipt === undefined && isInProject(target.id, setup))
    return {
      kind: 'fault',
      text: `It is installed only for the project in this folder. Run: ${command} doctor ${target.id} --project`,
    }
  if (receipt === undefined) return { kind: 'fault', text: `Nothing is installed. ${remedy}` }
  try {
    const own = { ...setup, url: receipt.url }
    const changed = planInstallation(target, own, receipt).filter(isChange)
    if (changed.length === 0)
      return { kind: 'ok', text: 'The settings are as they were installed, and their paths are these.' }
    const files = changed.map(({ file }) => file.path).join(', ')
    return { kind: 'fault', text: `Not as this version installs it, or with other paths: ${files}. ${remedy}` }
  } catch (error) {
    if (error instanceof CliError) return { kind: 'fault', text: error.message }
    throw error
  }
}

const newestSessionOf = ({ name }: InstallTarget, cli: Cli): LocatedSession | undefined =>
  [...locateSessions(cli, () => undefined), ...listDatabases(cli.env)]
    .filter(({ agent }) => agent === name)
    .sort((a, b) => b.modifiedMs - a.modifiedMs)[0]

/** Reads a session as a compaction would. */
async function checkSession(newest: LocatedSession | undefined, cli: Cli): Promise<DoctorFinding> {
  if (newest === undefined) return { kind: 'remark', text: 'No session was found yet.' }
  const { id, path } = newest
  const source: NamedSession = path === undefined ? { kind: 'database', id } : { kind: 'file', path }
  try {
    await withService({ env: cli.env }, async (client) => client.plan(await readSession(source, cli)))
    return { kind: 'ok', text: `The newest session can be read: ${id}` }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return {
      kind: 'fault',
      text: `${path ?? id} cannot be read: ${why.replace(/\.$/, '')}. Report it with the version of the agent.`,
    }
  }
}
