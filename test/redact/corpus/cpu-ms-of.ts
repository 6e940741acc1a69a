/** Returns the CPU time of some work in milliseconds: the least of several runs. */
export function cpuMsOf(work: () => unknown, runs = 3): number {
  const times = Array.from({ length: runs }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}
