import { html, prose, type Html } from './html.ts'

/** Returns a description of a route as paragraphs and lists. It is Markdown with `- ` before each rule, and `**` around its first words. */
export function writeRules(text: string): Html[] {
  return text.split(/\n\n(?=\S)/).map((block) =>
    block.startsWith('- ')
      ? html`<ul>
          ${block
            .slice(2)
            .split(/\n *- /)
            .map((rule) => html`<li>${writeRule(rule)}</li>`)}
        </ul>`
      : html`<p>${writeRule(block)}</p>`,
  )
}

/** Returns a rule, with what is between `**` emphasized. */
const writeRule = (text: string): Html[] =>
  text.split('**').map((part, index) => (index % 2 === 1 ? html`<strong>${prose(part)}</strong>` : prose(part)))
