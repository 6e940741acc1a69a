import { writeFileSync } from 'node:fs'
import type { ComparisonReply } from '../client/client.ts'
import { drawComparison } from '../text/comparison-picture.ts'
import { describeReplacedEntries, writersOf } from '../text/comparison-words.ts'
import type { Cli } from './cli.ts'
import { commandsOf } from './commands-that-write.ts'
import { describePlan, describeWriter } from './describe-compaction.ts'
import { CliError } from './exit.ts'
import { findNamedSession, readSession } from './find-session.ts'
import { pictureAsSvg } from './picture-as-svg.ts'
import { numberOf, optionTextOf, type Values } from './read-arguments.ts'
import { sayUnread } from './say-unread.ts'
import { openService } from './service.ts'
import { writeCountTable, writeFacts, writeSummaries } from './write-comparison.ts'

/** `precis compare`: compares a summary that the agent has written itself with one of the same entries by Précis. */
export async function compare(values: Values, [argument = '']: readonly string[], cli: Cli): Promise<void> {
  const { terminal, env } = cli
  const query = {
    compaction: numberOf(values, 'compaction', { least: 1 }),
    transcriptTokens: numberOf(values, 'budget', { least: 1000 }),
    customInstructions: optionTextOf(values, 'focus'),
    format: optionTextOf(values, 'format'),
  }
  const picture = optionTextOf(values, 'picture')
  if (picture !== undefined && !/\.svg$/i.test(picture))
    throw new CliError(
      'usage',
      '--picture writes SVG: give a name that ends in .svg. The page of the service saves PNG.',
    )
  const document = await readSession(findNamedSession(argument, cli), cli)
  const [url, model] = [optionTextOf(values, 'url'), optionTextOf(values, 'model')]
  const service = await openService({ url, model, commands: commandsOf(values, cli), env })
  try {
    terminal.show('Reading the session ...')
    const reply = await service.client.compare(document, {
      query,
      onPlan: (plan) => {
        terminal.show(describePlan(plan))
      },
    })
    sayUnread(reply.report, terminal)
    if (values['json'] === true) await terminal.printJson(reply)
    else {
      const facts = writeFacts(reply, values['all'] === true, terminal)
      const summaries = values['summaries'] === true ? writeSummaries(reply, terminal.screen()?.columns) : ''
      await terminal.print(
        `${describeReplacedEntries(reply)}\n\n${writeCountTable(reply, terminal)}${facts}${summaries}`,
      )
    }
    if (picture !== undefined) savePicture(picture, reply, cli)
    terminal.say(describeWriter(reply.precis))
  } finally {
    await service.close()
  }
}

function savePicture(path: string, reply: ComparisonReply, { terminal }: Cli): void {
  writeFileSync(path, pictureAsSvg(drawComparison(reply, writersOf(reply))))
  terminal.say(`The picture is in ${path}. It has no text of the session.`)
}
