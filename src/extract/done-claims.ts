import { oneLine } from '../text/shorten.ts'
import { stemsOf } from './same-words.ts'
import { findSentences } from './statements.ts'

/**
 * The words by which agents claim that something is done, and say what is not, and by which users go on, contradict or call
 * something off. In doubt, nothing is claimed: work that is taken for finished is never finished.
 */

/** Words of a claim, in the languages of words.ts. */
const CLAIM_LATIN = [
  'done|fixed|implemented|added|created|updated|removed|deleted|renamed|moved|refactored|finished|completed?|committed',
  'pushed|merged|wrote|written|rewrote|rewritten|changed|replaced|resolved|migrated|converted|extracted|extended|improved',
  'installed|configured|enabled|disabled|reverted|corrected|documented|released|published|deployed|in place|works? now',
  'now works?|passes|pass|passed|ready|split|built|ported|wired|introduced|dropped|simplified|cleaned up',
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

/** By these words, an agent says that something of a request is not done. */
const SHORTFALL = new RegExp(
  [
    String.raw`(?<![\p{L}])(?:i|we)(?: have| am| was| were)? ?(?:still |also |only )?(?:could|can|was|were|am|are|have|had|has|did|do)(?: not|n['’]t)(?! (?:touch|change|modify|alter|edit|break|need|have to|introduce|affect|use|want))`,
    String.raw`(?<![\p{L}])(?:i|we) (?:cannot|can['’]t|failed to|had to (?:skip|leave|stop)|skipped|left (?:out|open|undone|unfinished)|stopped|gave up)(?![\p{L}])`,
    String.raw`^(?:could not|couldn['’]t|cannot|unable to|failed to|skipped|left out)(?![\p{L}])`,
    String.raw`could(?: not|n['’]t) be (?:done|renamed|fixed|changed|moved|added|removed|verified|tested|run|finished|completed|reproduced|applied|committed|found)`,
    String.raw`(?<![\p{L}])not (?:yet |been |fully |completely )*(?:done|implemented|finished|fixed|tested|verified|renamed|added|started|completed|committed|pushed|working|wired|migrated|converted|resolved)(?![\p{L}])`,
    String.raw`n['’]t (?:yet |been |fully )*(?:done|implemented|finished|fixed|tested|run|verified|renamed|complete|completed|working|work)(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:left out|left open|left undone|still open|(?:is|are) (?:still )?missing|still missing|still to do|still fail(?:s|ing)?|still broken|still need(?:s|ed)?|remains? (?:open|to|undone|unfixed|unresolved|broken)|remaining work|unable to|gave up|incomplete|unfinished|unresolved|except for|only part(?:ly|ially)?|partially|to be done|work in progress|fail(?:s|ed)? with)(?![\p{L}])`,
    String.raw`(?:konnte|kann|habe|wurde|ist)(?:n|st|t)? [^.!?]{0,80}(?<![\p{L}])nicht(?![\p{L}])(?! (?:an|be|ver)?(?:gefasst|gerührt|rührt|ändert|geändert))|(?<![\p{L}])(?:noch nicht|noch offen|fehlt noch|ausgelassen|steht noch aus|unvollständig)(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:n['’]ai pas|pas encore|reste à|je n['’]ai|impossible de|no pude|no se pudo|todavía no|aún no|pendiente|não consegui|ainda não|pendente|non sono riuscit\w|non ancora|manca)(?![\p{L}])`,
    'не удалось|не смог|не сделан|не готов|ещё не|еще не|осталось|未完成|没能|没有完成|无法|尚未|还没|未能|遗留|できません|未完了|未対応|まだ|残って|못했|아직|미완',
  ].join('|'),
  'giu',
)

/** The longest text that is one claim without being a sentence of at least four characters, such as `完成。`. */
const MAX_SHORT_CHARACTERS = 12

function sentencesOf(text: string): string[] {
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

const GO_ON =
  /^(?:please |ok(?:ay)?[,.!]? |yes[,.!]? |ja[,.!]? )?(?:continue|go on|go ahead|keep going|proceed|resume|carry on|try again|retry|weiter(?:machen)?|mach weiter|continuez?|vas-y|contin[uú]a|sigue|continua|prosegui|продолжай|дальше|继续|続けて|계속)(?: (?:the )?(?:work|implementation|implementing|tasks?|plan))?(?:,? (?:please|with (?:it|that|this)|where you left off|bitte)|吧)?[\s.!。…]*$/i

/** Whether a message only asks to go on with what was asked for before. */
export const isGoOn = (text: string): boolean => text.length < 80 && GO_ON.test(text.trim())

const CONTRADICTION =
  /^(?:no|nope|wait|stop|hold on|nein|warte|non|attends|espera|não)\b(?! (?:problem|worries|need))|\b(?:still (?:fail\w*|broken|doesn['’]?t|not|wrong|there|crash|getting|see|the same)|(?:does|do|did|is|was)(?: not|n['’]?t) (?:work|fix|help|compile|build|pass|right|correct|what i)|not work(?:ing)?|that['’]?s (?:wrong|not)|you (?:forgot|missed|broke|did ?n['’]?t|haven['’]?t)|not done|not fixed|undo|revert|immer noch|geht nicht|funktioniert nicht|stimmt nicht|falsch|toujours pas|ne marche pas|no funciona|sigue fallando|não funciona|non funziona)\b|не работает|всё ещё|还是|不对|没有修|不行|まだ|動かない|違います|안 돼|안돼/i

/** How much of a message says whether it contradicts. */
const MAX_CONTRADICTION_CHARACTERS = 400

/** Whether a user says that what the agent has claimed is not so. */
export const isContradiction = (text: string): boolean =>
  CONTRADICTION.test(text.slice(0, MAX_CONTRADICTION_CHARACTERS))

/** Words of a user who has taken the agent's changes back, or wants them back as they were. */
const UNDONE = new RegExp(
  [
    String.raw`(?<![\p{L}])(?:i|we)(?:['’]ve| have)? (?:just |already |now )?(?:undid|undone|reverted|rolled back|discarded|took back) (?:all |most |some )?(?:of )?(?:your|the|that|this|those|these|it|them|everything)(?![\p{L}])`,
    String.raw`(?:^|[.!?;:,] )(?:(?:yeah|yes|ok(?:ay)?|no|nah|hmm?|please|pls|then|so|just|you can|can you|could you),? ){0,4}(?:undo|revert|roll back) (?:that|this|it|them|your (?:last |latest |previous )?(?:changes?|edits?|work)|the last (?:changes?|edits?))(?=[.,!;]|$| (?:please|again|because|since|as)(?![\p{L}]))`,
    String.raw`(?<![\p{L}])(?:ich habe?|wir haben) (?:deine|die|alle) (?:\p{L}{1,20} )?änderungen (?:wieder )?(?:rückgängig gemacht|zurückgenommen|verworfen)|(?:^|[.!?;:,] )(?:bitte )?(?:mach|nimm) (?:das|es|alles) (?:bitte |wieder ){0,2}(?:rückgängig|zurück)(?![\p{L}])`,
  ].join('|'),
  'iu',
)

/** Whether a user says that the work of the turn before is undone, or is to be undone. */
export const isUndone = (text: string): boolean => UNDONE.test(oneLine(text.slice(0, MAX_CONTRADICTION_CHARACTERS)))

const CALLED_OFF =
  /(?<![\p{L}])(?<!(?:n['’]t|not|never) )(?:forget (?:about )?|never ?mind,? ?|scrap |drop |cancel |skip |ignore |leave out |stop working on |no need (?:to|for) |don['’]?t (?:bother|do|need|want) (?:with |to )?|we don['’]?t need |no longer need |instead of |vergiss |lass |statt |brauchen wir nicht|oublie |laisse tomber |olvida |deja |esqueça |lascia perdere )(.{0,200})|(?:不用|不要|取消|忘掉|别做)(.{0,100})|забудь (?:про |о )?(.{0,100})|(.{0,100})(?:はやめて|は不要)/iu

/** The thing that a user calls off ends where the sentence goes on with something else. */
const OTHER_PHRASE = /[,;:—，；]| (?:and|but|just|only|und|aber|nur|et|mais|y|pero|e|ma) /i

const TAKEN_BACK =
  /(?<![\p{L}])(?:take (.{1,80}?) (?:back|out)|take (?:back|out) (.{1,80})|(?:undo|revert|roll back) (.{1,80})|remove (.{1,80}?) again|mach (.{1,80}?) rückgängig|nimm (.{1,80}?) wieder (?:raus|heraus|weg)|(?:enlève|retire)(?:z)? (.{1,80}?) à nouveau|quita (.{1,80}?) otra vez)(?![\p{L}])|(?:撤销|回退)(.{1,60})/iu

/** The words of a user about work that is not wanted, one for each sentence that says so. */
export interface UnwantedWork {
  /** The work that the user calls off. */
  calledOff: readonly string[]
  /** Finished work that the user wants to be taken back. */
  takenBack: readonly string[]
}

/** Returns what a user says of work that is not wanted. */
export function readUnwanted(text: string): UnwantedWork {
  const sentences = sentencesOf(text)
  const named = (pattern: RegExp): string[] =>
    sentences.flatMap((sentence) => {
      const found = pattern.exec(sentence)
      return found === null ? [] : [(found.slice(1).join('').split(OTHER_PHRASE, 1)[0] ?? '').trim()]
    })
  return { calledOff: named(CALLED_OFF), takenBack: named(TAKEN_BACK) }
}

const INSTEAD =
  /(?<![\p{L}])(?:instead|rather|stattdessen|à la place|en su lugar|en cambio|invece|вместо)(?![\p{L}])|改成|改为|代わりに|대신/iu

/** Whether a message puts another task in the place of the one before. */
export const isReplacing = (text: string, { calledOff }: UnwantedWork): boolean =>
  INSTEAD.test(text.slice(0, MAX_CONTRADICTION_CHARACTERS)) ||
  calledOff.some((words) => /^(?:it|that|this|das|ça|eso|lo|isso)?[\s.!,]*$/i.test(words.split(/[,.;:]/, 1)[0] ?? ''))
