/** Words by which users put work off to another time. Sentences with them are quoted, and nothing is decided by them alone. */

const END = String.raw`(?=\s{0,2}(?:[,;:.!)–—-]|$))`

const LATER = new RegExp(
  [
    String.raw`(?<![\p{L}])(?:(?:ask|remind) (?:me|us) (?:again|later|in|on|when|once)|can wait|not (?:now|today|before)|(?:some ?day|later|next (?:week|month|year|sprint|quarter|season))${END}|(?:some ?day|later|tomorrow|next week),? (?:please|maybe)|tomorrow,? please|when there(?:['’]s| is) time|(?:maybe|perhaps) (?:for|in|next|later|after)|(?<!commit |push )only (?:after|once)|for after|after (?:the |v?(?=\d))?(?:release|launch|campaign|freeze|holidays|vacation|season|easter|christmas|new year|summer|winter|\d{1,3}\.\d{1,3}${END}))(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:nicht (?:jetzt|heute|vor)|irgendwann|erst (?:nach|im|am|ab|später|morgen|nächst\p{L}*)|erst,? wenn|(?:später|nächste woche|nächsten monat|nächstes jahr)${END}|später bitte|ha(?:t|ben) zeit bis|(?:kann|können) warten|erinnere? mich (?:im|am|in|wieder)|frag mich (?:im|am|in|wieder)|bleib\p{L}{1,2} bis|nach (?:dem (?:release|urlaub|sommer)|de[nr] (?:ferien|kampagne)|ostern|weihnachten|neujahr))(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:pas (?:maintenant|avant|tout de suite)|plus tard|un (?:autre )?jour${END}|la (?:semaine|prochaine) (?:prochaine|fois)${END}|peu(?:t|vent) attendre|redemande|(?:on verra|à voir) en|après (?:la campagne|les vacances|noël|pâques|l['’]été))(?![\p{L}])`,
    String.raw`(?<![\p{L}])(?:ahora no|no ahora|más tarde|(?:otro|algún) día|la próxima semana${END}|puede(?:n)? esperar|recuérda(?:me|nos) en|después de (?:las vacaciones|la campaña|navidad))(?![\p{L}])`,
    '(?:以后|稍后|晚点|下周|明天|改天)再|(?:後|あと)で|来週(?:に|お願い)|また今度|나중에',
  ].join('|'),
  'iu',
)
export const saysLater = (s: string): boolean => LATER.test(s)

/** What is to be left, as a clause of its own. Behind a word that answers, it is the answer to an offer. */
const LEAVE_IT =
  /^(?!(?:no|nope|nah|wait|yes|yeah|ok(?:ay)?|actually|hm+|sorry|stop|fine|nein|ja|doch|non|oui|das|es|ça|c['’]est)(?![\p{L}]))(?:.{1,120}[,;:] )?(?:(?:please |just )?leave (?:it|that|this|them|that one|those)(?: alone)?(?=\s{0,3}(?:[.,;!]|$)| until )|(?<=, )(?:lass|laisse)(?=\s{0,3}(?:[.,:;!]|$)))/iu

/** Whether a sentence orders to leave what it names, or the one before it does. */
export const leaves = (sentence: string): boolean => LEAVE_IT.test(sentence)

/** Whether it does not name it. */
export const leavesIt = (sentence: string): boolean =>
  /^(?:please |just )?leave (?:it|that|this|them|those)\b/i.test(sentence)
