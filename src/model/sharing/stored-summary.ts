import { createHmac, timingSafeEqual } from 'node:crypto'
import { writeSummaryMessage } from '../../agents/own-summary.ts'
import { withoutMarker } from '../../agents/summary-message.ts'
import { fieldsOf, parseJson } from '../../session/entry.ts'
import { hasVisibleWords } from '../../text/visible-words.ts'
import { estimateTextTokens } from '../../tokens/estimate-tokens.ts'

/** The state of a summary: it waits for its turn, it is being written, it could not be written, or it is there. */
export type KnownSummary = { state: 'queued' | 'pending' | 'failed' } | StoredSummary

export type StoredSummary = StoredCut | StoredDrafts

/** A summary of the messages before a cut, as `/v1/compress` sends it. */
export interface StoredCut {
  /** `active` once it has been returned: from then on the conversation begins with it, until it exceeds the limit again. */
  state: 'ready' | 'active'
  summary: string
  /** The tokens of the message with the summary. */
  tokens: number
  model: string
}

/** The checked drafts of a part of a session, as the work that uses them has written them: this process does not read them. */
export interface StoredDrafts {
  state: 'ready'
  /** JSON. */
  drafts: string
}

/** The largest summary has some 100,000 tokens. */
const MAX_SUMMARY_CHARACTERS = 1_000_000

/** Two drafts of that size with their findings, and the hashes of some 20,000 results. */
const MAX_DRAFTS_CHARACTERS = 3_000_000

const areKept = (drafts: unknown): drafts is string =>
  typeof drafts === 'string' && drafts !== '' && drafts.length <= MAX_DRAFTS_CHARACTERS

/** Returns the characters of a summary in memory, about. */
export const lengthOfSummary = (known: KnownSummary): number =>
  'summary' in known ? known.summary.length : 'drafts' in known ? known.drafts.length : 0

const ORDER: readonly KnownSummary['state'][] = ['queued', 'pending', 'failed', 'ready', 'active']

/** Returns whether one state of a summary replaces another one. One that is active may be another text. */
export const isFurther = ({ state }: KnownSummary, than: KnownSummary | undefined): boolean =>
  than === undefined || state === 'active' || ORDER.indexOf(state) > ORDER.indexOf(than.state)

/** Returns whether a summary is small enough to be kept. */
export const isKeepable = (known: KnownSummary): boolean =>
  'drafts' in known ? areKept(known.drafts) : lengthOfSummary(known) <= MAX_SUMMARY_CHARACTERS

/**
 * Returns what a text of Redis says of a summary; undefined if it is something else. The tokens of a cut are counted again: a
 * wrong number would exceed the limit of a request.
 */
export function parseKnownSummary(text: string): KnownSummary | undefined {
  const { state, summary, tokens, model, drafts } = fieldsOf(parseJson(text))
  if (state === 'queued' || state === 'pending' || state === 'failed') return { state }
  if (state === 'ready' && summary === undefined) return areKept(drafts) ? { state, drafts } : undefined
  if (state !== 'ready' && state !== 'active') return undefined
  if (!isSummary(summary) || !Number.isSafeInteger(tokens) || Number(tokens) < 1 || typeof model !== 'string')
    return undefined
  return { state, summary, tokens: estimateTextTokens(writeSummaryMessage(summary)), model }
}

/** Returns whether a value can be a summary that this service has written: with words, and without the mark of LiteLLM. */
const isSummary = (value: unknown): value is string =>
  typeof value === 'string' &&
  value.length <= MAX_SUMMARY_CHARACTERS &&
  hasVisibleWords(value) &&
  withoutMarker(value) === value

/** The characters of an HMAC with SHA-256 as base64url. */
const MAC_CHARACTERS = 43

/** Returns a value of a store with the HMAC of its key and its text before it. */
export const sealValue = (secret: string, key: string, text: string): string => macOf(secret, key, text) + text

/** Returns the text of such a value; undefined if another secret, or none, has sealed it, or if it was sealed for another key. */
export function openValue(secret: string, key: string, value: string): string | undefined {
  const text = value.slice(MAC_CHARACTERS)
  const [given, expected] = [value.slice(0, MAC_CHARACTERS), macOf(secret, key, text)].map((mac) => Buffer.from(mac))
  if (given === undefined || expected === undefined || given.length !== expected.length) return undefined
  return timingSafeEqual(given, expected) ? text : undefined
}

const macOf = (secret: string, key: string, text: string): string =>
  createHmac('sha256', secret).update(`${key}\n`).update(text).digest('base64url')
