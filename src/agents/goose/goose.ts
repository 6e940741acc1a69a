import { join } from 'node:path'
import type { Agent } from '../agent.ts'
import { JSON_LINES } from '../home.ts'
import { gooseReader } from './read.ts'
import { filled } from '../shared/values.ts'

export const GOOSE: Agent = {
  id: 'goose',
  reader: gooseReader,
  folderIn: ({ working_dir: folder }) => folder,
  homes: [
    {
      id: 'goose',
      name: 'Goose',
      // Since 1.10, its sessions are in a database.
      root: ({ env, home }) => join(filled(env['XDG_DATA_HOME']) ?? join(home, '.local', 'share'), 'goose', 'sessions'),
      levels: [JSON_LINES],
      mcpClient: undefined,
    },
  ],
}
