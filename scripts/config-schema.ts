import { writeFileSync } from 'node:fs'
import { format, resolveConfig } from 'prettier'
import { writeConfigSchema } from '../src/cli/config/settings-table.ts'

/** Writes `config.schema.json` from the table of the settings. */
const file = new URL('../config.schema.json', import.meta.url)
const options = await resolveConfig(file)
writeFileSync(file, await format(JSON.stringify(writeConfigSchema()), { ...options, parser: 'json' }))
