/** The words by which people say how things are to stay, without words such as "never" and "always" (`words.ts`). */

/** Words by which a sentence holds for all work to come, whatever it says. */
const FROM_NOW_ON =
  /(?<![\p{L}])(?:from (?:now|today|here) on|henceforth|going forward(?! with)|until further notice|until (?:i|we) say so|bis auf weiteres|jusqu['’]à nouvel ordre|hasta nuevo aviso|under no circumstances|ab (?:jetzt|sofort)|künftig|in zukunft|désormais|dorénavant|à partir de maintenant|à l['’]avenir|(?:de|desde|a partir de) ahora(?: en adelante)?|a partir de agora|d['’]ora in poi)(?![\p{L}])|впредь|отныне|今后|从现在(?:起|开始)|今後は|これからは|앞으로는/u

/** Words before an order. */
const LEAD = String.raw`(?:(?:please|also|and|but|ok(?:ay)?|then|so|always|first|bitte|und|et|merci de|y|por favor),? ){0,3}`

const LANGUAGES =
  'english|german|french|spanish|italian|portuguese|russian|chinese|japanese|deutsch|englisch|französisch|spanisch|français|anglais|allemand|espagnol|inglés|español|alemán|francés'
const TOOLS =
  'pnpm|npm|yarn|bun|deno|pip|uv|poetry|conda|vitest|jest|mocha|pytest|unittest|eslint|biome|prettier|ruff|black|docker|podman'
const RUNS =
  'run|rerun|commit|push|lint|test|format|ask|tell me|report|summari[sz]e|rebase|squash|pull|check|verify|build'
const WRITES = 'update|bump|add|write|document'
const OCCASION = String.raw`(?:commit|change|edit|push|release|merge|deploy\w*|pr|pull request|feature|fix)`
const EACH = String.raw`(?:after|before|with) (?:every|each|any) (?:single )?`
/** The beginning of a clause that orders nothing: it says what happens. */
const NO_ORDER =
  '(?!(?:it|the|they|i|we|he|she|you|my|our|your|this|that|there|some|everything|nothing|es|das|der|die|ich|wir|ça|il|elle|le|la|les|je|on|ce|se|me|el|los|las)(?![\\p{L}])|\\p{L}+t (?:es|das|der|die|er|sie|ich|alles)(?![\\p{L}]))\\p{L}+'

/** How all work is done, behind the words before an order: what is done each time, what is asked before, in which language. */
const ORDERED_WAYS = [
  `(?:${RUNS})(?: .{0,80})? ${EACH}(?:${OCCASION}|step|task)`,
  `(?:${WRITES}) .{1,60} ${EACH}${OCCASION}`,
  `${EACH}(?:${OCCASION}|step|task),? (?:please )?(?:${RUNS}|${WRITES})`,
  String.raw`(?:lass|führe?|starte|mach|committe|pushe?|teste|prüfe) (?:.{1,60} )?(?:nach|vor) jede[rm] (?:änderung|commit|schritt|push|release)`,
  String.raw`(?:lance|exécute|fais|relance|commit(?:te)?|pousse)[rz]? (?:.{1,60} )?(?:apr[èe]s|avant) chaque (?:modification|changement|commit|étape)`,
  String.raw`(?:ejecuta|corre|haz|pasa|commitea) (?:.{1,60} )?(?:después|antes) de cada (?:cambio|commit|edición|paso)`,
  String.raw`(?:commit(?:te|ea)?|pushe?|pousse)[rz]? (?:.{1,60} )?(?:after (?:every|each)|nach jede[rm]|apr[èe]s chaque|después de cada) (?:point|item|part|punkt|aufgabe|tâche|punto|tarea)`,
  String.raw`(?:in (?:the )?future,?|(?:whenever|every time|each time) you (?!click|press|tap|hover|scroll|type|drag|log)[^,]{1,120},) ${NO_ORDER}`,
  String.raw`(?:immer,? wenn|jedes mal,? wenn|wann immer) du [^,]{1,120}, ${NO_ORDER}`,
  String.raw`(?:chaque|à chaque) fois que (?:tu|vous) [^,]{1,120}, ${NO_ORDER}|cada vez que \p{L}{3,}[aei]s [^,]{1,120}, ${NO_ORDER}`,
  String.raw`(?:(?:ask|tell|consult)(?: (?:me|us))?|(?:check|confirm) with (?:me|us))(?: first| for \p{L}+)? before (?:you|each|every|any|\p{L}+ing)`,
  String.raw`frage?(?: (?:mich|uns))?(?: (?:immer|erst|vorher|zuerst))?,? (?:bevor|ehe|vor)|demande[rz]?(?:-(?:moi|nous))? (?:toujours |d['’]abord )?avant d(?:e|['’])|pregúnta(?:me|nos) (?:siempre |primero )?antes de`,
  String.raw`(?:answer|reply|respond|speak|talk|write)(?: to)?(?: me)?(?: only)? in (?:${LANGUAGES}|(?:short|simple|plain|full) \p{L}+)|keep (?:your |the |all )?(?:answers|replies|responses|explanations) (?:short|brief|concise|terse|simple|under|below|to the point)`,
  String.raw`(?:antworte|sprich|schreibe?)(?: (?:mir|bitte))? auf (?:${LANGUAGES})|répond(?:s|ez|re)(?:-moi)? en (?:${LANGUAGES})|respond[ea](?:me)? en (?:${LANGUAGES})`,
].join('|')
/** The same in any sentence: how things are called, and with which tool. */
const STATED_WAYS = [
  String.raw`(?:i|we)(?: (?:want|expect|need)|['’]d (?:like|prefer)| would (?:like|prefer)) (?:(?:every|each) (?:single )?(?:commit|change|pr|pull request|release)|all (?:our |my |your )?(?:commits|comments|commit messages|identifiers) (?:(?:to be|in) \p{L}+|signed|written|prefixed))`,
  String.raw`(?:ich|wir) (?:will|wollen|möchten?) (?:jede[nrs]? (?:commit|änderung)|alle (?:commits|kommentare|namen) (?:auf|in) \p{L}+)`,
  String.raw`^(?:(?:our|house|team|project|coding|naming|new|some|my|more|two|three|a few) ){1,2}(?:convention|rule|policy|guideline|standard)s?(?: (?:here|for) ?[^:]{0,40})?(?::| is (?:that|to|one|no))|^(?:the )?(?:convention|rule)(?: here)?:`,
  String.raw`^(?:unsere?|notre|nuestr[ao]) (?:konvention|regel|richtlinie|convention|règle|convención|regla|norma)[^:]{0,40}:`,
  String.raw`(?<![\p{L}])(?:keep (?!me |us )\S{1,40} (?:updated|up[- ]to[- ]date|in sync)|commit|document|tick|update \S{1,40}) as (?:we|you) go(?![\p{L}])|(?:use|with|follow) conventional commits`,
  String.raw`^(?:one|a single) (?:commit|branch|pr|pull request) (?:per|for each) \p{L}+(?=[.,;!]|$| please)|^(?:(?:all|alle|todos los|tous les) )?(?:(?:code|commit)[- ]?)?(?:comments?|messages?|identifiers|names|kommentare|nachrichten|commentaires|comentarios|mensajes|nombres) (?:in|auf|en) (?:${LANGUAGES})(?: (?:and|und|et|y) \p{L}+)?[.!]?$`,
  String.raw`(?<![\p{L}])nothing (?:\p{L}+ )?leaves (?:this|the|our|my) (?:machine|computer|laptop|server|network|house|company)(?=\s{0,3}(?:[.,;!]|$))`,
  String.raw`(?<![\p{L}])(?:use|stick (?:to|with)|prefer|verwende|benutze|nimm|utilise[rz]?|usa)(?: only| just| nur| seulement| solo)? ${'`'}?(?:${TOOLS})${'`'}?(?=\s{0,3}(?:[.,;!]|$)| (?:and not|instead|rather|only|here|everywhere|please|nicht|statt|anstatt|au lieu|en (?:vez|lugar)|from now)(?![\p{L}]))`,
].join('|')
const WAY = new RegExp(
  `(?:^${LEAD}(?:${ORDERED_WAYS})|${STATED_WAYS})(?![\\p{L}])|每次[^。，]{1,20}(?:后|前)[，]?(?:都要|必须|请|先)|每(?:做|完成|改|写|修)[^。，,]{1,12}(?:就(?:提交|推送|跑|运行|测试|问)|都要|必须)`,
  'u',
)

/** What somebody wants as it is, although it looks like a fault. */
const INTENDED =
  /(?<![\p{L}])(?:on purpose|deliberate(?:ly)?|intentional(?:ly)?|absichtlich\p{L}{0,2}|mit absicht|exprès|volontairement|a propósito|de propósito)(?![\p{L}])|故意|有意|わざと|意図的/iu

/** The beginning of an order to leave something, at the beginning of a sentence or of one of its clauses. */
const LEAVE =
  /(?:^|[,;:]\s|\b(?:and|but|please|und|aber|bitte)\s)(?:leave|keep|let|don['’]t|do not|never|lass(?:e|t)?|behalte|nicht|laisse[rz]?|garde[rz]?|deja[rd]?)(?![\p{L}])|不要|别|しないで/iu

/** Something that is not wanted anywhere. */
const NOT_WANTED =
  /\b(?:i|we) (?:don['’]t|do not) want [^,;:.!?]{1,80}\b(?:at all|anywhere)\b|(?<![\p{L}])(?:ich|wir) (?:will|wollen|möchten?) [^,;:.!?]{0,40}(?:überhaupt|gar|nirgends) (?:kein|nicht|ein)/u

/** One to three words that are no thing that somebody could ban: what was not found, and phrases. */
const NO_THING = [
  '(?:no|nope)(?=[\\s,.!]|$)|worries|problems?|idea|rush|hurry|need|thanks?|way|luck|matter|wonder|doubt|clue|one|longer|more|thing|chance|reason|point|sign|trace',
  String.raw`outputs?|errors?|warnings?|fail\w*|crash\w*|changes?|changed|differen\w*|effects?|results?|response|answers?|reply|match\w*|tests?|issues?|bugs?`,
  'news|comment|hits?|questions?|code(?! \\w)|the|a|an|this|that|these|those|it|i|you|he|we|they|not|just|please|wait|stop|sorry|such|other|yet|now|still|today|time',
  String.raw`is|are|was|were|has|have|had|do|does|did|will|can|could|would|should|shows?|works?|worked|found|appears?|happen\w*|seems?|gets?|got|came|comes?|exists?|left|there|here|any ?more`,
  String.raw`ahnung|probleme?|sorgen?|fehler|änderung\w*|unterschied\w*|wunder|eile|rückmeldung|treffer|grund|angst|zeit|lust|antwort|ist|sind|war|waren|hat|haben|mehr`,
].join('|')

/** The same in Spanish, where "no" is also "not", and in French. */
const NO_THING_ROMANCE = [
  String.raw`funcion\p{L}+|carga\p{L}{0,2}|sé|sabe[sn]?|entiendo|veo|hay|había|tengo|tienes?|tienen|tenemos|pued[eo][sn]?|podemos|quier[eo][sn]?|creo|van?|vale|es|son|era|fue|está[ns]?|estoy|sale|hac?go|hace|pasa|me|te|se|le|lo|la|nos|les|los|las|siempre|ha|he|han|importa|sirve|llegan?|aparecen?|encuentr\p{L}+|recuerd\p{L}+|consig\p{L}+|sin|dice|sir|joy|fun|then|internet|möglich|heute`,
  String.raw`problèmes?|soucis?|nouvelles?|doutes?|réponses?|idées?|erreurs?|chance|panique|accord|quoi|différences?|changements?|traces?|raison|besoin|retour|plus|mal|bol|connexion|réseau|problemas?|embargo|dudas?|prisa|falta`,
].join('|')

/** A ban of a thing, as a clause: `no SVG charts`. */
const NO_SUCH_THING = new RegExp(
  String.raw`^(?:(?:and|but|also|please|und|aber|bitte)[, ]+){0,2}(?:no|keine?n?)(?: (?!(?:${NO_THING}|${NO_THING_ROMANCE})(?![\p{L}]))[\p{L}\p{N}_'’./-]{1,40}){1,3}(?=[!.]|$| (?:please|at all|anywhere|in|for|on)\b)`,
  'u',
)

const BOUND =
  'max(?:imum|imal)?\\.?|at most|(?:no|not) more than|höchstens|nicht mehr als|au (?:plus|maximum)|pas plus de|máx(?:imo)?\\.?|como (?:mucho|máximo)|no más de'
const COUNT = '(?:\\d|(?:one|two|three|once|twice|ein\\p{L}{0,2}|zwei|drei|une?|deux|trois|una?|dos|tres)(?![\\p{L}]))'

/** A limit as a clause, or of the length of a text: `max 10 extensions`, `4 processes max`, `min android 8`. */
const LIMIT = new RegExp(
  String.raw`^(?:${BOUND}) ${COUNT}(?! (?:of|davon|d['’]entre) ?)|^min(?:imum)?\.? (?:\p{L}{1,20} )?\d|^${COUNT}\S{0,10}(?: \S{1,20}){0,4}? (?:${BOUND})[\s!.]{0,3}$|(?<!\p{L})may be \d\S{0,10}(?: \S{1,20}){0,4}? (?:${BOUND})[\s!.]{0,3}$|^(?:(?!(?:to|at|with|auf|à|a) )\S{1,30} ){1,5}(?:${BOUND}) \d{1,4} (?:char|zeichen|carac)|(?<!\p{L})may use (?:only )?\d|^(?!.*(?:崩溃|超时|报错|错误|失败)).*(?:最多(?!只)[^，。,的]{0,8}[\d一两二三]|不超过 ?\d|\d ?\p{L}{0,4}以内)`,
  'u',
)

/** What a limit is for. */
const LIMITED = new RegExp(
  String.raw`(?<=(?:${BOUND})) (?:for|per|für|pour|para) (?!.*(?<!\p{L})(?:is|are|was|were)(?!\p{L})).{1,60}$`,
  'u',
)

/** The places between clauses. */
const CLAUSE_BREAK =
  /[,;:(] ?|[、，；：]|[!.。] ?$|\s[-–—]\s|\s(?=(?:and|so|und|donc|et|y) (?:no|kein\p{L}{0,2}|pas) )/u

/** A clause that says how something is, or asks for an answer: what there is no more of, or at most, is no demand. */
const STATE =
  /(?<![\p{L}])(?:is|are|was|were|been|am|has|have|had|does|did|ran|takes?|took|needs?|needed|shows?|showed|sees?|saw|gets?|got|hits?|finds?|found|returns?|returned|compiles?|looks?|works?|there|allows?|stops?|fails?|froze|went|came|nothing|\p{L}{2,20}ed|seems?|can|could|would|might|said|says|ist|sind|war|waren|hat|haben|hatte|dauert|braucht|läuft|lädt|zeigt|geht|gibt|sieht|est|sont|était|ont|prend|il y a|marche|fonctionne|es|son|era|tiene|tarda|dura|hay|está|están|funciona)(?![\p{L}])|['’]s |^(?:i|he|she|they|back|ready|then) |^(?:please |just )?(?:give|tell|list|name|find|suggest|summari[sz]e|explain|wait|sleep|ask)(?![\p{L}])/u

/** The end of a clause that asks for something. */
const POLITE = / (?:please|bitte)$/u

/** A longer sentence is a task, and has its limit beside others. */
const MAX_LIMIT_CHARACTERS = 130

/** Whether a clause of a sentence forbids a thing or limits a number, and no clause before it says how something is. */
function limits(sentence: string): boolean {
  const clauses = sentence.split(CLAUSE_BREAK).map((clause) => clause.replace(LIMITED, ''))
  const isLimit = (clause: string): boolean =>
    sentence.length <= MAX_LIMIT_CHARACTERS && LIMIT.test(clause) && !STATE.test(clause)
  const at = clauses.findIndex(
    (clause, index) =>
      isLimit(clause) || (NO_SUCH_THING.test(clause) && (index === 0 || POLITE.test(clauses[index - 1] ?? ''))),
  )
  return at >= 0 && !clauses.slice(0, at).some((clause) => STATE.test(clause))
}

/** An order to keep something as it is, at the beginning of a sentence. */
const KEEP = new RegExp(
  String.raw`^${LEAD}(?:keep|behalte|garde[rz]?|conserve[rz]?|mantén)(?! (?:it (?:up|coming|going|under|below|above|within)|on(?:$| )|at |up(?![\p{L}])|me|us|in mind|in touch|an eye|track|calm|that|this|those|these|things|the (?:change|momentum|good)|\p{L}+ing)(?![\p{L}]))(?! the same(?: [^\s.!]+){0,2}$)(?!.{0,200}(?:for (?:now|later|the moment)|until|running|you did|en tête|à l['’]esprit|por ahora)) (?:\S+ \S|\S{7})`,
  'u',
)

/** What is not to be done any more. */
const NO_MORE = new RegExp(
  String.raw`^${LEAD}(?:don['’]?t|do not) (?!(?:worry|bother|mind|wait)(?![\p{L}]))[^,;:.!?]{1,80} any ?more(?= for now|\s{0,3}(?:[.,;!]|$))`,
  'u',
)

/** What is to stay true of something, or as it is. */
const STAYS =
  /^(?!(?:it|this|that|i|we|you|they|there)(?![\p{L}]))(?!.*(?<![\p{L}])(?:when|after|if|although|even)(?![\p{L}])).{1,80}(?<![\p{L}])(?:stays? as (?:it is|is)|stay as they are|bleib(?:t|en) (?:so, )?wie (?:es|er|sie) (?:ist|sind))(?![\p{L}])|^(?!(?:it|this|that|i|we|you|they|there)(?![\p{L}])).{1,80}(?<![\p{L}])must (?:still (?:run|work|build|compile|pass)|not|never|stay|remain|keep)(?! (?:have|be (?:there|running|active))(?![\p{L}]))(?![\p{L}])/u

/** How something is to be worded: `For ahorn write "probable swarm", nothing more`. */
const WORDING =
  /^(?:and |also |und )?(?:for|für|pour|para) [^,;:.!?"“„«]{1,60} ["“„«][^"”“»]{1,80}["”“»].{0,40}(?:nothing (?:more|else)|nichts (?:weiter|anderes)|sonst nichts|rien (?:de plus|d['’]autre)|nada más)/u

/** Bans and rules in Chinese, but not those for the time being. */
const UNSPACED =
  /^(?!.*(?:崩溃|超时|报错|错误|失败|他说|她说|吗$)).*(?:(?<!先|暂时|还|现在|要|是)(?:不要|不许|不准)(?!紧|说|管|担心|着急|在意|忘|再?了)(?!(?!再)[^，。；！,]{1,30}了(?:[，。；！,]|$))[^，。；！,]{2,}|不能(?:出现|包含|带有)(?![^，。]{0,20}(?:时会|了(?:[，。！]|$)))|只有[^，。,]{1,20}的人(?:才)?能)/u

/** Whether a sentence says that something is as it is on purpose, and orders to leave it so. */
export const isIntended = (sentence: string): boolean => INTENDED.test(sentence) && LEAVE.test(sentence)

/** Whether a sentence says how things are to stay: from now on, each time, on purpose, without some thing, or in given words. */
export const isStanding = (sentence: string): boolean => isIntended(sentence) || staysSo(sentence.toLowerCase())

/** Reads a sentence in lower case: with the flag `i`, patterns of this size are compiled in several times the time. */
const staysSo = (sentence: string): boolean =>
  FROM_NOW_ON.test(sentence) ||
  WAY.test(sentence) ||
  NOT_WANTED.test(sentence) ||
  limits(sentence) ||
  KEEP.test(sentence) ||
  NO_MORE.test(sentence) ||
  STAYS.test(sentence) ||
  UNSPACED.test(sentence) ||
  WORDING.test(sentence)
