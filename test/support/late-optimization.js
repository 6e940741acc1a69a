import { setFlagsFromString } from 'node:v8'

/**
 * Has V8 optimize functions later than it does by itself: tests run most functions so few times that compiling their optimized form takes
 * longer than it saves. The tests of growth and those with random sessions run the same ones long. It is a flag of Node.js 20; later versions
 * reject it, and have no measured counterpart.
 */
if (process.versions.node.startsWith('20.') && process.argv[1]?.includes('/suites/') === true)
  setFlagsFromString('--interrupt-budget=600000')
