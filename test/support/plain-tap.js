import hooks from 'node:async_hooks'
import { syncBuiltinESMExports } from 'node:module'
import processOnSpawn from 'process-on-spawn'

/**
 * Keeps tap out of the processes that tests start. tap has each of them load a module that records the files it loads, which
 * nothing here reads: it takes longer than most commands run, and adds variables to a worker's environment, which is empty.
 */
processOnSpawn.removeAllListeners()

/**
 * Keeps tap from following each promise to the test that has made it: a promise takes twenty times as long then. An error that no
 * test waits for ends the process instead, which fails the run, names the test, and prints the error.
 */
const none = { enable: () => none, disable: () => none }
hooks.createHook = () => none
syncBuiltinESMExports()
