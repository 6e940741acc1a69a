import { writeFileSync } from 'node:fs'
import type { ComparisonReply } from '../client/client.ts'
import {
  drawComparison,
  PICTURE_COLOURS,
  PICTURE_FONT,
  type Picture,
  type PictureShape,
} from '../text/comparison-picture.ts'
import { withoutControls } from '../text/controls.ts'
import { describeLengths, describeReplacedEntries, writersOf } from '../text/comparison-words.ts'
import type { Cli } from './cli.ts'
import { writerNamed } from './commands-that-write.ts'
import { describePlan, describeWriter } from './describe-compaction.ts'
import { CliError } from './exit.ts'
import { findNamedSession, readSession } from './find-session.ts'
import { numberOf, optionTextOf, type Values } from './read-arguments.ts'
import { writingOf } from './request-query.ts'
import { sayUnread } from './say-remarks.ts'
import { withService } from './service.ts'
import { writeCountTable, writeFacts, writeSummaries } from './write-comparison.ts'

/** `precis compare`: compares a summary that the agent has written itself with one of the same entries by Précis. */
export async function compare(values: Values, [argument = '']: readonly string[], cli: Cli): Promise<void> {
  const { terminal, env } = cli
  const query = {
    compaction: numberOf(values, 'compaction', { least: 1 }),
    ...writingOf(values),
    format: optionTextOf(values, 'format'),
  }
  const picture = optionTextOf(values, 'picture')
  if (picture !== undefined && !/\.svg$/i.test(picture))
    throw new CliError(
      'usage',
      '--picture writes SVG: give a name that ends in .svg. The page of the service saves PNG.',
    )
  const document = await readSession(findNamedSession(argument, cli), cli)
  await withService({ ...writerNamed(values, cli), env }, async (client) => {
    terminal.show('Reading the session ...')
    const reply = await client.compare(document, {
      query,
      onPlan: (plan) => terminal.show(describePlan(plan)),
    })
    sayUnread(reply.report, terminal)
    if (values['json'] === true) await terminal.printJson(reply)
    else {
      const facts = writeFacts(reply, values['all'] === true, terminal)
      const summaries = values['summaries'] === true ? writeSummaries(reply, terminal.screen()?.columns) : ''
      const lengths = withoutControls(describeLengths(reply))
      const figures = `${writeCountTable(reply, terminal)}${lengths === '' ? '' : `\n${lengths}\n`}`
      await terminal.print(`${describeReplacedEntries(reply)}\n\n${figures}${facts}${summaries}`)
    }
    if (picture !== undefined) savePicture(picture, reply, cli)
    terminal.say(describeWriter(reply.precis))
  })
}

function savePicture(path: string, reply: ComparisonReply, { terminal }: Cli): void {
  writeFileSync(path, pictureAsSvg(drawComparison(reply, writersOf(reply))))
  terminal.say(`The picture is in ${path}. It has no text of the session.`)
}

function pictureAsSvg({ width, height, shapes }: Picture): string {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="${escapeXml(PICTURE_FONT)}">\n${shapes.map(writeShape).join('\n')}\n</svg>\n`
}

function writeShape(shape: PictureShape): string {
  const fill = `fill="${PICTURE_COLOURS[shape.colour]}"`
  if (shape.type === 'box') {
    const { x, y, width, height } = shape
    return `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${fill}/>`
  }
  const { x, y, text, size, isBold, anchor } = shape
  const weight = isBold === true ? ' font-weight="700"' : ''
  const end = anchor === undefined ? '' : ' text-anchor="end"'
  return `<text x="${x}" y="${y}" font-size="${size}"${weight}${end} ${fill}>${escapeXml(text)}</text>`
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
