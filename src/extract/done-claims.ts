import { findShortfalls, isUnverified, LEFT_AS_IT_WAS, OFFER } from './left-words.ts'
import { stemsOf } from './same-words.ts'
import { findSentences } from './statements.ts'
import { QUESTION_AT_END } from './user-text.ts'

/**
 * The words by which agents claim that something is done. In doubt, nothing is claimed: work that is taken for finished is never
 * finished.
 */

/** Words of a claim, in the languages of words.ts. */
const CLAIM_LATIN = [
  'done|fixed|implemented|added|created|updated|removed|deleted|renamed|moved|refactored|finished|completed?|committed',
  'pushed|merged|wrote|written|rewrote|rewritten|changed|replaced|resolved|migrated|converted|extracted|extended|improved',
  'installed|configured|enabled|disabled|reverted|corrected|documented|released|published|deployed|in place|works? now',
  'now works?|(?:is|are) (?:all |now )?green|should (?:now work|work now)|passes|pass|passed|ready(?! to (?:start|begin|proceed|go|help|continue|implement|work|answer|take|assist))|split|built|ported|wired|introduced|dropped|simplified|cleaned up',
  'erledigt|eingecheckt|fertig|behoben|umgesetzt|hinzugefügt|ergänzt|geändert|entfernt|umbenannt|angelegt|erstellt|implementiert',
  'aktualisiert|ersetzt|verschoben|terminé|corrigé|ajouté|implémenté|supprimé|renommé|créé|modifié|hecho|listo|corregido',
  'añadido|agregado|implementado|eliminado|renombrado|creado|actualizado|terminado|feito|pronto|corrigido|adicionado',
  'removido|concluído|fatto|corretto|aggiunto|implementato|rimosso|rinominato|completato',
].join('|')
const CLAIM_OTHERS =
  'готово|сделан|исправлен|исправил|добавлен|добавил|удал[её]н|удалил|переименова|реализован|создан|обновл[её]н|完成|已修复|已添加|已实现|已经|已更新|已删除|已重命名|修好|完了|しました|済み|완료|했습니다'
export const CLAIM = new RegExp(String.raw`(?<![\p{L}-])(?:${CLAIM_LATIN})(?![\p{L}-])|${CLAIM_OTHERS}`, 'iu')

/** A sentence that begins with what was done, in English: `Patched.`, `I also bumped the version.` */
const PAST =
  /^(?:i(?:['’]ve| have)? (?:also |now |just )?)?(?!(?:not|acknowledg|agre)ed(?:[,.;:!]|$| that| and)|(?:tri|need|fail|want|look|check|investigat|review|analyz|notic|bas|relat|expect|stopp|skipp|start|attempt|consider|decid|plann|interrupt|block|assum|verifi|test|explor|examin|search|list|inde|ask|us|realiz|confus|misunderstand|limit|requir|suggest|propos|recommend|succe|unus|suppos|nest|number|order|nam|mix|combin)ed\b|(?:indeed|need|proceed)\b|(?:call|caus|declar|defin|deriv|generat|handl|import|inherit|locat|return|stor|trigger)ed (?:at|by|from|in|on|via)\b)[a-z]{3,20}ed\b/i

/** Words that make a sentence a plan, a condition, a question or a denial, where they are before its claim. */
const UNCERTAIN = new RegExp(
  [
    String.raw`n['’]t(?![\p{L}])|(?<![\p{L}])(?:i|we|it|that|they)['’]d(?![\p{L}]| better)`,
    // Somebody else has done it, or it is not over
    String.raw`(?<![\p{L}])(?:you|they|he|she)(?:['’]ve| have)? (?:already |just |also )?$|(?<![\p{L}])(?:gets?|getting|being|best|easily|quickly|usually|normally|typically) $`,
    String.raw`(?<![\p{L}])(?:will|would|should|could|can|cannot|may|might|must|shall|let me|let's|i'll|going to|next|plan|want|wants|if|once|unless|until|when|needs?|have to|todo|to be|try|tried|trying|suggest|propose|recommend|not|no|never|nothing|none|nor|neither|without|almost|nearly|partly|partially|half|previously|already had|had (?:i|we)|were (?:it|they|this|that)|as soon as|assuming|provided|suppose|before (?:it|this|that|they|you|we|the \p{L}{1,20}) (?:is|are|gets?)|please(?! note)|kein\w*|nichts?|nie|wird|werde|werden|würden?|wären?|hätten?|sollte|könnte|falls|wenn|sobald|fast|teilweise|pas|jamais|rien|si|quand|devrait|pourrait|sera|serait|aurait|presque|partiellement|nunca|nada|cuando|debería|podría|será|sería|estaría|habría|casi|não|quando|deveria|poderia|seria|teria|quase|non|mai|se|dovrebbe|sarebbe|avrebbe|quasi)(?![\p{L}])`,
    '(?<![\\p{L}])(?:не|нет|если|когда|будет|нужно|почти)(?![\\p{L}])|没|未|不|如果|将|需要|应该|まだ|ません|もし|予定|안 |못|아직|만약',
  ].join('|'),
  'iu',
)

/** The longest text that is one claim without being a sentence of at least four characters, such as `完成。`. */
const MAX_SHORT_CHARACTERS = 12

export function sentencesOf(text: string): string[] {
  const trimmed = text.trim()
  return trimmed.length <= MAX_SHORT_CHARACTERS ? [trimmed] : findSentences(trimmed)
}

/** A sentence, and the stems of its words. */
export interface StatedWork {
  text: string
  stems: ReadonlySet<string>
}

/** The words of an answer about work. */
export interface AnswerClaims {
  /** The sentences in which the agent claims that something is done. */
  claims: readonly StatedWork[]
  /** The sentences in which it says what it has not done. */
  shortfalls: readonly StatedWork[]
}

/** In so many sentences at the end of an answer, an agent announces what it does next. */
const LAST_SENTENCES = 2

/** The words before another way: what an agent offers with them before a question is there to choose from, and not done. */
const OPTION = /[,;.] (?:or|oder|ou|soit|o|oppure|или|либо)(?![\p{L}])/iu

/** Returns what an agent says of its work in an answer. What it announces before a question is a plan, and the user decides. */
export function readClaims(answer: string): AnswerClaims {
  const sentences = sentencesOf(answer)
  const asks = QUESTION_AT_END.test(answer.trimEnd())
  // What is announced before them was done in the same answer.
  const lastAt = asks ? sentences.length : sentences.length - LAST_SENTENCES
  const stated = (text: string): StatedWork => ({ text, stems: stemsOf(text) })
  return {
    claims: sentences.filter((sentence) => isClaim(sentence) && !(asks && OPTION.test(sentence))).map(stated),
    shortfalls: sentences.filter((sentence, at) => isShortfall(sentence, at >= lastAt)).map(stated),
  }
}

/** A list item, and the heading or the line before a list of what is not done. */
export const ITEM = /^\s{0,8}(?:[-*+•✅✓]|\d{1,2}[.)])\s{1,4}(\S.*)$/u
export const REST =
  /^[\s#*_]{0,8}(?:next|to-?do|remaining|still|not |open|missing|left|follow|later|out of scope|offen|noch|nicht|fehl|restant|pendiente|下一步|未|残|次)/iu

/** Returns the clauses by which an agent says in an answer what it has done: those of its claims, and the items of lists of them. */
export function claimedWords(answer: string): string[] {
  const sentences = sentencesOf(answer)
  const claims = sentences.filter(isClaim).flatMap((text) => text.split(CLAUSE).filter((clause) => !saysLeft(clause)))
  let isRest = claims.length === 0
  const items = answer.split('\n').flatMap((line) => {
    const [, item] = ITEM.exec(line) ?? []
    if (item === undefined && line.trim() !== '') isRest = claims.length === 0 || REST.test(line)
    return item === undefined || isRest || isShortfall(item) || saysLeft(item) || /[?？]$/.test(item) ? [] : [item]
  })
  return [...claims, ...items]
}

/** The place between two clauses of which one may deny what the other one claims. */
const CLAUSE =
  /[;；]\s?|,\s(?=(?:but|and (?:i|we)|aber|mais|pero)\s)|\s(?=(?:but|and (?:i['’]ll|i will)|aber|mais|pero)\s)/iu

/** Returns the clauses of a shortfall that say so: another one may claim something. */
export function shortClauses(shortfall: string): string[] {
  const clauses = shortfall.split(CLAUSE).filter((clause) => isShortfall(clause, true))
  return clauses.length === 0 ? [shortfall] : clauses
}

/** Whether a clause is an offer or a plan, or says what was left as it was. */
export const saysLeft = (clause: string): boolean => OFFER.test(clause) || LEFT_AS_IT_WAS.test(clause)

/**
 * Returns the clauses about what is not done though they are no shortfalls by themselves: what was left as it was, plans and offers.
 * Of an offer, the words are those after it.
 */
export const leftClauses = (answer: string): { text: string; words: string }[] =>
  sentencesOf(answer)
    .flatMap((sentence) => sentence.split(CLAUSE))
    .filter(saysLeft)
    .map((text) => ({
      text,
      words:
        text
          .split(OFFER)
          .at(-1)
          ?.replace(/^\P{L}+$/u, '') || text,
    }))

/** Returns a clause without the words of claims. */
export const withoutClaim = (clause: string): string => clause.replace(CLAIMS, ' ')

const CLAIMS = new RegExp(CLAIM, 'giu')

/** Whether a sentence claims that something is done. */
export function isClaim(sentence: string): boolean {
  const claim = CLAIM.exec(sentence)
  if (isDenied(sentence, claim) || isHypothetical(sentence, claim)) return false
  const index = PAST.test(sentence) ? 0 : claim?.index
  return index !== undefined && !/[?？]$/.test(sentence) && !UNCERTAIN.test(sentence.slice(0, index))
}

/** What follows a word that is denied at the end of its clause, as German does it: `eingecheckt ist die Datei noch nicht`. */
const DENIED = /^(?: \p{L}{1,30}){1,5} (?:nicht|nie)(?![\p{L}])/u

const isDenied = (sentence: string, claim: RegExpExecArray | null): boolean =>
  claim !== null && DENIED.test(sentence.slice(claim.index + claim[0].length))

/** What follows a claiming word where it is about a case that has not happened: `Implemented it would cost 2 GB`. */
const HYPOTHETICAL =
  /^(?:,? (?!(?:(?<!like )that(?! way)|which|who|what|where|how|so|because|since|as|when|if|while|until|but|and|or|otherwise|dass|weil|sonst)(?![\p{L}]))[^\s,;:.!?]{1,40}){0,5} (?:would|could|might|würden?|wären?|könnten?|hätten?|(?:co[uû]t|ser|aur|estar|habr|cost)(?:er|ar)?(?:ait|ía|ia|ebbe))(?![\p{L}])/iu

/** What follows where `is done` describes something, or somebody else has done it. */
const DESCRIBED =
  /^ (?:(?:by \p{L}{2,20}ing|automatically|whenever|(?:each|every) time)(?![\p{L}])|(?:in|with|since|by) (?:v?\d|version|release|commit|the (?:maintainers?|team|previous|original|upstream)))/iu
const IS = /(?<![\p{L}])(?:is|are|was|were|been) (?:\p{L}{2,20}ly )?$/iu

function isHypothetical(sentence: string, claim: RegExpExecArray | null): boolean {
  const word = claim ?? PAST.exec(sentence)
  if (word === null) return false
  const [before, after] = [sentence.slice(0, word.index), sentence.slice(word.index + word[0].length)]
  return HYPOTHETICAL.test(after) || (IS.test(before) && DESCRIBED.test(after))
}

/** A second part of a sentence begins here. */
const GOES_ON = /;|(?<![\p{L}])(?:but|except|however|although|though|aber|mais|pero|ma)(?![\p{L}])|,\s?(?:and )?$/iu

/**
 * Returns whether an agent says in a sentence what it has not done. A text after a claim explains it.
 * @param isLast whether what it announces there is not begun
 */
export const isShortfall = (sentence: string, isLast = false): boolean =>
  findShortfalls(sentence, isLast).some((index) => {
    const claim = CLAIM.exec(sentence.slice(0, index))
    return (
      claim === null ||
      isDenied(sentence, claim) ||
      UNCERTAIN.test(sentence.slice(0, claim.index)) ||
      GOES_ON.test(sentence.slice(claim.index, index))
    )
  })

/** The words by which an agent says that work is not committed. */
const NOT_COMMITTED =
  /(?<![\p{L}])(?:(?:(?:not|n['’]t) (?:yet |been ){0,2}|nothing (?:is|was|has been) )(?:committed|checked in)|uncommitted|noch nichts? (?:eingecheckt|committet)|eingecheckt(?: \p{L}{1,20}){1,4} noch nicht)(?: yet)?(?![\p{L}])/iu

/** What a shortfall still needs after its turn. */
export interface Missing {
  /** Whether it needs a commit. */
  commit: boolean
  /** Whether it needs a check that passes. */
  check: boolean
  /** Whether it needs more than these. */
  more: boolean
}

/** Returns what is missing where an agent says so in a sentence. */
export function readMissing(shortfall: string): Missing {
  const commit = NOT_COMMITTED.test(shortfall)
  const rest = commit ? shortfall.replace(NOT_COMMITTED, '') : shortfall
  const check = commit && isUnverified(rest)
  return { commit, check, more: !check && (!commit || isShortfall(rest)) }
}
