// pi 1.5: compactions and the summaries of abandoned branches come from Précis. Also works in oh-my-pi, without branches.
// The setting: copy this file to ~/.pi/agent/extensions/precis.ts; COMPACTION_URL and COMPACTION_TOKEN are read from the environment.
// To run it: start pi, and use /compact, or go back in the session with /tree. If Précis fails, pi summarizes by itself.
import type { ExtensionAPI } from '@earendil-works/pi-coding-agent'

const { COMPACTION_URL = 'http://127.0.0.1:8080', COMPACTION_TOKEN = '' } = process.env

export default function precis(pi: ExtensionAPI): void {
  pi.on('session_before_compact', async ({ preparation, branchEntries, customInstructions, signal }, { ui }) => {
    const { keepRecentTokens, reserveTokens } = preparation.settings
    const settings = { keepRecentTokens, reserveTokens }
    const reply = await post('/compaction', { entries: branchEntries, settings, customInstructions }, signal)
    if (typeof reply === 'string') return ui.notify(reply, 'warning')
    const { summary, firstKeptEntryId, tokensBefore, details } = reply
    return { compaction: { summary, firstKeptEntryId, tokensBefore, details } }
  })

  pi.on('session_before_tree', async ({ preparation, signal }, { ui, sessionManager }) => {
    const { userWantsSummary, oldLeafId, targetId, customInstructions, replaceInstructions } = preparation
    // Précis replaces its instructions by the given ones, and cannot add them.
    if (!userWantsSummary || oldLeafId === null || (customInstructions && !replaceInstructions)) return
    const entries = sessionManager.getEntries()
    const reply = await post('/branch-summary', { entries, fromId: oldLeafId, targetId, customInstructions }, signal)
    if (typeof reply === 'string') return ui.notify(reply, 'warning')
    return { summary: { summary: reply.summary, details: reply.details } }
  })
}

interface Reply {
  summary: string
  firstKeptEntryId: string
  tokensBefore: number
  details: unknown
}

/** Returns a reply of Précis, or why there is none. */
async function post(path: string, body: object, signal: AbortSignal): Promise<Reply | string> {
  try {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${COMPACTION_TOKEN}` }
    const response = await fetch(COMPACTION_URL + path, { method: 'POST', headers, body: JSON.stringify(body), signal })
    if (response.ok) return (await response.json()) as Reply
    return `Précis answered ${response.status}: ${(await response.text()).slice(0, 300)}`
  } catch (error) {
    return `Précis cannot be reached: ${String(error)}`
  }
}
