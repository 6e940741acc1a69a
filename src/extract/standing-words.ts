/** The words by which people say how things are to stay, without words such as "never" and "always" (`words.ts`). */

/** What somebody wants as it is, although it looks like a fault. */
const INTENDED =
  /(?<![\p{L}])(?:on purpose|deliberate(?:ly)?|intentional(?:ly)?|absichtlich\p{L}{0,2}|mit absicht|exprès|volontairement|a propósito|de propósito)(?![\p{L}])|故意|有意|わざと|意図的/iu

/** The beginning of an order to leave something, at the beginning of a sentence or of one of its clauses. */
const LEAVE =
  /(?:^|[,;:]\s|\b(?:and|but|please|und|aber|bitte)\s)(?:leave|keep|let|don['’]t|do not|never|lass(?:e|t)?|behalte|nicht|laisse[rz]?|garde[rz]?|deja[rd]?)(?![\p{L}])|不要|别|しないで/iu

/** Something that is not wanted anywhere. */
const NOT_WANTED =
  /\b(?:i|we) (?:don['’]t|do not) want [^,;:.!?]{1,80}\b(?:at all|anywhere)\b|(?<![\p{L}])(?:ich|wir) (?:will|wollen|möchten?) [^,;:.!?]{0,40}(?:überhaupt|gar|nirgends) (?:kein|nicht|ein)/iu

/** One to three words that are no thing that somebody could ban: what was not found, and phrases. */
const NO_THING = [
  'worries|problems?|idea|rush|hurry|need|thanks?|way|luck|matter|wonder|doubt|clue|one|longer|more|thing|chance|reason|point|sign|trace',
  String.raw`outputs?|errors?|warnings?|fail\w*|crash\w*|changes?|changed|differen\w*|effects?|results?|response|answers?|reply|match\w*|tests?|issues?|bugs?`,
  'news|comment|hits?|questions?|code(?! \\w)|the|a|an|this|that|these|those|it|i|you|he|we|they|not|just|please|wait|stop|sorry|such|other|yet|now|still|today|time',
  String.raw`is|are|was|were|has|have|had|do|does|did|will|can|could|would|should|shows?|works?|worked|found|appears?|happen\w*|seems?|gets?|got|came|comes?|exists?|left|there|here|any ?more`,
  String.raw`ahnung|probleme?|sorgen?|fehler|änderung\w*|unterschied\w*|wunder|eile|rückmeldung|treffer|grund|angst|zeit|lust|antwort|ist|sind|war|waren|hat|haben|mehr`,
].join('|')

/** A sentence that begins with the ban of a thing: `no SVG charts, the club prints from a text editor`. */
const NO_SUCH_THING = new RegExp(
  String.raw`^(?:(?:and|but|also|please|und|aber|bitte)[, ]+)?(?:no|keine?n?)(?: (?!(?:${NO_THING})(?![\p{L}]))[\p{L}\p{N}_'’./-]{1,40}){1,3}(?=[,;:!.]|$| (?:please|at all|anywhere|in|for|on)\b)`,
  'iu',
)

/** How something is to be worded: `For ahorn write "probable swarm", nothing more`. */
const WORDING =
  /^(?:and |also |und )?(?:for|für|pour|para) [^,;:.!?"“„«]{1,60} ["“„«][^"”“»]{1,80}["”“»].{0,40}(?:nothing (?:more|else)|nichts (?:weiter|anderes)|sonst nichts|rien (?:de plus|d['’]autre)|nada más)/iu

/** Whether a sentence says that something is as it is on purpose, and orders to leave it so. */
export const isIntended = (sentence: string): boolean => INTENDED.test(sentence) && LEAVE.test(sentence)

/** Whether a sentence says how things are to stay: on purpose, without some thing, or in given words. What is said of now or of this task is not meant. */
export const isStanding = (sentence: string): boolean =>
  isIntended(sentence) || NOT_WANTED.test(sentence) || NO_SUCH_THING.test(sentence) || WORDING.test(sentence)
