import { findDecisions } from '../../extract/statements.ts'
import { readQuestionAtEnd } from '../../extract/user-text.ts'
import type { UserAnswer } from '../../session/message.ts'
import { oneLine, shorten } from '../../text/shorten.ts'
import { writeAnswered } from './answered.ts'
import type { WorkNews } from '../../extract/work-news.ts'
import type { SessionFacts } from './facts.ts'
import { splitPassages } from './passages.ts'
import { isNotYetOver, isOverFailure } from './stale-lines.ts'

/**
 * The beginning of a skill (Claude Code), of what clients say to go on after a compaction and where the output of a command is that has
 * ended, of a file that was attached (Cline), and of the note that the user has interrupted a turn (Claude Code, Codex).
 */
const PASSING =
  /^\s{0,20}(?:Base directory for this skill:|(?:please )?(?:continue|go on|resume)\b|Read the output file to retrieve\b|\[File: |\[Request interrupted by|<turn_aborted>)/i

/** Questions by which an agent only says that it is ready. */
const GREETING =
  /\b(?:how (?:can|may) i (?:help|assist)|what(?:['’]s| is) next|anything else|what (?:would|do) you (?:like|want) (?:me )?to (?:do|work on)|wie kann ich (?:dir |ihnen )?helfen)\b/i

const MAX_HEARD = 6
const MAX_SENTENCE_CHARACTERS = 300

const shortenSentence = (sentence: string): string => shorten(sentence, MAX_SENTENCE_CHARACTERS)

/** Records what the agent decides, asks and announces, what it is answered, and what its client tells it. */
export class WordsLog {
  /** With the message that has each, an index; none for what the user has answered, which holds until he says otherwise. */
  readonly #decisions = new Map<string, number | undefined>()
  #heard: string[] = []
  #openQuestion: string | undefined
  /** What was answered since the newest request, or by it: that stands among the goals and the next steps. */
  #newestAnswer: string | undefined

  /** Records a text of the agent. */
  say(text: string, at: number): void {
    for (const sentence of findDecisions(text)) this.#renew(shortenSentence(sentence), at)
    this.#openQuestion = readQuestionAtEnd(text)
  }

  /** Records a request: no question is open after it. @returns the question that it answers */
  request(text: string): string | undefined {
    const asked = text.startsWith('/') ? undefined : this.#openQuestion
    this.#openQuestion = undefined
    this.#newestAnswer = undefined
    if (asked === undefined || GREETING.test(asked)) return undefined
    this.#noteAnswer(asked, text)
    return asked
  }

  /** Records what the user said in the result of a tool: no question is open after it. @returns the question that it answers */
  reply({ question, answer }: UserAnswer): string | undefined {
    const asked = question || this.#openQuestion
    if (asked !== undefined) this.#noteAnswer(asked, answer)
    else this.#renew(`The user said: "${shortenSentence(oneLine(answer))}"`)
    this.#openQuestion = undefined
    return asked
  }

  /** Records the beginning of a text that a client has added. Skills are for the moment in which they are used. */
  hear(text: string): void {
    const [first] = PASSING.test(text) ? [] : splitPassages(text)
    if (first !== undefined) this.#heard = [...this.#heard, first].slice(-MAX_HEARD)
  }

  /**
   * @param isOpen whether the newest request is open: then the next steps have what was answered last
   * @param news by which a reason that something is not done yet is over
   */
  facts(
    isOpen: boolean,
    news: WorkNews,
  ): Pick<SessionFacts, 'decisions' | 'heard'> & { openQuestion: string | undefined } {
    return {
      decisions: [...this.#decisions].flatMap(([text, at]) => {
        const isElsewhere = isOpen && text === this.#newestAnswer
        const isOver = at !== undefined && (isNotYetOver(text, news, at) || isOverFailure(text, at, news))
        return isElsewhere || isOver ? [] : text
      }),
      heard: this.#heard,
      openQuestion: this.#openQuestion,
    }
  }

  #noteAnswer(question: string, answer: string): void {
    const [asked, answered] = [question, answer].map((text) => shortenSentence(oneLine(text)))
    this.#newestAnswer = writeAnswered(asked ?? '', answered ?? '')
    this.#renew(this.#newestAnswer)
  }

  /** Moves a repeated text to the end: the newest texts come last. */
  #renew(text: string, at?: number): void {
    this.#decisions.delete(text)
    this.#decisions.set(text, at)
  }
}
