/** Returns the description of a route with its rules, as Markdown, which OpenAPI allows. */
export const withRules = (description: string, ...rules: string[]): string =>
  [description, '', ...rules.map((rule) => `- ${rule}`)].join('\n')
