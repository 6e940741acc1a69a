import type { Agent } from '../agent.ts'
import { aiderReader } from './read.ts'

export const AIDER: Agent = {
  id: 'aider',
  reader: aiderReader,
  homes: [
    {
      name: 'Aider',
      // Each project has a file, and no list of the projects exists.
      root: ({ folder }) => folder,
      levels: [/^\.aider\.chat\.history\.md$/],
      projectOf: (_path, root) => root,
    },
  ],
}
