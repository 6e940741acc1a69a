import t from 'tap'
import { COMMANDS, commandOf, type CommandName } from '../../src/cli/commands.ts'
import { runCli } from './run-cli.ts'

/** Returns a word as people misspell it: without a letter, and with two exchanged. */
const misspell = (word: string): string[] =>
  [word.slice(0, 2) + word.slice(3), word.slice(0, -2) + word.slice(-1) + word.slice(-2, -1)].filter(
    (wrong) => wrong !== word,
  )

const NAMES = Object.keys(COMMANDS) as CommandName[]

t.test('a misspelt command is refused, and the error has the right name', async (t) => {
  for (const name of NAMES)
    for (const wrong of misspell(name)) {
      const stderr = `precis: There is no command "${wrong}". Did you mean \`precis ${name}\`? Try: precis --help\n`
      t.same(await runCli([wrong]), { code: 2, stdout: '', stderr })
    }
})

for (const name of NAMES)
  t.test(`precis ${name}: a misspelt option is refused, and the error has the right name`, async (t) => {
    for (const option of [...Object.keys(commandOf(name).options), 'help'])
      for (const wrong of misspell(option)) {
        const stderr = `precis: Unknown option '--${wrong}'. Did you mean --${option}? Try: precis ${name} --help\n`
        // An agent would take another exit code of a hook for its decision.
        t.same(await runCli([name, `--${wrong}`]), { code: name === 'hook' ? 0 : 2, stdout: '', stderr })
      }
  })
