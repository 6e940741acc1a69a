import { findConversation } from '../../session/transcript.ts'

/**
 * A prompt of a known client for the summary of a conversation, by a few of its words. `place`: in the system prompt, in the
 * last message after the conversation, or in a message that has the conversation as a transcript.
 */
interface KnownPrompt {
  place: 'system' | 'last' | 'transcript'
  words: string
}

const PARTIAL_TRANSCRIPT = 'You have written a partial transcript for the initial task above'

/** Returns whether the client with these instructions writes the summary before other text: LiteLLM, before the system prompt. */
export const isWrittenBeforeText = (instructions: string): boolean => instructions.includes(PARTIAL_TRANSCRIPT)

/** Returns whether a message ends with such instructions below other words: LiteLLM adds them to the last message, also if it is the only one. */
export const isMergedPrompt = (text: string): boolean => text.lastIndexOf(`\n\n${PARTIAL_TRANSCRIPT}`) > 0

/** Roo and Kilo, and what Roo writes since version 3.47. */
const ROO_PROMPTS: readonly (KnownPrompt & { place: 'system' | 'last' })[] = [
  { place: 'system', words: 'Your task is to create a detailed summary of the conversation' },
  { place: 'last', words: 'Summarize the conversation so far, as described in the prompt' },
  { place: 'system', words: 'CRITICAL: This is a summarization-only request. DO NOT call any tools or functions.' },
]

const KNOWN_PROMPTS: readonly KnownPrompt[] = [
  ...ROO_PROMPTS,
  // opencode 1.18.33; its version 2 (2.0.23) sends the conversation as messages
  { place: 'system', words: 'You are a context summarization agent' },
  { place: 'last', words: 'Create a new anchored summary from the conversation history' },
  { place: 'last', words: 'You MUST summarize the conversation above into a structured summary that will be given' },
  { place: 'last', words: 'Update the existing checkpoint in the conversation above into one consolidated summary' },
  // Cline 3.0.65
  { place: 'system', words: 'Summarize the provided coding session into a concise continuation note' },
  { place: 'transcript', words: 'Summarize this session for continuation. Be concise and factual' },
  // Aider 0.86
  { place: 'system', words: 'summarize this partial conversation about programming' },
  // Qwen Code, Gemini CLI
  { place: 'system', words: 'summarizes internal chat history into a given structure' },
  { place: 'last', words: 'generate the <state_snapshot>' },
  // Letta
  { place: 'system', words: 'Your job is to summarize a history of previous messages' },
  { place: 'system', words: 'messages are being evicted from the' },
  { place: 'last', words: 'messages are being evicted from the' },
  // Codex with a provider of any other name than OpenAI
  { place: 'last', words: 'CONTEXT CHECKPOINT COMPACTION' },
  // Claude Code 2.1.330, which a gateway has translated
  { place: 'last', words: 'CRITICAL: Respond with TEXT ONLY. Do NOT call any tools' },
  // LiteLLM, and Anthropic's published default
  { place: 'last', words: PARTIAL_TRANSCRIPT },
  // oh-my-pi 18.2.3: a handoff (its other prompts have the conversation in tags)
  { place: 'last', words: 'Write a handoff document for another instance of yourself' },
  // LangChain 1.5, and deepagents 1.14 with its own prompt
  { place: 'transcript', words: 'Context Extraction Assistant' },
  { place: 'transcript', words: 'You are a conversation summarizer. Your task is to create a concise summary' },
  // OpenHands
  { place: 'transcript', words: 'context-aware state summary for an interactive' },
]

/** Returns whether a text has the words of a known prompt in its place. */
export const isSummaryPrompt = (place: KnownPrompt['place'], text: string): boolean =>
  KNOWN_PROMPTS.some((known) => known.place === place && text.includes(known.words))

/** Returns whether these instructions are those of Roo or Kilo, whose messages have marks of their own. */
export const isPromptOfRoo = (texts: Readonly<Record<'system' | 'last', string>>): boolean =>
  ROO_PROMPTS.some(({ place, words }) => texts[place].includes(words))

/** Words for a summary, as in the prompts of pi, oh-my-pi 18.2.3 and of the templates that their users write. */
const SUMMARY_WORDS = /summar(?:y|i[sz])|hand-?off|compact/i

/**
 * Returns whether a prompt has a conversation, its tags on lines of their own, and asks for its summary outside of it: pi and
 * oh-my-pi send this. A question may be about such tags.
 */
export function isTranscriptPrompt({
  systemPrompt = '',
  prompt,
}: {
  systemPrompt?: string | undefined
  prompt: string
}): boolean {
  const conversation = findConversation(prompt)
  if (conversation === undefined) return false
  const { start, end } = conversation
  const ownLines = prompt[start] === '\n' && prompt[end - 1] === '\n'
  return ownLines && [systemPrompt, prompt.slice(0, start), prompt.slice(end)].some((text) => SUMMARY_WORDS.test(text))
}

/** Returns where the paragraph with a known prompt begins in the last message of a chat; undefined without one. */
export function findPrompt(text: string): number | undefined {
  const places = KNOWN_PROMPTS.filter(({ place }) => place === 'last').map(({ words }) => text.indexOf(words))
  const found = places.filter((at) => at >= 0)
  return found.length === 0 ? undefined : startOfParagraph(text, Math.min(...found))
}

/** The beginning of a sentence, and words of politeness. */
const SENTENCE_START = String.raw`(?:^|[\n.!?:;,]\s{0,4})(?:(?:please|now|ok|okay|then|first|finally|and|so|(?:can|could|would|will) you(?: please)?|i (?:want|need|would like) you to|your (?:next )?task is to|you (?:must|should)(?: now)?|let's)[,:]?\s{1,4}){0,3}`

const SUMMARIZE = String.raw`(?:summari[sz]e|compact|compress|condense|recap|hand off|(?:write|create|give|produce|prepare|generate|provide|make|draft)\s(?:[\w,-]{1,20}\s){0,6}?(?:summary|hand-?off(?: (?:document|note|message|summary))?|recap|checkpoint)\s(?:of|for|from|about|that (?:covers|summari[sz]es)))`

const NOUN = String.raw`(?:conversation|session|chat|discussion|dialogue|transcript|thread|exchange|messages)`

/** Words that make the noun this conversation, and not any other. */
const THIS = String.raw`(?:this|our|all of (?:this|our)|(?:the|this|our) (?:whole|entire|full|complete|current|above|previous|preceding|earlier|older))`
const SO_FAR = String.raw`(?:so far|above|until now|up to (?:now|here|this point)|to date|(?:that )?we(?:'ve| have)? had)`

/** A noun is not the first part of another one, as in "the session handling". */
const NOUN_ENDS = String.raw`(?=\s{0,4}(?:$|[.!?,:;)\n]|(?:in|into|for|to|with|so|as|and|using|by|that|before|above|below|between|we|you|now|first|please|again|thoroughly)\b|history\b))`

/** A sentence that asks for a summary of this conversation. No part of it is longer than some words, so it takes linear time. */
const ASK = new RegExp(
  String.raw`${SENTENCE_START}${SUMMARIZE}\s{1,4}(?:(?:${THIS}\s{1,4})${NOUN}(?: history)?${NOUN_ENDS}|the ${NOUN}(?: history)?(?:\s{1,4}${SO_FAR}|\s{0,4}(?:[.!?:\n]|$))|(?:everything|all|what) (?:we|that we|you) (?:have |'ve )?(?:discussed|did|done|talked about)[^.\n]{0,40}?(?:so far|in this (?:${NOUN})))`,
  'i',
)

/** A wish for a title or a line: that is no summary to continue from. */
const SHORT_WISH =
  /\b(?:titles?|headlines?|subject line|tweet|emoji|slogan|keywords?|(?:one|two|three|four|five|single|few|\d{1,3})(?:[ -]\w{1,10}){0,2}[ -](?:words?|sentences?|lines?|bullets?|bullet points?|characters?))\b/i

/** Lengths of the parts of a summary, not of the whole. */
const ITEM_LENGTH = /\b(?:one|two|single)[ -](?:line|sentence) (?:bullets?|bullet points?|items?|entries|notes?)\b/gi

/** A sentence after the request that limits the whole summary: "In 20 words.", "Keep it to one line". */
const LIMIT =
  /^(?:in|at most|up to|no more than|only|just|max|maximum|(?:keep|make|limit) (?:it|that|this)|answer|reply|respond|one|two|three|four|five|single|a|\d{1,3})\b/i

const SENTENCE_END = /[.!?](?=\s)|\n/

/**
 * Returns whether a request for a summary limits it to a title or some words: in its own sentence, or in a later one of its
 * paragraph. A template below it may limit its sections.
 * @param at where the request begins in its paragraph
 */
function isShortWish(fromParagraph: string, at: number): boolean {
  const [paragraph = ''] = fromParagraph.split(/\n[ \t]{0,8}\n/, 1)
  const opening = paragraph.slice(0, at).split(SENTENCE_END).at(-1) ?? ''
  const [own = '', ...others] = (opening + paragraph.slice(at)).replaceAll(ITEM_LENGTH, '').split(SENTENCE_END)
  return [own, ...others.filter((sentence) => LIMIT.test(sentence.trim()))].some((one) => SHORT_WISH.test(one))
}

/** Instructions are short: a longer text has other things in it, in which these words may be quoted. */
const MAX_ASK_CHARACTERS = 20_000

/**
 * Returns where the paragraph begins that asks, as the last thing in a message, for a summary of this conversation;
 * undefined if there is none, or if it asks for a title or a few words.
 */
export function findAsk(text: string): number | undefined {
  if (text.length > MAX_ASK_CHARACTERS) return undefined
  const match = ASK.exec(text)
  if (match === null) return undefined
  const [separator = ''] = /^[\n.!?:;,]?\s{0,4}/.exec(match[0]) ?? []
  const at = match.index + separator.length
  const start = startOfParagraph(text, at)
  return isShortWish(text.slice(start), at - start) ? undefined : start
}

/**
 * Returns where the paragraph of a place begins, after the last blank line before it. It searches backwards, because a text may
 * have millions of blank lines.
 */
function startOfParagraph(text: string, at: number): number {
  for (let end = text.lastIndexOf('\n', at - 1); end > 0;) {
    const start = text.lastIndexOf('\n', end - 1)
    if (start < 0) return 0
    if (text.slice(start + 1, end).trim() === '') return end + 1
    end = start
  }
  return 0
}
