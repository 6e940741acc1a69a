import type { Baseline } from './options.ts'
import type { SessionCut, SessionFile } from './session.ts'

export interface BaselineOptions {
  file: SessionFile
  cut: SessionCut
  server: { url: string; model: string }
  print: (line: string) => void
}

export async function compactByBaseline(baseline: Baseline, _options: BaselineOptions): Promise<string> {
  throw new Error(`not yet: ${baseline}`)
}
