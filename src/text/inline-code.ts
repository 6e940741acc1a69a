/** Returns inline code, with two backticks where the text contains one, as a shell command may. */
export const inlineCode = (text: string): string => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``)
