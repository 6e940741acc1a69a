/** The kind of an answer that is no summary: a refusal in plain words, or a question back to the one who asked. */
export type Evasion = 'refused-in-words' | 'asked-back'

/** Refusals and questions are short. A longer text has other content as well. */
const MAX_EVASION_CHARACTERS = 2000

/** The part of a text that decides, and the number of its sentences. */
const HEAD_CHARACTERS = 600
const MAX_SENTENCES = 4

/**
 * Finds out whether a text begins as a refusal or as a question back, in the languages of the tables below. Only the
 * first words of a sentence count, and only greetings and apologies may be before it: a summary that reports or
 * quotes a refusal begins differently.
 * @returns undefined for any other text, and for a long one or one with headings
 */
export function findEvasion(text: string): Evasion | undefined {
  if (text.length > MAX_EVASION_CHARACTERS || /^#{1,6} /m.test(text)) return undefined
  const head = text
    .slice(0, HEAD_CHARACTERS)
    .replace(/[’ʼ]/g, "'")
    .replace(/[*_>#]/g, '')
  let isApologetic = false
  for (const sentence of head.split(/(?<=[.!?。！？…।])|\n/).slice(0, MAX_SENTENCES)) {
    const { rest, hasApology } = stripOpeners(sentence)
    isApologetic ||= hasApology
    if (rest === '') continue
    if (ASKS_BACK.some((pattern) => pattern.test(rest))) return 'asked-back'
    const refuses = REFUSES.some((pattern) => pattern.test(rest)) || (isApologetic && CANNOT.test(rest))
    return refuses ? 'refused-in-words' : undefined
  }
  return undefined
}

/** Returns what a sentence says after its greetings, apologies and conjunctions; empty when it has nothing else. */
function stripOpeners(sentence: string): { rest: string; hasApology: boolean } {
  let rest = sentence
  let hasApology = false
  for (let previous = ''; rest !== previous;) {
    previous = rest
    rest = rest.replace(/^[\s,;:.!?。！？…।、，–—-]+/, '')
    hasApology ||= APOLOGY.test(rest)
    rest = rest.replace(OPENER, '')
  }
  return { rest, hasApology }
}

/** Returns one pattern for alternatives at the beginning of a text; a word ends where the next is not a letter. */
const opening = (...alternatives: readonly string[]): RegExp =>
  new RegExp(`^[\\s¿¡]*(?:${alternatives.join('|')})`, 'iu')

const END = '(?![\\p{L}\\p{N}])'

const APOLOGIES = [
  `(?:i'm|i am|we're|we are) (?:very |so |really |truly )?(?:sorry|afraid)(?: that)?${END}`,
  `(?:my |i )?(?:apologies|apologize|apologise)${END}`,
  `sorry(?= ?[,.!;:—–-]| but| i )`,
  `unfortunately${END}|regrettably${END}`,
  `(?:es )?tut mir (?:sehr |wirklich )?leid${END}|entschuldigung${END}|entschuldige${END}|entschuldigen sie${END}|leider${END}`,
  `(?:je suis |nous sommes )?(?:vraiment )?désolée?s?${END}|malheureusement${END}|excusez-moi${END}`,
  `lo siento${END}|me temo que${END}|lo lamento${END}|lamento${END}|lamentablemente${END}|desafortunadamente${END}|disculpa${END}|perdón${END}`,
  `desculpe${END}|desculpa${END}|sinto muito${END}|infelizmente${END}|peço desculpas?${END}`,
  `mi (?:di)?spiace${END}|sono spiacente${END}|spiacente${END}|purtroppo${END}|scusa(?:mi)?${END}`,
  `het spijt me${END}|helaas${END}|tyvärr${END}|beklager${END}|beklagar${END}|desværre${END}|jag är ledsen${END}`,
  `przykro mi${END}|przepraszam${END}|niestety${END}|omlouvám se${END}|bohužel${END}|je mi líto${END}`,
  `üzgünüm${END}|maalesef${END}|özür dilerim${END}|kusura bakmayın${END}`,
  `извините${END}|извини${END}|простите${END}|к сожалению${END}|вибачте${END}|на жаль${END}|мне жаль${END}`,
  '(?:很|非常|十分|实在)?(?:抱歉|对不起|對不起|遗憾|遺憾)',
  '(?:大変)?申し訳(?:ありません|ございません|ない)(?:が|けど)?|すみません(?:が)?|ごめんなさい|恐れ入りますが|残念ながら',
  '죄송하지만|죄송합니다만?|미안하지만|미안합니다만?|유감스럽게도|안타깝지만',
  `xin lỗi${END}|rất tiếc${END}|(?:mohon )?maaf${END}|عذر[اًًا]*|آسف|للأسف|क्षमा करें|माफ़ करें|מצטער`,
]
const APOLOGY = opening(...APOLOGIES)

/** Words that may come before those that decide. */
const OPENER = opening(
  ...APOLOGIES,
  `(?:sure|certainly|of course|absolutely|okay|ok|hello|hi|hey|however|thanks|thank you)(?: there| thing)?${END}(?: for [^.!?,]{1,60})?`,
  `i understand(?: that)?[^.!?,]{0,80}${END}`,
  `(?:hallo|gerne?|natürlich|klar|bonjour|bien sûr|hola|claro|por supuesto|olá|ciao|certo|certamente|cześć|oczywiście|merhaba|tabii|привет|здравствуйте|конечно)${END}`,
  '您好|你好|当然|好的|當然|はい|もちろん(?:です)?|こんにちは|안녕하세요|물론(?:입니다|이죠)?|네',
  `(?:but|aber|mais|pero|mas|ma|maar|men|ale|ama|ancak|fakat|но|але|nhưng|tapi|namun|however|لكن)${END}|但是?|不过|而|ですが|하지만`,
)

/** "I cannot", where an apology has come before it. */
const CANNOT =
  /^(?:i|we) (?:can ?not|can't|could ?n[o']t|won't|will not|(?:am|'m|are) (?:unable|not able|not allowed)|must (?:respectfully )?decline|do(?: not|n't) (?:have|see))|^(?:i'm|i am|we're) (?:unable|not able|not allowed|programmed)|^(?:unable to|can(?:no|')t)|^that'?s? ?(?:is )?not something|\b(?:ich|wir) (?:kann|können|darf|sehe|habe)|^(?:kann|darf) ich|\bje (?:ne |n')|\bno (?:puedo|podemos|me es posible|tengo|veo)|\bn[ãa]o (?:posso|podemos|consigo|tenho)|\bnon (?:posso|possiamo|sono in grado|ho|mi è)|\bik (?:kan|mag|heb)|\bkan (?:ik|jag|jeg)|\b(?:jag|jeg) kan|nie (?:mogę|możemy|jestem w stanie|widzę|mam)|nemohu|nemůžu|am[aı]yı?z?m|em[ei]yi?z?m|amam|emem|amıyorum|emiyorum|(?:не|нe) (?:могу|можем|вижу|в состоянии|можу)|无法|不能|不可以|没办法|沒辦法|無法|没有(?:看到|收到)|でき(?:ません|かねます)|(?:いたし|しかね|応えし)かねます|見当たりません|수(?:가)? 없|어렵습니다|không thể|tidak (?:bisa|dapat)|لا (?:أستطيع|يمكنني)|नहीं (?:कर|दे)/iu

const TOPIC = '(?:conversation|transcript|request|content|chat|session|history|task|topic|text|material)s?'

const UNABLE =
  "(?:(?:i|we) (?:can ?not|can't|won't(?: be able to)?|will not(?: be able to)?|could not|couldn't|am unable to|am not able to|am not allowed to)|(?:i'm|we're) (?:unable|not able|not allowed) to)(?: \\p{L}+ly)?"

/** Refusals that need no apology. */
const REFUSES = [
  opening(
    `${UNABLE} (?:help|assist|provide (?:assistance|help))(?! but)(?: you)?(?= with (?:that|this|your|such|these|any)|[.!,;]|$)`,
    `${UNABLE} (?:comply|engage|fulfil+|summari[sz]e|continue|process|provide|create|generate|write|produce|complete|discuss|participate)(?: with| in| on)? (?:(?:this|that|your|such)(?: \\p{L}+){0,2} ${TOPIC}|(?:a|the) summary|(?:this|that|it)[.!]?$)`,
    `${UNABLE} (?:comply[.!,]|do that[.!]?$)`,
    `(?:i'm|i am) not (?:comfortable|permitted)|i (?:don't|do not) feel comfortable`,
    `i (?:must|have to|need to|will have to)(?: respectfully| politely)? (?:decline|refuse)(?:[.,]| (?:to (?:help|assist|summari|continue|answer|provide|discuss|engage|do)|this|that|your))`,
    `(?:as an?|i'm an?|i am an?) (?:ai|artificial intelligence|large language model|language model)(?: [\\p{L}-]+){0,3},? (?:i|my|and|so|created)${END}`,
    `(?:this|that|your|the) ${TOPIC} (?:violates|goes against|is against|may violate|was flagged|has been flagged)`,
    `that(?:'s| is) not something i (?:can|am able)`,
  ),
  opening(
    `ich (?:kann|darf) (?:[^.]{0,60} )?nicht (?:\\p{L}+ )?(?:helfen|weiterhelfen|behilflich|nachkommen|erfüllen|unterstützen)`,
    `(?:dabei|damit|hierbei) kann ich (?:[^.]{0,30} )?nicht`,
    `ich bin (?:leider )?nicht in der lage`,
    `als (?:ki|künstliche intelligenz|sprachmodell)`,
    `je ne (?:peux|suis)[^.]{0,20} pas (?:[^.]{0,30} )?(?:vous aider|t'aider|aider|répondre à|traiter cette|accéder à cette|donner suite)`,
    `en tant qu(?:e |')(?:ia|intelligence|modèle|assistant)`,
    `no puedo (?:ayudar|cumplir|responder a (?:esa|esta)|atender|procesar (?:esa|esta))`,
    `como (?:ia|modelo de (?:lenguaje|linguagem)|inteligencia|uma ia)`,
    `(?:eu )?não (?:posso|consigo) (?:te )?(?:ajudar|ajudá|atender|cumprir|responder a (?:isso|essa|esse))`,
    `non posso (?:aiutar|soddisfare|rispondere a (?:questa|quest)|assister)`,
    `in quanto (?:ia|modello|intelligenza|assistente)`,
    `ik kan (?:[^.]{0,40} )?niet (?:mee |bij )?(?:helpen|voldoen)`,
    `nie mogę (?:[^.]{0,20} )?(?:pomóc|spełnić|zrealizować)|jako model (?:językowy|ai)`,
    `(?:bu|size|sana)[^.]{0,60} (?:yardımcı olamam|yardım edemem|yardımcı olamıyorum|yerine getiremem)|bir yapay zek`,
    `я не (?:могу|в состоянии) (?:[^.]{0,20} )?(?:помочь|выполнить (?:этот|ваш|эту)|ответить на это)|как (?:языковая модель|ии${END}|искусственный)`,
  ),
  opening(
    '我(?:无法|不能|無法|没办法)(?:[^。]{0,10})?(?:协助|帮助|帮您|帮你|满足|回答|协助|協助|幫助|滿足|完成(?:这|您|你)|处理(?:这|您|你))',
    '作为(?:一个|一名)?(?:ai|人工智能|语言模型)|作為(?:一個)?(?:ai|人工智慧|語言模型)',
    '(?:その|この|ご)[^。]{0,20}には?(?:お応え|対応|お答え|お手伝い)[^。]{0,6}(?:できません|かねます)|お手伝いできません',
    '(?:ai|人工知能|言語モデル)(?:アシスタント)?として',
    '(?:그|이|해당)? ?(?:요청|질문|내용)[^.]{0,20}(?:도와드릴|도움을 드릴|응할|답변할|답변드릴|처리할) 수 없|도와드릴 수 없|(?:ai|인공지능|언어 모델)(?:로서|로써|이기 때문)',
    'tôi không thể (?:giúp|hỗ trợ|đáp ứng)|saya tidak (?:bisa|dapat) (?:membantu|memenuhi)|لا (?:أستطيع|يمكنني) (?:مساعدتك|المساعدة|تلبية)',
  ),
]

const MATERIAL =
  '(?:conversation|transcript|chat|dialogue|session|messages|text|content|log|history|document|material)s?'

/** Questions for the text that the prompt has in it, and offers to begin. */
const ASKS_BACK = [
  opening(
    `(?:could|can|would|will) you (?:please |kindly |perhaps )*(?:share|provide|paste|send|give|upload|include|clarify)(?: me| us)?(?: with)? (?:the|your|more|a|any|what|which)[^.?]{0,60}(?:${MATERIAL}|details|context|information|summari[sz]e)`,
    `(?:please|kindly) (?:go ahead and )?(?:share|provide|paste|send|upload|give|include)(?: me)?(?: with)? (?:the|your)[^.?]{0,40}${MATERIAL}`,
    `(?:it |there )?(?:looks|seems|appears)(?: like| that| as if| as though)?(?: that)? (?:you (?:haven't|have not|didn't|did not|forgot)|there (?:is|was) no ${MATERIAL}|no ${MATERIAL}|(?:the|your) (?:${MATERIAL}|message) (?:is|was|got|wasn't|didn't))`,
    `i (?:do not|don't|did not|didn't|can't|cannot) (?:see|find|have|receive|have access to)(?: access to)? (?:any|a|the|your|our)(?: \\p{L}+){0,2} ${MATERIAL}`,
    `no ${MATERIAL} (?:was|were|is|has been|have been) (?:provided|shared|included|attached)|i(?:'ll| will)? need (?:the|your) ${MATERIAL}|i notice (?:that )?(?:you|there)`,
    `there (?:is|was|doesn't seem to be|does not seem to be|appears to be) no ${MATERIAL} (?:to summari|provided|in (?:your|the) (?:message|prompt)|here)`,
    `what (?:would you like|do you want|can i|should i)|how (?:can|may) i (?:help|assist)|which (?:${MATERIAL}) (?:would|do|should)`,
    `(?:i'm|i am|i'd be|i would be) (?:ready|happy|glad|here) to (?:help|assist|summari)`,
    `would you like me to|do you want me to|(?:let me know|tell me) (?:what|which|how|if) (?:you|i)`,
  ),
  opening(
    `(?:könntest du|könnten sie|kannst du|können sie)[^.?]{0,60}(?:konversation|unterhaltung|gespräch|text|verlauf|inhalt)`,
    `bitte (?:teile?n?|sende?n?|schicke?n?|füge?n?|gib|geben|stelle?n?)[^.?]{0,40}(?:konversation|unterhaltung|gespräch|text|verlauf)`,
    `wie kann ich (?:ihnen|dir|euch)|welche[sn]? (?:gespräch|unterhaltung|text)|was (?:soll|kann) ich`,
    `(?:pourriez|pouvez|peux|pourrais)-(?:vous|tu)[^.?]{0,50}(?:conversation|texte|transcription|échange|contenu)`,
    `(?:veuillez|merci de)[^.?]{0,40}(?:conversation|texte|transcription|échange)|comment puis-je|que souhaitez-vous`,
    `(?:podrías|podría|puedes|puede)[^.?]{0,50}(?:conversación|texto|transcripción|contenido|chat)|(?:por favor,? )(?:comparte|proporciona|envía|pega|comparta|proporcione)`,
    `(?:en qué|cómo) puedo ayudar|qué (?:te gustaría|quieres|desea)`,
    `(?:você )?(?:poderia|pode)[^.?]{0,50}(?:conversa|texto|transcrição|conteúdo)|por favor,? (?:compartilhe|forneça|envie|cole)|(?:como|em que) posso (?:te )?ajud`,
    `(?:potresti|potrebbe|puoi|può)[^.?]{0,50}(?:conversazione|testo|trascrizione|contenuto)|per favore,? (?:condividi|fornisci|invia|incolla)|come posso aiutar`,
    `(?:kun|kunt|zou) (?:je|u)[^.?]{0,50}(?:gesprek|tekst|transcript)|(?:hoe|waarmee) kan ik`,
    `(?:czy )?(?:możesz|mógłbyś|mogłabyś|może pan|proszę)[^.?]{0,50}(?:rozmow|tekst|treść|konwersacj)|(?:w czym|jak) mogę`,
    `(?:lütfen )?[^.?]{0,40}(?:konuşmayı|sohbeti|metni|görüşmeyi) (?:paylaş|gönder|yapıştır)|size nasıl|nasıl yardımcı`,
    `(?:не могли бы вы|можете|пожалуйста|пришлите|предоставьте|поделитесь|отправьте)[^.?]{0,50}(?:разговор|текст|бесед|диалог|перепис|чат)|чем (?:я )?могу`,
  ),
  opening(
    '(?:请|請|我需要)(?:您|你)?(?:先)?(?:提供|分享|粘贴|发送|貼上|發送|把)[^。]{0,20}(?:对话|對話|内容|內容|文本|聊天|会话)|(?:您|你)(?:能|可以|能否|可否)[^。]{0,20}(?:对话|對話|内容|文本|聊天|会话)|(?:有什么|我(?:能|可以)(?:帮|为))[^。]{0,12}(?:帮|助|做)|需要我',
    '(?:要約(?:したい|する))?(?:会話|対話|テキスト|内容|チャット)(?:の(?:内容|履歴|全文))?を(?:共有|提供|送|貼|ご提示|お送り|教え)|どのような(?:ご用件|お手伝い)|何(?:か|を)お手伝い',
    '(?:요약할 )?(?:대화|텍스트|내용|채팅)(?: 내용| 기록)?[을를] (?:공유|제공|보내|붙여|알려)|무엇을 도와|어떻게 도와|어떤 대화',
  ),
]
