import { tmpdir } from 'node:os'
import { PEERS, type Folders } from '../peers.ts'
import { findBun } from '../../eval/install-packages.ts'
import { startPlanner, type PlannerOptions, type PlannerProcess } from './start-planner.ts'

/** The planners, with their names in the tables. */
export const PLANNERS = ['Précis', 'pi', 'oh-my-pi', 'oh-my-pi, Claude'] as const
export type PlannerName = (typeof PLANNERS)[number]

/** The planners that run, or, in two words, the reason why one does not. */
export type Planners = Map<PlannerName, PlannerProcess | 'not installed' | 'not loaded'>

/**
 * Starts the service's planner, and those of the installed peers; prints a line for each that cannot be loaded. The
 * last one counts with the tokenizer of a current Claude, as oh-my-pi does for such a model.
 */
export async function openPlanners(folders: Folders): Promise<Planners> {
  const pi = folders.pi
  const ohMyPi = folders['oh-my-pi']
  const bun = ohMyPi === undefined ? undefined : findBun(ohMyPi)
  return new Map([
    ['Précis', await startPlanner({ module: 'precis', folder: tmpdir() })],
    ['pi', await open(PEERS.pi[0], pi && { module: 'pi', folder: pi })],
    ['oh-my-pi', await open(PEERS['oh-my-pi'][0], ohMyPi && { module: 'oh-my-pi', folder: ohMyPi, bun })],
    [
      'oh-my-pi, Claude',
      await open(PEERS['oh-my-pi'][0], ohMyPi && { module: 'oh-my-pi', folder: ohMyPi, bun, argument: 'claude-v5' }),
    ],
  ])
}

async function open(
  name: string,
  options: PlannerOptions | '' | undefined,
): Promise<PlannerProcess | 'not installed' | 'not loaded'> {
  if (!options) return 'not installed'
  try {
    return await startPlanner(options)
  } catch (error) {
    console.log(`Not loaded: ${name} (${(error as Error).message})`)
    return 'not loaded'
  }
}
