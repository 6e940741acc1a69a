import type { Agent } from '../agent.ts'
import { aiderReader } from './read.ts'

export const AIDER: Agent = {
  id: 'aider',
  reader: aiderReader,
  // 0.86
  summaryMessages: [{ start: 'I spoke to you previously about a number of things.' }],
  acknowledgement: 'Ok.',
  homes: [
    {
      id: 'aider',
      name: 'Aider',
      // Each project has a file, and no list of the projects exists.
      root: ({ folder }) => folder,
      levels: [/^\.aider\.chat\.history\.md$/],
      projectOf: (_path, root) => root,
      mcpClient: undefined,
    },
  ],
}
