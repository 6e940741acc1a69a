/** What a text of a user quotes from others, or says about a state: it has no demands of the user. */

/** What somebody says, up to the quotation. */
const SAYS = String.raw`(?:says|said|writes|wrote|complain(?:s|ed)|state[sd]|reads|claim(?:s|ed)|warn(?:s|ed)|mention(?:s|ed)|replie[sd]|answered|report(?:s|ed)|(?:asked|told|tells) (?:me|us)|schreibt|schrieb|sagte?|meinte?|écrit|dit|escrib(?:e|ió)|dice|dijo|scrive|ha scritto|пишет|написала?|говорит|сказала?)(?: that)?`

/** Who says what the user says, or what is to hold. */
const BINDS = String.raw`(?<![\p{L}])(?:(?:i(?:['’]ve)?|we|ich|wir|je|nous)(?: (?:have|already|just|also|once|clearly))?|(?:guides?|guidelines?|rules?|conventions?|polic(?:y|ies)|(?:claude|agents)\.md|boss|lead|team|chefin?)[^\n.]{0,20}) ?`

/** Words in quotation marks, also on several lines, and the paragraph below the name of somebody who is no colleague. */
const QUOTED = new RegExp(
  [
    String.raw`(?<![\p{L}])(?=${SAYS})(?<!${BINDS})(${SAYS}[:,]?\s{1,3})(?:["“„«][^"”“»]{1,3000}["”“»]|'(?:[^'\n]|'(?=\p{L})){1,400}')`,
    String.raw`(?<=(?<![\p{L}])(?:customer|client|user|e-?mail|readme|kund(?:e|in)|cliente?|usuario)(?![\p{L}])[^\n]{0,40} )(${SAYS} ?:[ \t]*)\n\s{0,3}(?:(?![-*+•\d"“„«])[^\n]+(?:\n|$))+`,
  ].join('|'),
  'giu',
)

/** Returns a text without what it quotes others with. */
export const withoutQuotes = (text: string): string => text.replace(QUOTED, '$1$2…\n')

/** What a program or a document says, up to what follows from it. */
const TOOL_SAYS =
  /(?<![\p{L}])(?:errors?|warnings?|messages?|linter|compiler|logs?|ci|docs?|documentation|manual|readme|output|console|eslint|tsc|typescript|mypy|type checker|fehler|meldung|doku|erreur|mensaje)(?: \p{L}{1,20})? (?:says?|said|complain(?:s|ed)?|warns|warned|claims|claimed|tells (?:me|us)|told (?:me|us)|sagt|dit|dice)(?![\p{L}])(?:(?!,? (?:so|but|therefore|donc|así que)(?![\p{L}])|, (?:never|always|don['’]t|do not|please)(?![\p{L}])|[;—]).)*/giu

const SEEN = String.raw`(?:an? |the |this |that |these )?(?:\S{1,30} ){0,3}?(?:\d{3}|\p{L}*errors?|\p{L}*exceptions?|time-?outs?|failures?|crash(?:es)?|blank|empty|null|undefined|nothing|answers?|response|result|it|this|that)(?![\p{L}])`
const AFTER = String.raw`(?=\s{0,3}(?:[.,;!]|$)| (?:on|in|at|when|after|before|for me|here|again|if|because|since)(?![\p{L}]))`

/** Words on how something is: what always fails or never ends, and what somebody has never seen. */
const STATE = new RegExp(
  [
    String.raw`(?<=\p{L}\S* )always (?:crash|fail|hang|freez|break|error|stall|di|panic|time)e?s(?: out)?${AFTER}|(?<=\p{L}s )always (?:crash|fail|hang|freeze|break|stall|die|panic|time out)${AFTER}`,
    String.raw`(?<![\p{L}])without(?![\p{L}])(?<=(?<![\p{L}])(?:gets?|got|is|are|was|were) (?:lost|broken|wrong|missing|stuck)(?![\p{L}]).{1,120}?without)`,
    String.raw`(?<=\p{L}\S* )always (?:returns|gives(?: me)?|throws|shows(?: me)?) ${SEEN}`,
    String.raw`(?<=\p{L}\S* )never (?:finish(?:es|ed)|ends|ended|terminates|completes|work(?:s|ed)|load(?:s|ed)|start(?:s|ed)|returns|happen(?:s|ed)|fires|fired|arrive[sd]|shows up|appear(?:s|ed)|resolves|responds|came|comes back)${AFTER}`,
    String.raw`(?<![\p{L}])(?:i|we)(?: still)? (?:always|never|only) (?:get|got|see|saw|hit|run into|receive)(?: only)? ${SEEN}`,
    String.raw`(?<![\p{L}])(?:i|we|you|it|this|that|they)(?:['’](?:ve|s|d)| have| has| had)? (?:never|always) (?:seen|heard|used|tried|worked|had|been|was|were|happened|done|did|noticed|understood|said|told|asked|wanted|meant|knew|known|thought)(?![\p{L}])`,
    String.raw`^(?:always|never) (?:wondered|thought|wanted|seen|heard|tried|knew|known|noticed|understood)(?![\p{L}])|(?<=^(?:so|then|otherwise) .{1,80} )would (?:never|always)(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:(?:(?<!do )not|(?:is|are|does|was|were|ca)n['’]t|pas|no|non) (?:always|toujours|siempre|sempre)|(?:geht|gehen|ist|sind|war|klappt|stimmt|läuft)(?: \p{L}+){0,3} nicht immer)(?![\p{L}])`,
    String.raw`(?<![\p{L}])immer (?:noch|wieder|mehr)(?![\p{L}])|(?<![\p{L}])(?:stürz|brech|brich|schläg|schlag|häng|scheiter|krach)\p{L}{1,3} (?:\p{L}+ ){0,2}immer|(?:ich|wir) (?:habe|haben|hatten?|war|bin) (?:\p{L}+ ){0,3}(?:nie|immer)(?![\p{L}])|(?:bekomme|kriege|sehe|erhalte)n? (?:\p{L}+ ){0,2}?(?:immer|nie)|(?:wird|lädt|startet|funktioniert|geht|endet|kommt|klappt) (?:\p{L}+ ){0,2}nie(?![\p{L}])`,
    String.raw`toujours pas(?![\p{L}])|(?:je|on) n['’](?:ai|a|avais) jamais|(?:plant|échou|crash|bloqu)e(?:nt)? toujours|(?:j['’]obtiens|je (?:reçois|vois|tombe)) toujours|ne (?:marche|fonctionne|finit|termine|charge|démarre|répond)(?:nt)? jamais`,
    String.raw`siempre (?:fallan?|se (?:caen?|cuelgan?|rompen?)|(?:me )?(?:da|sale|aparece|devuelve)n?)(?![\p{L}])|nunca (?:carga|termina|funciona|arranca|responde|llega)n?${AFTER}`,
    String.raw`всегда (?:падает|зависает|ломается)|никогда не (?:работает|заканчивается|загружается)|(?:总是|一直|始终)(?:报错|失败|崩溃|超时|卡|出错|返回)|常に(?:失敗|エラー|落ち)`,
  ].join('|'),
  'giu',
)

/** Words of a wish: what is said of a state beside them is to be so. */
const WISH =
  /(?<![\p{L}])(?:must|should|shall|(?:has|have|needs?|ought) to|make sure|ensure|let|please|want|expect|muss|müssen|soll(?:en|te)?|darf|doit|doivent|debe[ns]?)(?![\p{L}])|должн/iu

/** Words in quotation marks: a name, or a text of the product. */
const MARKED = /["“„«][^"”“»]{1,300}["”“»]/g

/** Words that lead to a rule in quotation marks: what others say is left out before. */
const LEADS_TO_RULE =
  /(?<![\p{L}])(?:says?|said|told|sagte?|dit|dije|remember|rules?|conventions?|polic(?:y|ies)|note|important|regel|merke|wichtig)(?![\p{L}])/iu

/** Returns a sentence without what others say in it, without what it says of a state, and with nothing between quotation marks. */
export function ownWords(sentence: string): string {
  const said = sentence.replace(TOOL_SAYS, ' ')
  const own = WISH.test(said) ? said : said.replace(STATE, ' ')
  const rest = own.replace(MARKED, '"…"')
  return (rest.match(/\p{L}+/gu)?.length ?? 0) < MIN_WORDS_AROUND || LEADS_TO_RULE.test(rest) ? own : rest
}

/** With fewer words around, what is in quotation marks is said by the user. */
const MIN_WORDS_AROUND = 3
