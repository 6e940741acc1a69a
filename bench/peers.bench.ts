import { installPeers } from './peers.ts'
import { compareGateway } from './support/compare-gateway.ts'
import { comparePlanners } from './support/compare-planners.ts'
import { describeMachine } from './support/describe-machine.ts'

/**
 * Compares the service with published packages that do a part of its work: the planners of pi and oh-my-pi, and a
 * gateway. The first run installs them (`peers.ts`); where that fails, their cells say so, and the others are measured.
 */
console.log(describeMachine())
const folders = installPeers()
await comparePlanners(folders)
await compareGateway(folders.gateway)
