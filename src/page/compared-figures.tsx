import { useState } from 'preact/hooks'
import type { ComparisonReply, FactCounts } from '../schemas/comparison.ts'
import { drawComparison, type Picture, PICTURE_COLOURS, PICTURE_FONT } from '../text/comparison-picture.ts'
import { FACT_NAMES, factName, groupFacts, type Writers } from '../text/comparison-words.ts'
import { count } from '../text/numbers.ts'
import { truncate } from '../text/shorten.ts'
import { fileNameOf, saveFile } from './download.tsx'
import { CheckField, Form } from './fields.tsx'
import type { OpenedSession } from './use-session.ts'

interface FiguresProps {
  session: OpenedSession
  reply: ComparisonReply
  writers: Writers
}

/** The sizes of both summaries and how many facts of each kind they have, and the picture of that. */
export function ComparedFigures({ session, reply, writers }: FiguresProps) {
  const { counts, agent, precis } = reply
  const longer = Math.max(agent.tokens, precis.tokens, 1)
  return (
    <>
      <table class="figures">
        <thead>
          <tr>
            <td />
            <th scope="col">{writers.agent}</th>
            <th scope="col">{writers.precis}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">length in tokens</th>
            <Cell side="agent" text={count(agent.tokens)} share={agent.tokens / longer} />
            <Cell side="precis" text={count(precis.tokens)} share={precis.tokens / longer} />
          </tr>
          {counts.map((one) => (
            <CountRow key={one.kind} {...one} />
          ))}
        </tbody>
      </table>
      <SavePicture {...{ session, reply, writers }} />
    </>
  )
}

function CountRow({ kind, total, inAgent, inPrecis }: FactCounts) {
  return (
    <tr>
      <th scope="row">{FACT_NAMES[kind]}</th>
      <Cell side="agent" text={`${count(inAgent)} of ${count(total)}`} share={inAgent / total} />
      <Cell side="precis" text={`${count(inPrecis)} of ${count(total)}`} share={inPrecis / total} />
    </tr>
  )
}

const Cell = ({ side, text, share }: { side: string; text: string; share: number }) => (
  <td>
    <span class="figure">{text}</span>
    <span class="figure-bar" aria-hidden="true">
      <span class={`figure-part is-${side}`} style={{ width: `${100 * share}%` }} />
    </span>
  </td>
)

/** So many facts are in a picture, of so many characters each. */
const [LINES, LINE_CHARACTERS] = [8, 90]

function SavePicture({ session, reply, writers }: FiguresProps) {
  const [hasText, setText] = useState(false)
  const [note, setNote] = useState('')
  const lines = (): string[] =>
    groupFacts(reply.facts, writers)
      .slice(0, 2)
      .flatMap(({ title, facts }) => [
        `${title}:`,
        ...facts.slice(0, LINES).map(({ kind, text }) => `    ${factName(kind)}: ${truncate(text, LINE_CHARACTERS)}`),
      ])
  return (
    <Form
      class="actions"
      name="Picture"
      onSubmit={() => {
        void paint(drawComparison(reply, writers, hasText ? lines() : [])).then((blob) => {
          const name = fileNameOf(session, 'comparison.png')
          saveFile(blob, name)
          setNote(`${name} is saved.`)
        })
      }}
    >
      <button type="submit">Save the picture (PNG)</button>
      <CheckField
        label="with facts of the session: otherwise it has only figures"
        checked={hasText}
        onChange={setText}
      />
      <p class="hint" role="status">
        {note}
      </p>
    </Form>
  )
}

/** Returns a picture as PNG, with two pixels for each unit. */
async function paint({ width, height, shapes }: Picture): Promise<Blob> {
  const canvas = Object.assign(document.createElement('canvas'), { width: 2 * width, height: 2 * height })
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('The browser cannot draw.')
  context.scale(2, 2)
  for (const shape of shapes) {
    context.fillStyle = PICTURE_COLOURS[shape.colour]
    if (shape.type === 'box') context.fillRect(shape.x, shape.y, shape.width, shape.height)
    else {
      context.font = `${shape.isBold === true ? '700 ' : ''}${shape.size}px ${PICTURE_FONT}`
      context.textAlign = shape.anchor ?? 'start'
      context.fillText(shape.text, shape.x, shape.y)
    }
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('The browser cannot write PNG.'))
      else resolve(blob)
    })
  })
}
