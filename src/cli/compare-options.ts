import { budget, focus, format, json, model, noConfig, quiet, url, withCommand, type Option } from './options.ts'

export const COMPARE_OPTIONS = {
  compaction: {
    type: 'string',
    value: 'NUMBER',
    help: 'which compaction of the session (default: the newest of the agent)',
  },
  all: { type: 'boolean', short: 'a', help: 'all facts, in their whole length' },
  summaries: { type: 'boolean', short: 's', help: 'the text of both summaries, too' },
  picture: { type: 'string', value: 'FILE.svg', help: 'write a picture with the figures, without text of the session' },
  budget,
  focus,
  model,
  with: withCommand,
  url,
  format,
  'no-config': noConfig,
  json,
  quiet,
} as const satisfies Readonly<Record<string, Option>>
