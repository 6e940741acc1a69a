import { loadTemplates } from '../../src/prompt/templates.ts'

export const templates = loadTemplates(new URL('../../prompts/', import.meta.url))
