import { SelectField, TextField } from './fields.tsx'
import type { LookupScope } from './look-up.ts'
import { moveAmongPassages, openFirstPassage, SEARCH_FIELD } from './passage-keys.ts'
import type { LookupState } from './use-lookup.ts'

interface SearchFormProps {
  lookup: LookupState
  canCompact: boolean
}

/** The field of the search in the session, and the part of the session that is searched. */
export function SearchForm({ lookup, canCompact }: SearchFormProps) {
  const { fields, found, change, submit } = lookup
  return (
    <form
      class="search"
      role="search"
      aria-label="Session"
      onSubmit={(event) => {
        event.preventDefault()
        // Enter leads on to what the text has found already.
        if (found?.fields === fields) openFirstPassage()
        else submit()
      }}
      onKeyDown={(event) => {
        moveAmongPassages(event)
        if (event.key === 'Escape') change({ text: '' })
      }}
    >
      <TextField
        label="Search the session"
        {...SEARCH_INPUT}
        value={fields.text}
        onInput={(text) => change({ text })}
      />
      {fields.text.trim() === '' ? null : (
        <SelectField
          label="Where"
          value={fields.scope}
          onChange={(scope) => change({ scope: scope as LookupScope })}
          options={canCompact ? SCOPES : SCOPES.slice(0, 2)}
        />
      )}
    </form>
  )
}

const SEARCH_INPUT = {
  id: SEARCH_FIELD,
  type: 'search',
  spellcheck: false,
  maxLength: 1000,
  placeholder: 'Words, an "exact phrase", or an entry id',
  'aria-keyshortcuts': '/',
} as const

const SCOPES: readonly (readonly [LookupScope, string])[] = [
  ['all', 'The whole session'],
  ['replaced', 'What the agent no longer sees'],
  ['older', 'All before the entries that stay'],
]
