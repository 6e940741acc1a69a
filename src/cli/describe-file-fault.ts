/** What the codes of Node.js for files mean. */
const FAULTS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  EPERM: 'permission denied',
  EROFS: 'the disk is read-only',
}

/** Returns why a file could not be read or written, in words. Node.js names the path and a call of the system too. */
export function describeFileFault(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return FAULTS[code] ?? message
}
