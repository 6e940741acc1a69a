import { Problem } from '../errors.ts'

/** @returns the Problem `invalid-request` */
export const emptyBody = (): Problem =>
  new Problem('invalid-request', 'The body is empty.', { faults: [{ pointer: '', detail: 'is empty' }] })

/** Some editors begin a file with one. */
export const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text)
