import { Type } from '@sinclair/typebox'
import { Integer } from './typebox.ts'

export const EncryptedAtSchema = Type.Optional(
  Integer(
    'If the newest compaction of the session is encrypted: the number of the entry that is this compaction, or that it follows. The first entry is 1. The agent no longer reads what this compaction has replaced; a plan counts the compaction as absent.',
  ),
)
