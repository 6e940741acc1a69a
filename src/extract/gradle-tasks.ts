/** What Gradle says of a task that has run, and of one that has failed. Whether a task of tests has run all of them is not known. */
const TASK = /^> Task (:(?:[\w-]{1,100}:)*(?:compile|(?!\w*[tT]est))\w{1,100})(?: UP-TO-DATE| FROM-CACHE)?$/gm
const FAILED = /^(?:> Task (:[\w:-]{1,300}) FAILED$|Execution failed for task '(:[\w:-]{1,300})')/gm

/** Returns the tasks of Gradle that have passed and failed in a run, as far as its output shows. */
export function readTasks(output: string): { passed: readonly string[]; failed: readonly string[] } {
  const failed = Array.from(output.matchAll(FAILED), ([, task, other]) => task ?? other ?? '')
  const isWhole = failed.length > 0 || /^BUILD SUCCESSFUL\b/m.test(output)
  const run = isWhole ? Array.from(output.matchAll(TASK), ([, task = '']) => task) : []
  return { passed: run.filter((task) => !failed.includes(task)), failed }
}
