import { hasOtherAspect, isDistinctive, rootsOf } from './work-claims.ts'

/** What is in the way of work by an earlier summary, and what was said of it since. Whether that ends it is the reader's to judge. */

const FILLER = rootsOf(
  'l d yet now yes no ok okay ja nein oui non sí team people department guys question issue problem thing new finally still us them ein eine noch',
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

/** A sentence of the user, with the roots of its words. */
interface RootedSentence {
  sentence: string
  roots: ReadonlySet<string>
}

/** Returns the last sentence of the user that names something that is in the way. */
export function saidOf(blocker: string, sentences: readonly RootedSentence[]): string | undefined {
  const heads = [...headsOf(blocker)]
  return sentences.findLast(({ roots }) => heads.some((head) => roots.has(head)))?.sentence
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
