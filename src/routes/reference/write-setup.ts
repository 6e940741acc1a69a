import type { Agent } from '../../agents/agent.ts'
import { AGENTS } from '../../agents/agents.ts'
import { html, type Html } from './html.ts'

type Command = readonly [command: string, meaning: string]

const COMMANDS: readonly Command[] = [
  ['precis list', 'your newest sessions, with their ids'],
  ['precis compact ID --write', 'compacts one, after a backup, and prints how to continue'],
  ['precis compact ID --write --with claude', 'lets a model write, with the login of the agent that you use'],
  ['precis restore ID', 'undoes it'],
]

/** Returns how a reader uses Précis with an agent: who looks at a session on the page has only seen what a compaction does. */
export function writeSetup(): Html {
  const targets = Object.values<Agent>(AGENTS)
    .flatMap(({ installTargets = [] }) => installTargets)
    .toSorted((a, b) => a.name.localeCompare(b.name))
  return html`<section id="agents">
    <h2>Use it with your agent</h2>
    <p>
      The command <code>precis</code> runs on your machine, with Node.js 20.20, 22.13 or later. In a clone of the
      repository of Précis:
    </p>
    <pre
      tabindex="0"
    ><code>npm ci</code> &amp;&amp; <code>npm run build</code> &amp;&amp; <code>npm install --global .</code></pre>
    <p>
      Or from the file of the package: <code>npm install --global FILE.tgz</code>. Then compact one session of your own:
    </p>
    ${writeCommands(COMMANDS)}
    <p>Or have your agent compact with Précis by itself. The command shows what it changes, and asks before it does:</p>
    ${writeCommands(targets.map(({ id, name }) => [`precis install ${id}`, name]))}
    <p>
      <code>--url ADDRESS</code> lets this service write the summaries: ADDRESS is that of this page without
      <code>/docs</code>. <code>precis uninstall</code> takes everything out again. <code>docs/start-agent.md</code> of
      the repository has the first ten minutes.
    </p>
  </section>`
}

const writeCommands = (commands: readonly Command[]): Html =>
  html`<table>
    <tbody>
      ${commands.map(
        ([command, meaning]) =>
          html`<tr>
            <th scope="row"><code>${command}</code></th>
            <td>${meaning}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
