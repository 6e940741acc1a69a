import { withoutControls } from '../text/controls.ts'
import type { Terminal } from './terminal.ts'

/** Returns what says, once, why code has written a summary and not the model that was asked for: each part of it may say so. */
export function sayDegraded({ say }: Pick<Terminal, 'say'>): (why: string) => void {
  let isSaid = false
  return (why) => {
    if (!isSaid) say(`The model failed, so the embedded summarizer has written the summary: ${withoutControls(why)}`)
    isSaid = true
  }
}
