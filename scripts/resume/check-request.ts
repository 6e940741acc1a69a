import { hasTools, newestRequest, type FakeModel } from './fake-model.ts'

/** Returns the text of a request of the user: the fake model recognizes its number. */
export const promptOf = (number: number): string =>
  `This is request-${number}: explain module ${number} of the program.`

/** What a request to the model must not have outside its summary, and what it must have there. */
interface Expected {
  gone: readonly string[]
  kept: readonly string[]
}

/** Checks the first request to the model after a compaction: the summary is there, and what it replaces is not. */
export function checkRequest(model: FakeModel, number: number, { gone, kept }: Expected): void {
  const request = model.requests.find((request) => hasTools(request) && newestRequest(request.texts) === number)
  const texts = request?.texts ?? []
  // A summary quotes what it replaces.
  const others = texts.filter((text) => !isSummary(text))
  const has = (marker: string): boolean => others.some((text) => new RegExp(`\\b${marker}\\b`).test(text))
  report(`request ${number} reached the model`, request !== undefined)
  if (gone.length > 0) report(`request ${number} has one summary`, texts.length - others.length === 1)
  for (const marker of gone) report(`request ${number} has no ${marker} outside the summary`, !has(marker))
  for (const marker of [...kept, `request-${number}`]) report(`request ${number} has ${marker}`, has(marker))
}

/** Prints a claim, and sets the exit code if it is false. */
export function report(claim: string, isTrue: boolean): void {
  console.log(`${isTrue ? 'ok  ' : 'FAIL'} ${claim}`)
  if (!isTrue) process.exitCode = 1
}

const isSummary = (text: string): boolean => /^## Goal$/m.test(text)
