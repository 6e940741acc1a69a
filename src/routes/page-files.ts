import { readdirSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ownFile } from '../own-package.ts'

/** Where `npm run build` writes the pages. */
const BUILT = fileURLToPath(ownFile('dist/page/'))

/** The frame of the reference at `/docs`. */
export const REFERENCE = 'reference.html'

export interface PageFile {
  type: string
  body: Buffer
  /** Made for the first client that reads gzip. */
  compressed?: Buffer
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.jsonl': 'application/x-ndjson',
}

/** Returns the files of the pages by their names; none if they are not built. They have some 100 KB. */
export function readPageFiles(): Map<string, PageFile> {
  try {
    const names = readdirSync(BUILT).filter((name) => extname(name) in TYPES)
    return new Map(names.map((name) => [name, { type: TYPES[extname(name)] ?? '', body: readFileSync(BUILT + name) }]))
  } catch {
    return new Map()
  }
}

/** Sends a file, compressed if the client reads gzip. */
export function sendPageFile(reply: FastifyReply, { headers }: FastifyRequest, file: PageFile): FastifyReply {
  void reply.type(file.type)
  if (!/\bgzip\b/.test([headers['accept-encoding']].join())) return reply.send(file.body)
  file.compressed ??= gzipSync(file.body)
  return reply.header('content-encoding', 'gzip').send(file.compressed)
}
