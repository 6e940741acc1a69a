import processOnSpawn from 'process-on-spawn'

/**
 * Keeps tap out of the processes that tests start. tap has each of them load a module that records the files it loads, which
 * nothing here reads: it takes longer than most commands run, and adds variables to a worker's environment, which is empty.
 */
processOnSpawn.removeAllListeners()
