import { createHash } from 'node:crypto'

/** Whose summaries are kept, and what shapes them beside the settings of their requests. */
interface Owned {
  /** The service token, or else the address. */
  caller: string
  candidates?: readonly string[] | undefined
  reasoningEffort?: string | undefined
  /** All prompts, of which an update of the service may change some. */
  templates: object
  /** The hash of the operator's hooks. */
  hooks: string | undefined
}

/** Returns a hash of whose prepared summaries a request may use. */
export const ownerOf = ({ caller, candidates, reasoningEffort, templates, hooks }: Owned): string =>
  createHash('sha256')
    .update(JSON.stringify(['owner 2', caller, candidates, reasoningEffort, templates, hooks]))
    .digest('base64url')
