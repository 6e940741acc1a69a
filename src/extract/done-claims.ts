import { stemsOf } from './same-words.ts'
import { findSentences } from './statements.ts'

/**
 * The words by which agents claim that something is done, and say what is not. In doubt, nothing is claimed: work that is taken for
 * finished is never finished.
 */

/** Words of a claim, in the languages of words.ts. */
const CLAIM_LATIN = [
  'done|fixed|implemented|added|created|updated|removed|deleted|renamed|moved|refactored|finished|completed?|committed',
  'pushed|merged|wrote|written|rewrote|rewritten|changed|replaced|resolved|migrated|converted|extracted|extended|improved',
  'installed|configured|enabled|disabled|reverted|corrected|documented|released|published|deployed|in place|works? now',
  'now works?|should (?:now work|work now)|passes|pass|passed|ready|split|built|ported|wired|introduced|dropped|simplified|cleaned up',
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
  /^(?:i(?:['’]ve| have)? (?:also |now |just )?)?(?!(?:tri|need|fail|want|look|check|investigat|review|analyz|notic|bas|relat|expect|stopp|skipp|start|attempt|consider|decid|plann|interrupt|block|assum|verifi|test|explor|examin|search|list|inde|ask|us|realiz|confus|misunderstand|limit|requir|suggest|propos|recommend|propos|succe|unus|suppos|nest|number|order|nam|mix|combin)ed\b|(?:indeed|need|proceed)\b)[a-z]{3,20}ed\b/i

/** Words that make a sentence a plan, a condition, a question or a denial, where they are before its claim. */
const UNCERTAIN = new RegExp(
  [
    String.raw`n['’]t(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:will|would|should|could|can|cannot|may|might|must|shall|let me|let's|i'll|going to|next|plan|want|wants|if|once|unless|until|when|needs?|have to|todo|to be|try|tried|trying|suggest|propose|recommend|not|no|never|nothing|none|nor|neither|without|almost|nearly|partly|partially|half|previously|already had|kein\w*|nicht|nie|wird|werde|werden|würde|sollte|könnte|falls|wenn|sobald|fast|teilweise|pas|jamais|si|quand|devrait|pourrait|sera|presque|partiellement|nunca|cuando|debería|podría|será|casi|não|quando|deveria|poderia|quase|non|mai|se|dovrebbe|quasi)(?![\p{L}])`,
    '(?<![\\p{L}])(?:не|нет|если|когда|будет|нужно|почти)(?![\\p{L}])|没|未|不|如果|将|需要|应该|まだ|ません|もし|予定|안 |못|아직|만약',
  ].join('|'),
  'iu',
)

const COUNT =
  '\\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eine?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf'

/** By these words, an agent says that something of a request is not done. */
const SHORTFALL = new RegExp(
  [
    String.raw`(?<![\p{L}])(?:i|we)(?: have| am| was| were)? ?(?:still |also |only )?(?:could|can|was|were|am|are|have|had|has|did|do)(?: not|n['’]t)(?! (?:touch|change|modify|alter|edit|break|need|have to|introduce|affect|use|want))`,
    String.raw`(?<![\p{L}])(?:i|we) (?:cannot|can['’]t|failed to|had to (?:skip|leave|stop)|skipped|left (?:out|open|undone|unfinished)|stopped|gave up)(?![\p{L}])`,
    String.raw`^(?:could not|couldn['’]t|cannot|unable to|failed to|skipped|left out)(?![\p{L}])`,
    String.raw`could(?: not|n['’]t) be (?:done|renamed|fixed|changed|moved|added|removed|verified|tested|run|finished|completed|reproduced|applied|committed|found)`,
    String.raw`(?<![\p{L}])not (?:yet |been |fully |completely )*(?:done|implemented|finished|fixed|tested|verified|renamed|added|started|completed|committed|pushed|working|wired|migrated|converted|resolved)(?![\p{L}])`,
    String.raw`n['’]t (?:yet |been |fully )*(?:done|implemented|finished|fixed|tested|run|verified|renamed|complete|completed|working|work)(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:left out|left open|left undone|still open|(?:is|are) (?:still )?missing|still missing|still to do|still fail(?:s|ing)?|still broken|still need(?:s|ed)?|still ha(?:s|ve) to|outstanding|remains? (?:open|to|undone|unfixed|unresolved|broken)|remaining work|unable to|gave up|incomplete|unfinished|unresolved|except for|only part(?:ly|ially)?|partially|to be done|work in progress|fail(?:s|ed)? with)(?![\p{L}])`,
    String.raw`(?:konnte|kann|habe|wurde|ist)(?:n|st|t)? [^.!?]{0,80}(?<![\p{L}])nicht(?![\p{L}])(?! (?:an|be|ver)?(?:gefasst|gerührt|rührt|ändert|geändert))|(?<![\p{L}])(?:noch nicht|noch offen|fehl(?:t|en) noch|ausgelassen|steh(?:t|en) noch aus|müssen noch|muss noch|unvollständig)(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:n['’]ai pas|pas encore|reste à|je n['’]ai|impossible de|no pude|no se pudo|manquent?(?: encore)?|restent|todavía no|aún no|pendientes?|faltan?|não consegui|ainda não|pendentes?|faltam|non sono riuscit\w|non ancora|mancano|manca)(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:(?<!(?:no|nothing|none)(?: \p{L}{1,20}){0,4} )remains?(?=\s{0,3}(?:[.,;!]|$))|(?:${COUNT}|some|others|more) (?:\p{L}{1,20} ){0,3}(?:are|is) left|(?:still|also) (?:missing|open|to come))(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:fixed|renamed|updated|done|finished|migrated|converted|moved|changed|replaced|removed|added|ported|completed?|erledigt|geändert) (?:with |for |in |only |just )?(?!(\S{1,12}) of (?:the |your |all )?\1(?![\p{L}]))(?:(?:${COUNT}) (?:of|out of|von|der) (?:the |your |den )?(?:${COUNT})|(?:some|most|half) of)(?![\p{L}])`,
    'не удалось|не смог|не сделан|не готов|ещё не|еще не|осталось|остались|не хватает|未完成|没能|没有完成|无法|尚未|还没|还缺|未能|遗留|できません|未完了|未対応|まだ|残って|못했|아직|미완|남았|남아',
  ].join('|'),
  'giu',
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

/** Returns what an agent says of its work in an answer. */
export function readClaims(answer: string): AnswerClaims {
  const sentences = sentencesOf(answer)
  const stated = (text: string): StatedWork => ({ text, stems: stemsOf(text) })
  return { claims: sentences.filter(isClaim).map(stated), shortfalls: sentences.filter(isShortfall).map(stated) }
}

/** By these words, an agent says what it has left as it was. Only of what was asked for, that is a shortfall. */
const LEFT_AS_IT_WAS =
  /(?<![\p{L}])(?:(?:not|n['’]t) (?:yet )?(?:touch|change|modif|alter|edit|need|use)\p{L}*|(?:nicht|nie) (?:an)?(?:gefasst|gerührt|geändert)|untouched|unchanged|left (?:alone|as (?:it|they) (?:is|are|was|were)))(?![\p{L}])/iu

/** Words by which an agent plans, or offers something. */
const OFFER =
  /(?<![\p{L}])(?:(?:shall|should) (?:i|we)|(?:do you )?want me to|would you like(?: me)?|(?:i|we)(?:['’]ll| will)|will (?:follow|come)|(?:comes?|is|are|follows?) next|soll(?:en)? (?:ich|wir)|möchtest du|werde(?:n)? (?:ich|wir)|(?:veux-tu|voulez-vous) que|dois-je|quieres que|debo|quer que|devo|vuoi che)(?![\p{L}])|хотите|要我|需要我|しましょうか|할까요/iu

/** A list item, and the heading or the line before a list of what is not done. */
const ITEM = /^\s{0,8}(?:[-*+•✅✓]|\d{1,2}[.)])\s{1,4}(\S.*)$/u
const REST =
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

const saysLeft = (clause: string): boolean => OFFER.test(clause) || LEFT_AS_IT_WAS.test(clause)

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

function isClaim(sentence: string): boolean {
  const claim = CLAIM.exec(sentence)
  if (isDenied(sentence, claim)) return false
  const index = PAST.test(sentence) ? 0 : claim?.index
  return index !== undefined && !/[?？]$/.test(sentence) && !UNCERTAIN.test(sentence.slice(0, index))
}

/** What follows a word that is denied at the end of its clause, as German does it: `eingecheckt ist die Datei noch nicht`. */
const DENIED = /^(?: \p{L}{1,30}){1,5} (?:nicht|nie)(?![\p{L}])/u

const isDenied = (sentence: string, claim: RegExpExecArray | null): boolean =>
  claim !== null && DENIED.test(sentence.slice(claim.index + claim[0].length))

/** A second part of a sentence begins here. */
const GOES_ON = /;|(?<![\p{L}])(?:but|except|however|although|though|aber|mais|pero|ma)(?![\p{L}])|,\s?(?:and )?$/iu

/** Words of a condition: what is missing in that case is not what is missing now. */
const IN_THAT_CASE =
  /(?<![\p{L}])(?:when(?:ever)?|if|unless|as long as|wenn|falls|sobald|solange|si|quand|lorsque|cuando|quando|если|когда)(?![\p{L}])|如果|若是|もし/iu

/** Whether the words before a shortfall are a condition, in the same clause. */
const isConditional = (before: string): boolean => IN_THAT_CASE.test(before.split(/[,;:，；：]/).at(-1) ?? '')

/** Returns whether an agent says in a sentence what it has not done. A text after a claim explains it. */
function isShortfall(sentence: string): boolean {
  const { index } =
    [...sentence.matchAll(SHORTFALL)].find((found) => !isConditional(sentence.slice(0, found.index))) ?? {}
  if (index === undefined) return false
  const claim = CLAIM.exec(sentence.slice(0, index))
  return (
    claim === null ||
    isDenied(sentence, claim) ||
    UNCERTAIN.test(sentence.slice(0, claim.index)) ||
    GOES_ON.test(sentence.slice(claim.index, index))
  )
}

const UNVERIFIED =
  /(?:not|n['’]t|cannot|unable to|failed to|konnte|kann|pas|não|non)(?: \p{L}{1,20}){0,3} (?:run|tested|test|verif\w{1,8}|check(?:ed)?|tr(?:y|ied)|reproduced?|executed?|measured?|access|connect|ausführen|testen|prüfen)(?![\p{L}])/iu

/** Whether an agent only says that it has not verified what it did. */
export const isUnverified = (shortfall: string): boolean => UNVERIFIED.test(shortfall)

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
