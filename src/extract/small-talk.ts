import { isGoOn } from './done-claims.ts'

/** Longer messages say something. */
const MAX_CHARACTERS = 60

const WORDS =
  'yo|hi|hey|hello|hallo|wow|cool|nice|great|perfect|awesome|thanks|thank you|thx|ty|danke|merci|gracias|obrigad[oa]|lol|haha|hm+|ok(?:ay)?|k|yes|yeah|yep|yup|y|no|nope|n|sure|good|fine|right|true|ja|nein|oui|non|sí|si|да|нет|спасибо|ок|好的?|谢谢|嗯|是的?|对|はい|いいえ|ありがとう|네|아니요'

/** Greetings, thanks, and words that only agree or disagree. */
const TALK = new RegExp(String.raw`^(?:${WORDS})(?:[\s,.!…]+(?:${WORDS})){0,3}[\s,.!…]*$`, 'i')

/** Commands of a client without words of the user, and those of a shell that a user types for himself. */
const COMMAND =
  /^(?:\/[\w:.-]+|!.*|(?:ls|ll|pwd|clear|exit|quit|date|whoami|git (?:status|log|diff))(?: -{1,2}[\w-]+)*)$/

/** Whether a message of a user asks for nothing and says nothing by itself. After a question, it may be the answer. */
export function isSmallTalk(text: string): boolean {
  const words = text.trim()
  return words.length <= MAX_CHARACTERS && (TALK.test(words) || COMMAND.test(words) || isGoOn(words))
}
