/** Returns how many characters `JSON.parse` gets while a function runs. */
export async function charactersParsed(run: () => Promise<void>): Promise<number> {
  const { parse } = JSON
  let characters = 0
  JSON.parse = (text: string, reviver): unknown => {
    characters += text.length
    return parse(text, reviver)
  }
  try {
    await run()
  } finally {
    JSON.parse = parse
  }
  return characters
}
