import { readFileSync } from 'node:fs'

const MIB = 2 ** 10

/** Returns the memory of a process, current and peak, in MiB; Linux reports it in KiB (proc(5)), and none once it has ended. */
export function readMemory(pid: number): { nowMib: number; peakMib: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const read = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0) / MIB
  return { nowMib: read('VmRSS'), peakMib: read('VmHWM') }
}

/** Returns the current memory of a process and its children (the workers), in MiB. */
export function readTreeMemoryMib(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return children.reduce((sum, child) => sum + readIfAlive(Number(child)), readMemory(pid).nowMib)
}

/** A worker may end at any time. */
function readIfAlive(pid: number): number {
  try {
    return readMemory(pid).nowMib
  } catch {
    return 0
  }
}
