import { withoutMarks } from './same-words.ts'
import type { WorkItem } from './work-item.ts'

/**
 * Lines of an earlier summary that stand among its steps and are none: headings of a list, files, results of checks, and remarks of its
 * writer.
 */
const NO_WORK = new RegExp(
  [
    String.raw`[:：]$`,
    String.raw`^[\w.@~/-]+ \((?:new|modified|changed|deleted|created)\)$`,
    String.raw`^[\w.@~-]*/[\w.@~/-]+$`,
    String.raw`^(?:all |the )?(?:\d{1,6} )?(?:tests?|specs?|checks?|builds?)(?: suite)? (?:all )?(?:pass|passes|passed|passing|are passing|are green|is green|succeed|succeeds|succeeded)\b`,
    String.raw`^(?:immediately before|the user['’]?s? (?:original|latest|last|newest|asked|requested|wants?|said)|the summary\b|i (?:was|had|am|have)\b|we (?:were|had)\b|just \w+ed\b|working on\b)`,
  ].join('|'),
)

/** Whether an item says what is to be done. In doubt, it does. */
export const namesWork = ({ kind, text, at }: Pick<WorkItem, 'kind' | 'text' | 'at'>): boolean =>
  kind !== 'step' || at >= 0 || !(NO_WORK.test(withoutMarks(text)) || /[:：]$/.test(text.trim()))
