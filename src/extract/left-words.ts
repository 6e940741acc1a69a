/**
 * The words by which agents say in an answer what of their work is not done: what they could not do, what fails, what they leave to
 * the user or to later, and what they plan. In doubt, something is left: work that is taken for finished is never finished.
 */

const COUNT =
  '\\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|eine?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf'

/** Verbs of work, not of what a user does with it afterwards: `you need to restart the server` leaves nothing. */
const WORK =
  'adapt|add|adjust|apply|change|clean up|commit|complete|convert|correct|create|delete|do|document|edit|extend|finish|fix|handle|implement|merge|migrate|move|port|publish|push|remove|rename|replace|rewrite|split|tackle|tag|translate|update|write'

/** A later step of the work. */
const LATER_STEP =
  '(?:a|an|the|another) (?:second|third|later|next|separate|future|follow-?up|other)(?: (?:step|pr|pull request|commit|change|turn|pass|round|session|patch|time|day|one))?|another (?:step|pr|pull request|commit|change|turn|session|time|day)|tomorrow|next week'

/** Where a clause ends. */
const END = String.raw`(?=\s{0,3}(?:[.,;:!)]|$))`

/** By these words, an agent says that something of a request is not done. */
const SHORTFALL = new RegExp(
  [
    String.raw`(?<![\p{L}])(?:i|we)(?: have| am| was| were)? ?(?:still |also |only )?(?:could|can|was|were|am|are|have|had|has|did|do)(?: not|n['’]t)(?! (?:touch|change|modify|alter|edit|break|need|have to|introduce|affect|use|want))`,
    String.raw`(?<![\p{L}])(?:i|we) (?:cannot|can['’]t|failed to|had to (?:skip|leave|stop)|skipped|left (?:out|open|undone|unfinished)|stopped|gave up)(?![\p{L}])`,
    String.raw`^(?:could not|couldn['’]t|cannot|unable to|failed to|skipped|left out)(?![\p{L}])`,
    String.raw`could(?: not|n['’]t) be (?:done|renamed|fixed|changed|moved|added|removed|verified|tested|run|finished|completed|reproduced|applied|committed|found)`,
    String.raw`(?<![\p{L}])not (?:yet |been |fully |completely )*(?:done|implemented|finished|fixed|tested|verified|renamed|added|started|completed|committed|pushed|working|wired|migrated|converted|resolved)(?![\p{L}])`,
    String.raw`n['’]t (?:yet |been |fully )*(?:done|implemented|finished|fixed|tested|run|verified|renamed|complete|completed|working|work)(?![\p{L}])`,
    String.raw`(?:not|n['’]t) (?:yet |been ){1,2}(?!changed|touched|modified|affected|altered|edited|needed|used|seen)\p{L}{3,20}(?:ed|en)(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:left out|left open|left undone|still open|(?:is|are) (?:still )?missing|still missing|still to do|still fail(?:s|ing)?|still broken|still need(?:s|ed)?|still ha(?:s|ve) to|outstanding|remains? (?:open|to|undone|unfixed|unresolved|broken)|remaining work|unable to|gave up|incomplete|unfinished|unresolved|except for|only part(?:ly|ially)?|partially|to be done|work in progress|fail(?:s|ed)? with)(?![\p{L}])`,
    String.raw`(?:konnte|kann|habe|wurde|ist)(?:n|st|t)? [^.!?]{0,80}(?<![\p{L}])nicht(?![\p{L}])(?! (?:an|be|ver)?(?:gefasst|gerührt|rührt|ändert|geändert))|(?<![\p{L}])(?:noch nicht|noch offen|fehl(?:t|en) noch|ausgelassen|steh(?:t|en) noch aus|müssen noch|muss noch|unvollständig)(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:n['’]ai pas|pas encore|reste à(?! \d)|il (?:(?:ne|me|nous|vous|en) )?reste (?:encore |plus que |seulement )?(?:l['’]|l[ae]s?(?! même)(?![\p{L}])|une?(?![\p{L}])|des |du |deux |trois |\p{L}{1,20}\d\w{0,20})|je n['’]ai|impossible de|no pude|no se pudo|manquent?(?: encore)?|restent|todavía no|aún no|pendientes?|faltan?|não consegui|ainda não|pendentes?|faltam|non sono riuscit\w|non ancora|mancano|manca)(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:(?<!(?:no|nothing|none)(?: \p{L}{1,20}){0,4} )remains?(?=\s{0,3}(?:[.,;!]|$))|(?:${COUNT}|some|others|more) (?:\p{L}{1,20} ){0,3}(?:are|is) left|(?:still|also) (?:missing|open|to come))(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:fixed|renamed|updated|done|finished|migrated|converted|moved|changed|replaced|removed|added|ported|completed?|erledigt|geändert) (?:with |for |in |only |just )?(?!(\S{1,12}) of (?:the |your |all )?\1(?![\p{L}]))(?:(?:${COUNT}) (?:of|out of|von|der) (?:the |your |den )?(?:${COUNT})|(?:some|most|half) of)(?![\p{L}])`,
    'не удалось|не смог|не сделан|не готов|ещё не|еще не|осталось|остались|не хватает|未完成|没能|没有完成|无法|尚未|还没|还缺|未能|遗留|できません|未完了|未対応|まだ|残って|못했|아직|미완|남았|남아',
    // Titles and short forms: "docs: TODO", "Remaining: the down migration"
    String.raw`^(?:todo|tbd|remaining|left|missing|open|pending|still (?:to do|open|missing)|offen|fehlt|restant|pendiente)(?: \p{L}{1,20})?:|(?:: |\(|(?:is|are|still) )(?:todo|tbd)(?![\p{L}])`,
    // What is left to the user
    String.raw`(?<![\p{L}])(?:leave|leaving|left) (?!(?:it |that |this )?up |(?:the |that |this )?(?:decision|choice|call)|it to you to)[^.;!?]{0,60}(?<![\p{L}])to (?:you|your team|the team)(?![\p{L}])|(?<![\p{L}])i leave to you`,
    String.raw`(?<![\p{L}])you(?:['’]ll| will| would)?(?: still)? (?:need|have) to (?:also |then |still |now |manually )?(?:${WORK})(?![\p{L}])|to be \p{L}{2,20} (?:by (?:hand|you)|manually)(?![\p{L}])`,
    String.raw`überlass\p{L}* (?:ich|wir) (?:dir|euch|ihnen)|(?:musst|müsst|müssen|müsstest) (?:du|ihr|sie) [^.;!?]{0,40}(?:noch|selbst)(?![\p{L}])|(?<![\p{L}])(?:je (?:te|vous) laisse|(?:te|le|les|os) dejo|lhe deixo|(?:ti|vi) lascio)(?![\p{L}])|留给你|お任せ`,
    String.raw`(?<![\p{L}])(?:tu devras|vous devrez|tendrás que|tendrá que|terás que|dovrai) (?:changer|modifier|adapter|écrire|corriger|ajouter|supprimer|cambiar|modificar|adaptar|escribir|corregir|añadir|eliminar|alterar|escrever|cambiare|modificare|scrivere)(?![\p{L}])`,
    // What is left to later
    String.raw`(?<![\p{L}])(?:(?:is|are|leave|leaving|left|kept|saved) (?:[^\s.;!?]{1,30} ){0,6}for (?:later${END}|${LATER_STEP})|(?<!what )(?:comes?|follows?|done) (?:(?:later|next|afterwards|separately)${END}|in (?:${LATER_STEP}))|(?:postponed|deferred|put off)(?![\p{L}])|(?:only|just) [^.;!?]{1,60} so far${END}|so far,? (?:i )?only)`,
    String.raw`(?<![\p{L}])(?:install(?:ation)?|build|tests?|suite|migration|import|deployment|upgrade|job|pipeline|ci|check)s? (?:is|are) still running(?![\p{L}])|(?:is|are) still (?:pending|in progress|under way)(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:(?:für|auf) später (?:gelassen|verschoben|aufgehoben)|(?:kommt|kommen|folgt|folgen) (?:noch|später|danach|als nächstes|in einem)|(?:pour|à) plus tard|reportée?s?|para (?:más tarde|después|luego|depois|mais tarde))(?![\p{L}])|на потом|以后再|稍后再|後ほど|나중에`,
  ].join('|'),
  'gu',
)

/** By these words, an agent says that a check fails. */
const FAILING = new RegExp(
  [
    String.raw`(?<![\p{L}])(?:tests?|specs?|checks?|suites?|builds?|lint(?:er)?|type-?checks?|compilation|ci|pipeline)(?: (?:of|in|for) (?:the )?[\w./${'`'}-]{1,40})? (?:still |now |currently |also )?(?:fails?|(?:is|are) (?:still |now |currently )?(?:failing|red|broken)|(?:do|does)(?: not|n['’]t) (?:yet )?pass)(?![\p{L}])(?! (?:if|when(?:ever)?|unless|without|before|only (?:if|when))(?![\p{L}]))`,
    String.raw`(?<![\p{L}])(?:code|project|app|it|this|that|package|module|branch) does(?: not|n['’]t) (?:yet )?(?:compile|build)(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:tests?|builds?|prüfung(?:en)?) (?:\p{L}{1,20} ){0,2}(?:schl(?:ägt|agen) (?:\p{L}{1,20} ){0,3}fehl|scheiter[nt]|(?:ist|sind) (?:\p{L}{1,20} )?rot)(?![\p{L}])|(?<![\p{L}])tests? (?:\p{L}{1,20} ){0,3}échouent?|(?:pruebas?|tests?) (?:\p{L}{1,20} ){0,3}fallan?(?![\p{L}])|testes? (?:\p{L}{1,20} ){0,3}falham?(?![\p{L}])`,
    'тест[а-я]{0,2} (?:[а-я]{1,20} ){0,2}(?:пада[ею]т|не проход)|测试(?:仍|还|仍然)?(?:失败|不通过|未通过)|テスト.{0,6}失敗|테스트.{0,8}실패',
  ].join('|'),
  'gu',
)

/** Words of a failure that is no fault of the work. */
const EXPECTED =
  /(?<![\p{L}])(?:no|none of the|0|zero|as before|like before|unrelated|pre-?existing|already (?:fail|broken)\w*|on (?:main|master)|expected|by design|wie (?:vorher|zuvor|erwartet)|kein\p{L}{0,2}|comme avant|como antes|ningun\p{L}?)(?![\p{L}])|[?？]$/iu

/** By these words, an agent announces work. */
const ANNOUNCED = new RegExp(
  [
    String.raw`(?<![\p{L}])(?:(?:i|we)(?:['’]ll| will| am going to|['’]m going to| are going to)|(?<=(?:^|[,;:] )(?:next|then),? )i (?:will|shall)) (?:then |now |next |also )?(?:${WORK})(?![\p{L}])(?![^.;!?]{0,120}(?<![\p{L}])(?:if|once|when|unless|as soon)(?![\p{L}]))`,
    String.raw`(?<![\p{L}])(?:i|we)(?: now| also| still)? (?:need|have) to (?:${WORK})(?![\p{L}])`,
    String.raw`(?<![\p{L}])als nächstes \p{L}{3,20}e ich(?![\p{L}])|(?<![\p{L}])(?:ensuite|maintenant),? je vais |(?<![\p{L}])ahora voy a |下一步我?(?:将|会|来)|次に.{1,40}します`,
  ].join('|'),
  'gu',
)

/** Words of a condition: what is missing in that case is not what is missing now. */
const IN_THAT_CASE =
  /(?<![\p{L}])(?:when(?:ever)?|if|unless|as long as|wenn|falls|sobald|solange|si|quand|lorsque|cuando|quando|если|когда)(?![\p{L}])|如果|若是|もし/iu

/** A sentence that begins with a condition or a purpose. */
const BEGINS_WITH_CASE =
  /^(?:if|when(?:ever)?|unless|once|to|in order to|wenn|falls|sobald|um|si|quand|pour|cuando|para)\s[^.!?]{1,200},/iu

/** Whether the words before a shortfall are a condition: in the same clause, or at the beginning. */
const isConditional = (before: string): boolean =>
  IN_THAT_CASE.test(before.split(/[,;:，；：]/).at(-1) ?? '') || BEGINS_WITH_CASE.test(before)

/**
 * Returns where a sentence says that something is not done: the places of the words.
 * @param isLast whether what it announces is not begun
 */
export function findShortfalls(sentence: string, isLast: boolean): number[] {
  const said = [SHORTFALL, ...(EXPECTED.test(sentence) ? [] : [FAILING]), ...(isLast ? [ANNOUNCED] : [])]
  // With the flag `i`, patterns of this size are compiled in several times the time.
  const text = sentence.toLowerCase()
  return said
    .flatMap((words) => Array.from(text.matchAll(words), ({ index }) => index))
    .filter((index) => !isConditional(sentence.slice(0, index)))
}

/** By these words, an agent says what it has left as it was. Only of what was asked for, that is a shortfall. */
export const LEFT_AS_IT_WAS =
  /(?<![\p{L}])(?:(?:not|n['’]t) (?:yet )?(?:touch|change|modif|alter|edit|need|use)\p{L}*|(?:nicht|nie) (?:an)?(?:gefasst|gerührt|geändert)|untouched|unchanged|left (?:alone|as (?:it|they) (?:is|are|was|were)))(?![\p{L}])/iu

/** Words by which an agent plans, or offers something. */
export const OFFER =
  /(?<![\p{L}])(?:(?:shall|should) (?:i|we)|(?:do you )?want me to|would you like(?: me)?|(?:i|we)(?:['’]ll| will)|will (?:follow|come)|(?:comes?|is|are|follows?) next|soll(?:en)? (?:ich|wir)|möchtest du|werde(?:n)? (?:ich|wir)|(?:veux-tu|voulez-vous) que|dois-je|quieres que|debo|quer que|devo|vuoi che)(?![\p{L}])|хотите|要我|需要我|しましょうか|할까요/iu

const UNVERIFIED =
  /(?:not|n['’]t|cannot|unable to|failed to|konnte|kann|pas|no (?:pude|he podido|puedo)|não|non)(?: (?!(?:an?|the|in|of|for)(?![\p{L}]))\p{L}{1,20}){0,3} (?:run|tested|test|verif\w{1,8}|check(?:ed)?|tr(?:y|ied)|reproduced?|executed?|measured?|access|connect|ausführen|ausprobieren|(?:über)?prüfen|testen|tester|essayer|vérifier|probar|comprobar)(?![\p{L}])(?! (?:n[io]|nor|noch|ou|oder)(?![\p{L}]))/iu

/** Whether an agent only says that it has not verified what it did. */
export const isUnverified = (shortfall: string): boolean => UNVERIFIED.test(shortfall)

const UNEXPLAINED =
  /(?:could(?: not|n['’]t)|cannot|unable to|konnte (?:\p{L}{1,20} ){0,2}nicht) (?:find out|tell|explain|say|see|herausfinden|erklären|sagen)(?![\p{L}])/iu

/** Whether an agent only says that it has found no reason for something. */
export const isUnexplained = (shortfall: string): boolean => UNEXPLAINED.test(shortfall)

const NOT_REPRODUCED =
  /(?:not|n['’]t|cannot|unable to|failed to|konnte|kann|pas(?: pu| réussi à)?|no (?:pude|he podido|puedo))(?: (?!any ?more|any longer|longer)[\p{L}]{1,20}){0,6} (?:reproduced?|reproducing|nachstellen|reproduzieren|nachvollziehen|reproduire|reproducir(?:lo)?)(?![\p{L}])(?![^.;]{0,60}(?<![\p{L}])(?:any ?more|any longer|since|after|with the fix|mehr|plus)(?![\p{L}]))/iu

/** Whether an agent says that it could not reproduce a fault: that it can do so no more is a success. */
export const isNotReproduced = (shortfall: string): boolean =>
  NOT_REPRODUCED.test(shortfall) && !/^(?:after|since|with) (?:the|this|that|my)(?![\p{L}])/iu.test(shortfall)
