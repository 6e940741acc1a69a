#!/usr/bin/env node
// Puts a summary by Précis into the context of Claude Code 2.1 or Codex 0.169 after each compaction. Needs Node.js 18.
// The setting: the hooks of claude-code.json in ~/.claude/settings.json, or those of codex.json in ~/.codex/hooks.json.
// To run it: the agent does. It calls COMPACTION_URL (default http://127.0.0.1:8080), with COMPACTION_TOKEN if it is set.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * What each agent does not cut: 10,000 characters of each hook of Claude Code (each hook returns one part), and about 2,500
 * tokens of a hook of Codex. `reserveTokens` limits the summary to 0.8 of it, so that it fits into the parts.
 */
const AGENTS = {
  'claude-code': { parts: 3, maxChars: 9000, reserveTokens: 8400 },
  codex: { parts: 1, maxChars: 8500, reserveTokens: 2600 },
}

/** The agent's own summary then costs little. It must have the newest message, which is not in the summary by Précis. */
const INSTRUCTIONS =
  'Write at most ten lines: what the newest messages say, and what you are about to do. A summary of everything before them ' +
  'follows after the compaction.'

const FOLDER = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'precis-hook')
const { COMPACTION_URL: url = 'http://127.0.0.1:8080', COMPACTION_TOKEN: token } = process.env
const [, , name = '', step = '', part = '1'] = process.argv

try {
  const agent = AGENTS[name]
  const input = JSON.parse(readFileSync(0, 'utf8'))
  if (agent === undefined || !['before', 'after'].includes(step))
    throw new Error('usage: precis-hook.mjs claude-code|codex before, or: precis-hook.mjs claude-code|codex after PART')
  if (step === 'before') await before(agent, input)
  else after(input, Number(part))
} catch (error) {
  // The agent compacts as it would without this hook: the exit code 2 would stop it.
  process.stderr.write(`precis-hook: ${error.cause?.message ?? error.message}\n`)
  process.exitCode = 1
}

/** Runs before a compaction (PreCompact): stores the parts of the summary. */
async function before(agent, input) {
  mkdirSync(FOLDER, { recursive: true, mode: 0o700 })
  for (let number = 1; number <= agent.parts; number++) rmSync(fileOf(input, number), { force: true })
  const body = readFileSync(input.transcript_path)
  const texts = []
  let count = 1
  for (let number = 1; number <= Math.min(count, agent.parts); number++) {
    const { text, headers } = await fetchPart(agent, body, number)
    count = Number(headers.get('x-precis-parts'))
    texts.push(text)
  }
  if (count > agent.parts) texts.push(`${texts.pop()}\n[The rest of the summary is too long for this hook.]`)
  texts.forEach((text, index) => {
    const title = `Summary of the conversation before the compaction (part ${index + 1} of ${texts.length}):`
    writeFileSync(fileOf(input, index + 1), `${title}\n\n${text}\n`, { mode: 0o600 })
  })
  // Claude Code adds this text to the instructions of its own summary. Codex has a setting for it, and accepts only JSON here.
  if (name === 'claude-code') process.stdout.write(`${INSTRUCTIONS}\n`)
}

/** Returns a part of the summary. The service has the summary in its cache when the second part is asked for. */
async function fetchPart({ maxChars, reserveTokens }, body, number) {
  const query = new URLSearchParams({
    format: name,
    reply: 'text',
    keepRecentTokens: 1,
    reserveTokens,
    maxChars,
    part: number,
  })
  const response = await fetch(`${url}/compaction?${query}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson', ...(token && { authorization: `Bearer ${token}` }) },
    body,
    signal: AbortSignal.timeout(170_000),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 500)}`)
  return { text, headers: response.headers }
}

/** Runs when a session starts (SessionStart): prints a part of the summary, once. */
function after(input, number) {
  if (input.source !== 'compact') return
  const file = fileOf(input, number)
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return // The summary has fewer parts, or there is none.
  }
  rmSync(file)
  const hookSpecificOutput = { hookEventName: 'SessionStart', additionalContext: text }
  process.stdout.write(name === 'codex' ? JSON.stringify({ hookSpecificOutput }) : text)
}

function fileOf({ session_id: id }, number) {
  if (!/^[\w-]{1,100}$/.test(id)) throw new Error('the input of the hook has no usable `session_id`')
  return join(FOLDER, `${id}.${number}.txt`)
}
