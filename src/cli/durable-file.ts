import * as fs from 'node:fs'
import { dirname } from 'node:path'

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL } = fs.constants
// Windows has no such flag.
const O_NOFOLLOW = process.platform === 'win32' ? 0 : fs.constants.O_NOFOLLOW

/** Returns the content of a file. A symbolic link is not followed. */
export const readWithoutLinks = (path: string): Buffer => withFile(path, O_RDONLY, (file) => fs.readFileSync(file))

/** Writes a file that must not exist yet. Its content is on the disk when the function returns. */
export function writeNew(path: string, content: Buffer, mode: number): void {
  const file = fs.openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
  try {
    // The mode of open() is reduced by the umask.
    fs.fchmodSync(file, mode)
    fs.writeFileSync(file, content)
    fs.fsyncSync(file)
  } finally {
    fs.closeSync(file)
  }
}

/** Opens a file for a piece of work, and closes it. A symbolic link is not followed. */
export function withFile<T>(path: string, flags: number, work: (file: number) => T): T {
  const file = fs.openSync(path, flags | O_NOFOLLOW)
  try {
    return work(file)
  } finally {
    fs.closeSync(file)
  }
}

/** Makes the names in the folder of a file durable; Windows cannot. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  // The folder itself may be a symbolic link.
  const folder = fs.openSync(dirname(path), O_RDONLY)
  try {
    fs.fsyncSync(folder)
  } finally {
    fs.closeSync(folder)
  }
}
