// pi 1.5: compactions and the summaries of abandoned branches come from Précis. Also works in oh-my-pi, without branches.
// The setting: copy this file to ~/.pi/agent/extensions/precis.ts; COMPACTION_URL and COMPACTION_TOKEN are read from the environment.
// To run it: start pi, and use /compact, or go back in the session with /tree. If Précis fails, pi summarizes by itself.
import type { ExtensionAPI, ExtensionContext } from '@earendil-works/pi-coding-agent'

const { COMPACTION_URL = 'http://127.0.0.1:8080', COMPACTION_TOKEN = '' } = process.env

export default function precis(pi: ExtensionAPI): void {
  let isAsking = false

  // Nobody waits for a summary that was prepared before pi compacts. What fails here, the compaction says.
  pi.on('turn_end', async (_event, context) => {
    const { tokens, contextWindow } = context.getContextUsage() ?? {}
    if (isAsking || !tokens || !contextWindow || tokens < contextWindow / 2) return
    isAsking = true
    const settings = { ...(await settingsOf(context)), contextWindow }
    const body = { entries: context.sessionManager.getBranch(), settings }
    void prepare(body).finally(() => (isAsking = false))
  })

  pi.on('session_before_compact', async (event, context) => {
    const { preparation, branchEntries, customInstructions, signal } = event
    const { keepRecentTokens, reserveTokens } = preparation.settings
    const settings = { keepRecentTokens, reserveTokens, contextWindow: context.getContextUsage()?.contextWindow }
    const reply = await post('/compaction', { entries: branchEntries, settings, customInstructions }, signal)
    if (typeof reply === 'string') return context.ui.notify(reply, 'warning')
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

/** The agent's own settings: a compaction uses only what was prepared with the same ones. Without them, Précis has pi's defaults. */
async function settingsOf(context: ExtensionContext) {
  try {
    const { SettingsManager } = await import('@earendil-works/pi-coding-agent')
    const manager = SettingsManager.create(context.cwd, undefined, { projectTrusted: context.isProjectTrusted() })
    // @ts-expect-error: getGroup is oh-my-pi's.
    const settings = manager.getCompactionSettings?.(context.model) ?? manager.getGroup('compaction')
    return { keepRecentTokens: settings.keepRecentTokens, reserveTokens: settings.reserveTokens }
  } catch {
    return {}
  }
}

/**
 * Has Précis write the next summary in the background, once the context is large enough. pi compacts later than Précis advises
 * (`compact` or `prune`): until then, a newer summary may be due.
 */
async function prepare(body: object): Promise<void> {
  const plan = await post('/compaction/plan', body)
  if (typeof plan !== 'string' && plan.action !== 'none') await post('/compaction/prepare', body)
}

interface Reply {
  summary: string
  firstKeptEntryId: string
  tokensBefore: number
  details: unknown
  /** Of a plan. */
  action?: string
}

/** Returns a reply of Précis, or why there is none. */
async function post(path: string, body: object, signal?: AbortSignal): Promise<Reply | string> {
  try {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${COMPACTION_TOKEN}` }
    const init = { method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) }
    const response = await fetch(COMPACTION_URL.replace(/\/$/, '') + path, init)
    if (response.ok) return (await response.json()) as Reply
    return `Précis answered ${response.status}: ${(await response.text()).slice(0, 300)}`
  } catch (error) {
    return `Précis cannot be reached: ${String(error)}`
  }
}
