import { installPeers } from './peers.ts'
import { compareGateway } from './support/compare-gateway.ts'
import { comparePlanners } from './support/compare-planners.ts'
import { describeMachine } from './support/describe-machine.ts'

/**
 * The service beside published packages that do a part of its work: the planners of pi and oh-my-pi, and a gateway.
 * They are installed at the first run (`peers.ts`); where that fails their cells say so, and the rest is measured.
 */
console.log(describeMachine())
const folders = installPeers()
await comparePlanners(folders)
await compareGateway(folders.gateway)
