import { PICTURE_COLOURS, PICTURE_FONT, type Picture, type PictureShape } from '../text/comparison-picture.ts'

/** Returns a picture as an SVG document. */
export function pictureAsSvg({ width, height, shapes }: Picture): string {
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
