import { oneLine } from '../text/shorten.ts'
import { sentencesOf } from './done-claims.ts'

/**
 * The words by which users judge the work of a turn: they contradict what is said of it, undo it, call it off, stop it,
 * postpone it, agree that something is left out, or withdraw what they have asked for.
 */

const CONTRADICTION =
  /^(?:no|nope|wait|stop|hold on|nein|warte|non|attends|espera|não)\b(?! (?:problem|worries|need))|\b(?:still (?:fail\w*|broken|doesn['’]?t|not|wrong|there|crash|getting|see|the same)|(?:does|do|did|is|was)(?: not|n['’]?t) (?:work|fix|help|compile|build|pass|right|correct|what i)|not work(?:ing)?|that['’]?s (?:wrong|not)|you (?:forgot|missed|broke|did ?n['’]?t|haven['’]?t)|not done|not fixed|undo|revert|immer noch|geht nicht|funktioniert nicht|stimmt nicht|falsch|toujours pas|ne marche pas|no funciona|sigue fallando|não funciona|non funziona)\b|не работает|всё ещё|还是|不对|没有修|不行|まだ|動かない|違います|안 돼|안돼/i

/** The beginning of a message by which a user says what does not work, or what is missing. */
const FAULT = new RegExp(
  [
    String.raw`^(?:(?:but|hm+|sorry|and),? )?(?:it|that|this|they|these|those|there|the|your)(?![\p{L}])[^.!?\n]{0,80}?(?:(?<![\p{L}])(?:does|do|did|is|are|was|were|has|have|can)(?:n['’]t| not)|(?:is|are|['’]s) (?:still |now |all )?(?:missing|broken|wrong|gone|empty)|(?<![\p{L}])(?:never|fails?|crash(?:es)?|no longer))(?![\p{L}])(?! (?:matter|needed|urgent|important|bad|to be))`,
    String.raw`^(?:(?:aber|leider|hm+),? )?(?:es|das|der|die|den|dies\p{L}*|sie)(?![\p{L}])[^.!?\n]{0,80}?(?<![\p{L}])(?:nicht|nie|fehlt|fehlen|kaputt|kein\p{L}{0,2})(?![\p{L}])(?! (?:schlimm|nötig|wichtig|eilig))`,
    String.raw`^(?:mais )?(?:ça|cela|c['’]est|ils?|elles?|le|la|les|ce|cette)(?![\p{L}])[^.!?\n]{0,80}?(?<![\p{L}])(?:pas|jamais|manque(?:nt)?|cassée?s?)(?![\p{L}])(?! (?:grave|nécessaire|urgent))`,
    String.raw`^(?:pero |mas |ma )?(?:eso|esto|isso|isto|questo|el|la|los|las|o|a|os|as|il|lo|gli|le|i)(?![\p{L}])[^.!?\n]{0,80}?(?<![\p{L}])(?:no|não|non|nunca|mai|faltan?|faltam|mancano|manca|roto|rota|rotto)(?![\p{L}])`,
    '^[^.!?\\n]{0,60}(?:отсутству|не хватает|сломан)|^[^。！？\\n]{0,40}(?:缺少|少了|漏了|根本没|坏了|足りな|抜けて|ありません|壊れ|빠졌|없습니다|없어요|않습니다|고장)',
  ].join('|'),
  'iu',
)

/** How much of a message says whether it contradicts. */
const MAX_CONTRADICTION_CHARACTERS = 400

/** Whether a user says that what the agent has claimed is not so. Words by which work is postponed begin alike. */
export function isContradiction(text: string): boolean {
  const said = sentencesOf(text.slice(0, MAX_CONTRADICTION_CHARACTERS))
    .filter(isPostponing)
    .reduce((rest, sentence) => rest.replace(sentence, ''), text)
    .trimStart()
  return (
    CONTRADICTION.test(said.slice(0, MAX_CONTRADICTION_CHARACTERS)) ||
    FAULT.test(said.slice(0, MAX_CONTRADICTION_CHARACTERS)) ||
    UNDONE.test(oneLine(text.slice(0, MAX_CONTRADICTION_CHARACTERS)))
  )
}

/** Words before those that postpone something. */
const LEAD =
  "^(?:(?:ok(?:ay)?|yes|no|nope|nah|please|but|and|also|then|well|so|let['’]s|we(?:['’]ll| will| can)?|nein|bitte|aber|und|non|mais|no|pero),? ){0,4}"

/** What is postponed, the time, and the end of the clause. */
const THING = '([^,;.!?]{1,80}?)'
/** The same without a clause of its own. */
const WORDS = String.raw`((?:(?!(?:so|we|you|i|can|which|where|if|when|is|are)(?![\p{L}]))[^\s,;.!?]{1,40} ){1,8}?)`
const TIME =
  '(?:later|tomorrow|another (?:day|time)|next (?:week|month|sprint|time)|some other time|on (?:mon|tues|wednes|thurs|fri|satur|sun)day|after (?:the|that|this) [^,;.!?]{1,40}|später|morgen|nächste woche|plus tard|demain|más tarde|después|luego|mañana)'
const UNTIL = String.raw`(?: (?:until|till|before|bis|auf|jusqu['’]|hasta)[^,;.!?]{1,60}| for (?:now|the moment|today|a (?:while|bit))| (?:erst|please|bitte|noch))?(?=\s{0,2}(?:[,;.!]|$)| (?:and|but|und|aber) )`

const POSTPONED = new RegExp(
  [
    String.raw`${LEAD}(?:(?:wait|hold off) (?:with|on)|postpone|put off|warte(?:t)? (?:(?:bitte|noch) ){0,2}mit|verschieb\p{L}{0,3}(?: wir)?|attends? (?:pour|avec)|reporte[zr]?|espera con) ${THING}${UNTIL}`,
    String.raw`${LEAD}(?:do|leave|keep|save|write|add|fix|tackle|handle|defer|delay|shelve|park|mach(?:e|en wir)?|lass(?:en wir)?|schreib\p{L}{0,2}|fais|laisse|on fera|deja|dejemos|haz) ${WORDS}(?<!of )(?:(?:for|to|till|until|für|auf|erst|pour|para) )?${TIME}${UNTIL}`,
    String.raw`${LEAD}(?!you |i |we |he |she |they |du |ich |wir )${THING} (?:can|may|will have to|kann|können) (?:noch )?(?:wait|warten)${UNTIL}`,
    String.raw`${LEAD}${THING} (?:peu(?:t|vent) attendre|pueden? esperar|ha(?:t|ben) (?:noch )?Zeit)${UNTIL}`,
    String.raw`${LEAD}((?:the|that|this|those|these|die|der|das|la|le|les|el|los|las) (?:(?!(?:is|are|was|were|gets?|be|comes?|has|have|will|should|must|can|ist|sind|wird|soll)(?![\p{L}]))[^\s,;.!?]{1,30} ){1,4})${TIME}${UNTIL}`,
    '^([^，。！？]{1,20})(?:以后再|稍后再|晚点再)(?:做|写|说|弄)|^([^、。！？]{1,20})(?:は|を)(?:後|あと)で',
  ].join('|'),
  'iu',
)

/** An answer by which an offer is postponed. "After that, …" may be followed by an order, without a comma too. */
const NOT_NOW = new RegExp(
  String.raw`${LEAD}(?!after (?:that|\S{1,30}(?: \S{1,30}){2}) \S)(?:(?:maybe |perhaps )?(?:do (?:it|that|this) )?${TIME}|not (?:now|yet|today)|jetzt (?:noch )?nicht|noch nicht(?: jetzt)?|nicht jetzt|erst später|pas (?:maintenant|encore|tout de suite)|ahora no|no ahora|todavía no|aún no|(?:以后|稍后|晚点)再说|(?:後|あと)で(?:お願いします)?)(?:,? (?:please|thanks|bitte|danke))?[\s.!。]{0,3}$`,
  'iu',
)

/** Whether a sentence only says that something is not to be done now. */
export const isNotNow = (sentence: string): boolean => NOT_NOW.test(sentence)

const MAX_POSTPONED_CHARACTERS = 200

/** Whether a sentence names something that is to be done at another time. */
export const postponesSomething = (sentence: string): boolean =>
  sentence.length <= MAX_POSTPONED_CHARACTERS && POSTPONED.test(sentence)

/** Whether a user postpones something in a sentence. */
export const isPostponing = (sentence: string): boolean => isNotNow(sentence) || postponesSomething(sentence)

/** Words of a user who has taken the agent's changes back, or wants them back as they were. */
const UNDONE = new RegExp(
  [
    String.raw`(?<![\p{L}])(?:i|we)(?:['’]ve| have)? (?:just |already |now )?(?:undid|undone|reverted|rolled back|discarded|took back) (?:all |most |some )?(?:of )?(?:your|the|that|this|those|these|it|them|everything)(?![\p{L}])`,
    String.raw`(?:^|[.!?;:,] )(?:(?:yeah|yes|ok(?:ay)?|no|nah|hmm?|please|pls|then|so|just|you can|can you|could you),? ){0,4}(?:undo|revert|roll back) (?:that|this|it|them|your (?:last |latest |previous )?(?:changes?|edits?|work)|the last (?:changes?|edits?))(?=[.,!;]|$| (?:please|again|because|since|as)(?![\p{L}]))`,
    String.raw`(?<![\p{L}])(?:ich habe?|wir haben) (?:deine|die|alle) (?:\p{L}{1,20} )?änderungen (?:wieder )?(?:rückgängig gemacht|zurückgenommen|verworfen)|(?:^|[.!?;:,] )(?:bitte )?(?:mach|nimm) (?:das|es|alles) (?:bitte |wieder ){0,2}(?:rückgängig|zurück)(?![\p{L}])`,
  ].join('|'),
  'iu',
)

/** Whether the first words of a message are these: what stands further on may be about a part. */
export const isUndoneWhole = (text: string): boolean => UNDONE.test(firstClause(text))

const CALLED_OFF =
  /(?<![\p{L}])(?<!(?:n['’]t|not|never) )(?:forget (?:about )?|never ?mind,? ?|scrap |drop |cancel |skip |ignore |leave out |stop working on |no need (?:to|for) |don['’]?t (?:bother|do|need|want) (?:with |to )?|we don['’]?t need |no longer need |instead of |vergiss |lass |statt |brauchen wir nicht|oublie |laisse tomber |olvida |deja |esqueça |lascia perdere )(.{0,200})|(?<!先|暂时|目前)(?:不用|不要|取消|忘掉|别做)(.{0,100})|забудь (?:про |о )?(.{0,100})|(.{0,100})(?:はやめて|は不要(?![なのでじ]))/iu

/** A clause by which something is called off whose name comes first. */
const NOT_NEEDED =
  /^(.{1,30}?)(?:就|也|都)?(?:不用|不要|不需要|不必|不做|不用[做写改弄])了[吧啦哦。!！]{0,2}$|^(.{1,30}?)(?:就)?(?:算了|取消(?:了|吧|掉))[吧啦哦。!！]{0,2}$/u

/** Words by which that holds for a time only, and a question. */
const FOR_A_TIME = /先|暂时|目前|[?？吗]$/u

/** Words of a removal: what is not needed is its reason. */
const REMOVES = /删|移除|去掉|清理/u

/** Returns the things that a sentence calls off, in languages in which their names come first. */
const notNeeded = (sentence: string): string[] =>
  sentence.split(/[，,、；;。]/).flatMap((clause) => {
    const found = FOR_A_TIME.test(clause) || REMOVES.test(sentence) ? null : NOT_NEEDED.exec(clause.trim())
    return found === null ? [] : [found.slice(1).join('').trim()]
  })

/** The thing that a user calls off ends where the sentence goes on with something else. */
const OTHER_PHRASE = /[,;:—，；]| (?:and|but|just|only|und|aber|nur|et|mais|y|pero|e|ma) /i

const TAKEN_BACK =
  /(?<![\p{L}])(?:take (.{1,80}?) (?:back|out)|take (?:back|out) (.{1,80})|(?:undo|revert|roll back) (.{1,80})|remove (.{1,80}?) again|mach (.{1,80}?) rückgängig|nimm (.{1,80}?) wieder (?:raus|heraus|weg)|(?:enlève|retire)(?:z)? (.{1,80}?) à nouveau|quita (.{1,80}?) otra vez)(?![\p{L}])|(?:撤销|回退)(.{1,60})/iu

/** Where another clause, or a reason, begins. */
const OTHER_CLAUSE = /[,;:—] | - | (?:but|because|since) /i

const FORBIDDEN = new RegExp(
  String.raw`${LEAD}(?:stop[ .!]{1,2})?(?:do not|don['’]?t|never|not|won['’]?t) (.{1,100}?)(?: at all)?[\s.!]{0,3}$`,
  'iu',
)
const KEPT = new RegExp(
  String.raw`${LEAD}keep (.{1,100}?)(?: (?:in place|untouched|as (?:it|they) (?:is|are)))?[\s.!]{0,3}$`,
  'iu',
)

/** What is not to be done to a thing that a user keeps. */
const REMOVING = ['remove', 'delete', 'drop']

/** Words by which what a user forbids holds only for a time, in a case or for a part; and a question. */
const HELD =
  /(?<![\p{L}])(?:yet|wait|hold (?:on|off)|too (?:early|soon)|until|till|unless|before|after|without|if|when|while|once|otherwise|except|(?:for|right) now|now|today|tonight|tomorrow|later|soon|first|then|also|too|again|alone|only|just|(?<!at )all|every|so)(?![\p{L}])|\?/iu

/** Returns what a user forbids to do for good. A sentence beside one that does may say until when. */
const readForbidden = (sentences: readonly string[]): string[] =>
  sentences.flatMap((sentence, index) => {
    if (HELD.test(sentences.slice(Math.max(0, index - 1), index + 2).join(' '))) return []
    return sentence.split(OTHER_CLAUSE).flatMap((clause) => {
      const [, action] = FORBIDDEN.exec(clause) ?? []
      const [, thing] = KEPT.exec(clause) ?? []
      return action !== undefined ? [action] : thing === undefined ? [] : REMOVING.map((verb) => `${verb} ${thing}`)
    })
  })

/** The words of a user about work that is not wanted. */
export interface UnwantedWork {
  /** The work that the user calls off. */
  calledOff: readonly string[]
  /** Finished work that the user wants to be taken back. */
  takenBack: readonly string[]
  /** What is not to be done: a verb, and its object. */
  forbidden: readonly string[]
}

/** Returns what a user says of work that is not wanted. */
export function readUnwanted(text: string): UnwantedWork {
  const sentences = sentencesOf(text)
  const named = (pattern: RegExp): string[] =>
    sentences.flatMap((sentence) => {
      const found = pattern.exec(sentence)
      return found === null ? [] : [(found.slice(1).join('').split(OTHER_PHRASE, 1)[0] ?? '').trim()]
    })
  return {
    calledOff: [...named(CALLED_OFF), ...sentences.flatMap(notNeeded)],
    takenBack: named(TAKEN_BACK),
    forbidden: readForbidden(sentences),
  }
}

const LEAVING =
  /^[^.!?]{0,60}?(?<![\p{L}])(?:leave (?:it|them|that|those|these|this)(?! (?:for|until|till|to) )(?: (?:out|off|alone|as (?:it|they) (?:is|are)))?|(?:that|it|this)(?:['’]s| is) (?:fine|not needed)|no need|lass(?:t)? (?:es|sie|das) (?:weg|so|sein)|brauchen wir nicht|passt so)(?![\p{L}])/iu

/** Whether a user agrees that something is left out. */
export const isLeaving = (text: string): boolean => LEAVING.test(text.trimStart())

/** First words that withdraw what was asked for, without naming a thing. */
const WITHDRAWN = new RegExp(
  String.raw`^(?:(?:leave|drop|forget|skip|scrap|cancel|ignore) (?:about )?(?:it|that|this|them)|never ?mind(?: (?:it|that|this))?|no need any ?more|don['’]t bother|lass(?:t)? (?:es|das)(?: (?:sein|bleiben|weg))?|vergiss (?:es|das)|laisse(?:z)?(?: (?:ça|cela))? tomber|laisse-le|oublie(?:z)? (?:ça|cela)|d[ée]jalo|olv[ií]dalo|deixa (?:isso|pra lá)|esquece(?: isso)?|lascia (?:stare|perdere)|算了|不用了|别弄了|やめて(?:ください)?|もういい(?:です)?|됐어|그만둬|не надо|забудь (?:об этом|это)|оставь это)(?:,? (?:then|please|anyway|altogether|bitte|stp|por favor))?\s{0,3}(?:[.,;:!?。，！]|$)`,
  'iu',
)

/** Whether a user does not want work any more that was interrupted: the first words of a message say so. What stands further on may be about another thing. */
export const isWithdrawing = (text: string): boolean => WITHDRAWN.test(firstClause(text))

const FIRST_WORDS = new RegExp(LEAD, 'iu')

const firstClause = (text: string): string =>
  oneLine(text.slice(0, MAX_CONTRADICTION_CHARACTERS))
    .replace(FIRST_WORDS, '')
    .split(/(?<=[.,;:!?。，！])/, 1)[0] ?? ''

const STOPPING =
  /^(?:(?:ok(?:ay)?|no|hey|please|wait|nein|warte|bitte|halt)[\s,.!]{1,3}){0,3}(?:stop|halt|pause|hör auf|schluss)(?: (?:here|now|there|working|for (?:now|today)|hier|jetzt|damit|für heute))?\s{0,3}(?:[.,!;]|$)/i

/** Whether a user stops the work that goes on. */
export const isStopping = (text: string): boolean => STOPPING.test(text.trimStart())
