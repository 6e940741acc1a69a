/** The label of a speaker in a transcript; the offsets count UTF-16 units of the whole. */
export interface SpeakerLabel {
  speaker: string
  start: number
  end: number
}

/** Chat labels and Markdown: "Human: ", "**User:** ", "### Assistant:" */
const CHAT_LABEL =
  /^(?<mark>#{1,4} |\*\*)?(?<speaker>user|human|assistant|ai|model|system|tool(?: result| response)?|function):(?:\*\*)?[ \t]*/gim

/**
 * The labels of speakers in transcripts, each with its source. oh-my-pi 18.2.3 writes a transcript in the syntax of the
 * user's main model (docs/clients.md), with a backslash before a token's bars.
 */
const SYNTAXES: readonly RegExp[] = [
  CHAT_LABEL,
  // Aider 0.86
  /^# (?<speaker>USER|ASSISTANT)\n/gm,
  // ChatML (Qwen): <|im_start|>user
  /<\\?\|im_start\\?\|>(?<speaker>user|assistant|system|tool)\b[^\n]*\n?/g,
  // Harmony (gpt-oss, GPT-5): <|start|>assistant<|channel|>final<|message|>; a call's channel names its tool
  /<\\?\|start\\?\|>(?<speaker>[\w.]+)(?:[^\w.<][^<]*)?(?:<\\?\|channel\\?\|>(?:(?<channel>\w+)<\\?\|message\\?\|>|(?=commentary to=)))?/g,
  // Kimi: <|im_user|>user<|im_middle|>; a result is <|im_system|>edit<|im_middle|>## Return of functions.edit:0
  /<\\?\|im_(?:(?<speaker>user|assistant)\\?\|>[^<]*|system\\?\|>(?<channel>[^<]*))<\\?\|im_middle\\?\|>/g,
  // DeepSeek: <｜User｜>
  /<[|｜](?<speaker>User|Assistant|System)[|｜]>/g,
  // Gemma, Gemini: <start_of_turn>model
  /<start_of_turn>(?<speaker>user|model)\n/g,
  // Llama: <|start_header_id|>user<|end_header_id|>
  /<\\?\|start_header_id\\?\|>(?<speaker>user|assistant|system|ipython|tool)<\\?\|end_header_id\\?\|>/g,
]

/**
 * Finds the labels of a transcript in the syntax of its first label. Labels in any other syntax belong to what somebody
 * says, or to the output of a tool.
 */
export function findSpeakers(transcript: string): SpeakerLabel[] {
  const syntax = findSyntax(transcript)
  if (syntax === undefined) return []
  const matches = [...transcript.matchAll(syntax)]
  return (syntax === CHAT_LABEL ? matches.filter(isWrittenLikeFirst) : matches).map((match) => ({
    speaker: nameSpeaker(match.groups ?? {}),
    start: match.index,
    end: match.index + match[0].length,
  }))
}

function findSyntax(transcript: string): RegExp | undefined {
  const places = SYNTAXES.map((syntax) => ({ syntax, at: transcript.search(syntax) })).filter(({ at }) => at >= 0)
  const first = Math.min(...places.map(({ at }) => at))
  return places.find(({ at }) => at === first)?.syntax
}

/**
 * Returns whether a chat label is written like the first one: with the same mark, and both or neither with a capital
 * letter. Where the user is "Human", neither "User" nor "Model" is a label: files have lines such as `user: postgres`.
 */
function isWrittenLikeFirst(label: RegExpExecArray, _index: number, [first]: readonly RegExpExecArray[]): boolean {
  const { mark, speaker } = partsOf(label)
  const { mark: firstMark, speaker: firstSpeaker } = first === undefined ? { mark, speaker } : partsOf(first)
  const isCapital = (text: string): boolean => /^[A-Z]/.test(text)
  const others = OTHER_NAMES[firstSpeaker.toLowerCase()] ?? []
  return mark === firstMark && isCapital(speaker) === isCapital(firstSpeaker) && !others.includes(speaker.toLowerCase())
}

const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = { human: ['user', 'model'], user: ['human'] }

const partsOf = ({ groups: { mark = '', speaker = '' } = {} }: RegExpExecArray) => ({ mark: mark.charAt(0), speaker })

/**
 * Returns the speaker of a label. Harmony's thinking is a channel of the assistant; Kimi's results are the system's, in
 * a channel with the name of the tool.
 */
function nameSpeaker({ speaker = 'system', channel = '' }: Record<string, string | undefined>): string {
  if (channel === 'analysis') return 'thinking'
  if (speaker === 'system' && channel !== '' && channel !== 'system') return 'tool'
  return speaker.toLowerCase()
}
