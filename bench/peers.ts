import { AGENT_PACKAGES, installPackages } from '../eval/install-packages.ts'

/** The published packages that `npm run bench -- peers` compares with, pinned. They are not dependencies of the service. */
export const PEERS = { ...AGENT_PACKAGES, gateway: ['@portkey-ai/gateway@1.15.2'] } as const

export type Peer = keyof typeof PEERS

/** The folder that contains a peer's `node_modules`; undefined where it could not be installed. */
export type Folders = Record<Peer, string | undefined>

/**
 * Installs the peers in scratch folders, unless they are there already. Each peer has its own folder, so that one can
 * fail without the others. Where npm fails, for example without a network, a line is printed and nothing is thrown.
 */
export function installPeers(): Folders {
  return { pi: install('pi'), 'oh-my-pi': install('oh-my-pi'), gateway: install('gateway') }
}

function install(peer: Peer): string | undefined {
  try {
    return installPackages(PEERS[peer])
  } catch (error) {
    console.log(`Not installed: ${(error as Error).message}`)
    return undefined
  }
}
