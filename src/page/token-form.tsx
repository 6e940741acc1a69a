import { useState } from 'preact/hooks'
import { TextField } from './fields.tsx'

/** Asks for a service token. */
export function TokenForm({ isRefused, onToken }: { isRefused: boolean; onToken: (token: string) => void }) {
  const [token, setToken] = useState('')
  return (
    <form
      class="token"
      aria-label="Service token"
      onSubmit={(event) => {
        event.preventDefault()
        if (token.trim() !== '') onToken(token.trim())
      }}
    >
      {isRefused ? <p role="alert">The service refused this token. Enter another one.</p> : null}
      <TextField label="This service needs a service token" type="password" value={token} onInput={setToken} />
      <button type="submit">Use the token</button>
      <p class="hint">
        It is kept for this tab, until you close it. The operator of the service sets tokens in PRECIS_TOKENS.
      </p>
    </form>
  )
}
