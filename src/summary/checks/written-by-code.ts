import { HEADINGS } from '../../text/summary-headings.ts'

/**
 * The source of a pattern, for the flags `gm`, of what code wrote into a summary: file tags and evidence. Checks leave it
 * out, since it is true. A tag's block has no second opening tag in it, so that tags that are never closed take linear time.
 */
export const WRITTEN_BY_CODE = String.raw`<(?<tag>read-files|modified-files)>(?:(?!<\k<tag>>)[^])*?</\k<tag>>|^${HEADINGS.evidence}\n(?:- .*\n?)*`
