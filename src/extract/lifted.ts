import { areAllIn } from './same-words.ts'
import { hasOtherAspect, isDistinctive, rootsOf } from './work-claims.ts'

/**
 * The words by which users say that what stood in the way of work is over: "CI is green again", "the key is in .env now", "Ops gave us
 * access". In doubt, it is not: work goes on at a blocker that was lifted by mistake.
 */

/** Words before what somebody says. */
const LEAD =
  /^(?:(?:ok(?:ay)?|good news|great|nice|btw|fyi|by the way|update|and|so|also|but|now|yes|ah|oh|hey|finally|übrigens|gut|jetzt|so|also|und|aber|bon|et|alors|bueno|y|ahora|ya)[\s,:.!]+){1,4}/iu

/** The beginning of a clause that reports what others say. */
const HEARSAY =
  /^(?:[\p{L}'’]{1,20} ){1,3}(?:says?|said|tells? (?:me|us)|told (?:me|us)|sagt|sagen|dit|disent|dice|dicen)(?: that| dass| que)? /iu

/** Words that deny what a clause says, make it a condition, a wish or a plan, or say that it is not sure. */
const UNSURE =
  /n['’]t(?![\p{L}])|(?<![\p{L}])(?:not|no|never|nothing|neither|without|still|yet|if|when|once|until|till|unless|as soon as|after|before|while|whether|will|should|would|could|can|cannot|must|may|might|need|needs|tomorrow|soon|later|almost|nearly|partly|half|maybe|perhaps|probably|think|hope|guess|nicht|noch|kein\p{L}*|nie|wenn|falls|sobald|bis|wird|werden|soll\p{L}*|kann|können|muss|müssen|würde\p{L}*|könnte\p{L}*|morgen|bald|vielleicht|fast|ne|pas|jamais|si|quand|lorsque|dès|sera|seront|devrait|peut|demain|bientôt|encore|peut-être|presque|no|nunca|todavía|aún|cuando|cuanto|será|debería|puede|mañana|pronto|quizás|casi)(?![\p{L}])|n['’](?=[aeiouy])/iu

/** The states of a thing that blocks nothing. */
const STATES =
  'back|green|up(?! to)|fixed|working|available|there(?! (?:for|to|because|since|so) )|here|ready|resolved|solved|settled|open|reachable|online|running|valid|set|merged|approved|granted|released|unblocked|unlocked|enabled|lifted|confirmed|signed|cleared|restored|renewed|installed|deployed|published|live|free|in \\S+'
const NOW = '(?: (?:now|all|finally|already|back|again))*'
const DONE =
  'gave|given|granted|sent|added|put|set up|set|created|approved|fixed|raised|lifted|opened|enabled|unlocked|released|freed|installed|renewed|restored|provided|shared|delivered|merged|resolved|solved|confirmed|signed|bought|uploaded|started|restarted|repaired|unblocked'
const THING = '([^,;:.!?]{1,80}?)'
/** Where the thing ends: at its place, or with the clause. */
const REST =
  '(?=\\s{0,3}$| (?:now|again|already|finally|yesterday|today|this|last|to|in|into|for|at|from|by|with|jetzt|wieder|heute|gestern|maintenant|ahora|ya)(?![\\p{L}]))'

const LIFTED = [
  String.raw`${THING}(?: is| are|['’]s)${NOW} (?:${STATES})(?![\p{L}])`,
  String.raw`${THING} (?:works?|runs?|answers?|builds?|passes) (?:now|again)(?![\p{L}])|${THING} (?:came back|arrived|recovered)(?![\p{L}])`,
  String.raw`${THING} (?:was|were|has been|have been|got)${NOW} (?:${DONE}|approved|merged)(?![\p{L}])`,
  String.raw`${THING} (?:has |have )?(?:approved|confirmed|agreed|signed(?: off)?|answered|replied|decided|said yes)(?![\p{L}])`,
  String.raw`(?:we|i|you)(?:['’]ve)?${NOW} (?:have|got|received|have got)${NOW} ${THING}(?:${NOW})?$`,
  String.raw`here(?: is|['’]s| are) ${THING}$`,
  String.raw`(?:[^\s,;:.!?]{1,30} ){1,4}(?:${DONE})(?: (?:us|me|you|it))? ${THING}${REST}`,
  // German
  String.raw`${THING} (?:ist|sind|liegt|liegen|steht|stehen|läuft|laufen|funktioniert|funktionieren|geht|gehen)(?: (?:jetzt|wieder|nun|endlich))* (?:da|wieder|jetzt|nun|grün|frei|offen|fertig|bereit|erreichbar|verfügbar|in \S+|gemergt|freigegeben|erteilt|behoben|repariert|gelöst)(?![\p{L}])`,
  String.raw`${THING} (?:läuft|laufen|funktioniert|funktionieren|geht|gehen) (?:wieder|jetzt)(?![\p{L}])`,
  String.raw`${THING} haben wir(?: (?:jetzt|nun|endlich))?$|(?:wir|ich) haben?(?: (?:jetzt|nun|endlich))? ${THING}(?: (?:bekommen|erhalten))?$`,
  String.raw`(?:[^\s,;:.!?]{1,30} ){1,3}(?:hat|haben)(?: (?:uns|mir|dir))? ${THING} (?:gegeben|geschickt|erteilt|freigegeben|freigeschaltet|angelegt|repariert|behoben|gemergt|bestätigt|genehmigt)$`,
  // French and Spanish
  String.raw`${THING} (?:est|sont)(?: (?:maintenant|enfin|de nouveau))? (?:là|prête?s?|de retour|réparée?s?|rétablie?s?|disponibles?|vertes?|verts?|dans \S+|fusionnée?s?|approuvée?s?)(?![\p{L}])|${THING} (?:marche|fonctionne)(?:nt)? (?:de nouveau|à nouveau|maintenant)`,
  String.raw`(?:on a|nous avons|j['’]ai)(?: (?:maintenant|enfin|reçu))* ${THING}(?: maintenant)?$`,
  String.raw`${THING}(?: ya)? (?:está|están)(?: (?:ya|ahora))? (?:en \S+|list[oa]s?|disponibles?|verdes?|arreglad[oa]s?|aquí|ahí|de vuelta)(?![\p{L}])|${THING} (?:ya funcionan?|vuelven? a funcionar|funcionan? (?:ya|de nuevo|otra vez)|llegó|llegaron)(?![\p{L}])`,
  String.raw`(?:ya |ahora )?(?:tenemos|tengo)(?: ya)? ${THING}(?: ya| ahora)?$`,
].map((form) => new RegExp(`^(?:${form})`, 'iu'))

/** What is in the way again. */
const AGAIN =
  /(?<![\p{L}])(?:is|are|ist|sind|est|sont|está|están) (?:now |again |still |wieder |immer noch |de nuevo )*(?:red|down|broken|gone|failing|full|rot|weg|kaputt|cassée?s?|rot[oa]s?)(?![\p{L}])/iu

/** The places between clauses. */
const CLAUSE = /[.,;:!，。](?=\s|$)|\s[-–—]\s|\s(?:and|but|so|und|aber|et|mais|y|pero)\s/iu

/** What a sentence of the user says of a thing: that it is in order, or in the way again. */
interface Verdict {
  sentence: string
  isLifted: boolean
  /** The words of the thing; none where it is in the way again. */
  thing: ReadonlySet<string>
  /** The words of its clause. */
  clause: ReadonlySet<string>
}

/** The beginning of an order to look, or of a case that is only assumed. */
const ORDER =
  /^(?:please |bitte )?(?:check|verify|make sure|ensure|see|tell|say|assume|suppose|pretend|confirm|report|wait|prüfe?|schaue?|sage?|vérifie|dis|comprueba|dime)(?![\p{L}])/iu

/** A sentence that begins with a condition: it holds for its other clauses too. */
const CONDITION =
  /^(?:and |but |then |ok,? |und |aber )?(?:if|when|once|unless|as soon as|wenn|falls|sobald|si|quand|dès que|cuando|en cuanto)(?![\p{L}])/iu

const TAG_QUESTION = /,\s(?:right|correct|no|yes|or|oder|ja|nein|non|hein|verdad|(?:is|are)n['’]t (?:it|they))\?\s*$/iu

/** Returns what sentences of the user say of things that are in order, or in the way again; oldest first. */
export const findVerdicts = (sentences: readonly string[]): Verdict[] =>
  sentences
    .filter((sentence) => !TAG_QUESTION.test(sentence) && !CONDITION.test(sentence))
    .flatMap((sentence) =>
      sentence.split(CLAUSE).flatMap((part): Verdict[] => {
        const clause = part.trim().replace(LEAD, '').replace(HEARSAY, '')
        if (/[?？]$/.test(clause)) return []
        if (AGAIN.test(clause)) return [{ sentence, clause: rootsOf(clause), isLifted: false, thing: new Set() }]
        if (UNSURE.test(clause) || ORDER.test(clause)) return []
        const found = LIFTED.flatMap((form) => form.exec(clause)?.slice(1).filter(Boolean) ?? [])
        return found.map((thing) => ({
          ...{ sentence, clause: rootsOf(clause), isLifted: true },
          thing: withoutFiller(rootsOf(thing)),
        }))
      }),
    )

const FILLER = rootsOf(
  'l d yet now team people department guys question issue problem thing new finally still us them ein eine noch',
)
const withoutFiller = (words: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...words].filter((word) => !FILLER.has(word)))

/** Words before what a blocker is about. */
const BEFORE =
  /^[\s*_`-]*(?:(?:still |currently )?(?:waiting|waits?|blocked|blocks|pending|missing|needs?|lacks?|requires?|warte[nt]?|fehlt|fehlen|en attente|attend|manque|falta|faltan|esperando|pas|no|kein\p{L}*)(?![\p{L}])(?: (?:for|on|by|of|auf|de|d['’]))?\s*(?:d['’])?){0,2}/iu

/** The ends of what a blocker is about: its part, its place, or what is said of it. */
const AFTER =
  /\s(?:of|to|for|from|by|in|on|at|with|is|are|was|were|has|have|fails?|does|do|can|cannot|von|vom|zum|zur|für|im|ist|sind|fehlt|fehlen|hat|haben|de|du|des|au|aux|est|sont|del|al|está|están|yet|noch)(?![\p{L}])/iu

/** The places between what is blocked, and why. */
const WHY =
  /[.,;:()](?=\s|$|\))|\(|\s(?:because(?: of)?|since|due to|as|until|blocked by|blocks|no|weil|wegen|bis|parce que|à cause de|porque|hasta)\s/iu

/** The states of a thing that does not work. That it works again may be said of a part of its name. */
const DOWN =
  /(?<![\p{L}])(?:unreachable|down|red|offline|broken|fails?|failing|full|returns?|(?:does|is) not (?:build|run|start|work|running|reachable)|nicht erreichbar|rot|kaputt|en panne|roto|caíd[oa])(?![\p{L}])/iu

/** Returns the words for the things that are in the way: the last one of each name, which says what it is, or all of what does not work. */
const headsOf = (blocker: string): ReadonlySet<string> =>
  new Set(
    blocker.split(WHY).flatMap((part) => {
      const [name = ''] = part.trim().replace(BEFORE, '').split(AFTER, 1)
      const words = [...withoutFiller(rootsOf(name))]
      return DOWN.test(part) ? words : words.slice(-1)
    }),
  )

/**
 * Returns the last sentence of the user that lifts a blocker: it says of something that is in the way, and of nothing else, that it is
 * in order. Undefined if none does, or if it is in the way again since.
 */
export function liftedBy(blocker: string, verdicts: readonly Verdict[]): string | undefined {
  const [heads, words] = [headsOf(blocker), rootsOf(blocker)]
  const last = verdicts.findLast(
    ({ isLifted, thing, clause }) =>
      [...clause].some((word) => heads.has(word)) && (!isLifted || (thing.size > 0 && areAllIn(thing, words))),
  )
  return last?.isLifted === true ? last.sentence : undefined
}

const SOLVED_SHARE = 0.6

/** Whether something that the agent has done is about a blocker: it has most words of a part of it, or its name and another word. */
export function isAbout(done: string, blocker: string): boolean {
  const said = rootsOf(done)
  return blocker.split(WHY).some((part) => {
    const words = withoutFiller(rootsOf(part))
    const shared = [...words].filter((word) => said.has(word))
    if (shared.length < 2 || hasOtherAspect(said, words)) return false
    return shared.length >= words.size * SOLVED_SHARE || shared.some(isDistinctive)
  })
}
