import { useEffect, useState } from 'preact/hooks'
import { keepToken, keepTokenOfAddress, readToken, send, ServiceProblem } from './service.ts'

/** Whether the service can be used: it may need a token. */
type Access = 'unknown' | 'open' | 'needs-token' | 'refused'

/** The models, forms and defaults of the service. */
export interface ServiceFacts {
  /** The models that can be chosen. */
  candidates: readonly string[]
  replyForms: readonly string[]
  /** The operator's defaults of settings. Without one, the budget grows with the session. */
  defaults: { transcriptTokens?: number }
  /** The name of the session that the page opens by itself. */
  session?: string
}

/** What shows the newest problem, and takes it away when the user goes on. */
export interface Problems {
  onProblem: (problem: unknown) => void
  clearProblem: () => void
}

/** The way to the service: its token, what it offers, and the newest problem. */
export function useAccess() {
  const [access, setAccess] = useState<Access>('unknown')
  const [problem, setProblem] = useState<string>()
  const [service, setService] = useState<ServiceFacts>()
  const onProblem = (error: unknown): void => {
    if (error instanceof ServiceProblem && error.type === 'token-refused') {
      keepToken(undefined)
      setAccess('refused')
    } else setProblem(error instanceof Error ? error.message : String(error))
  }
  const connect = async (): Promise<void> => {
    keepTokenOfAddress()
    const { tokensRequired } = (await (await send('page/access.json')).json()) as { tokensRequired: boolean }
    if (tokensRequired && readToken() === null) {
      setAccess('needs-token')
      return
    }
    setService((await (await send('page/service.json')).json()) as ServiceFacts)
    setAccess('open')
  }
  useEffect(() => void connect().catch(onProblem), [])
  return {
    access,
    service,
    problem,
    onProblem,
    clearProblem: (): void => setProblem(undefined),
    useToken: (token: string): void => {
      keepToken(token)
      connect().catch(onProblem)
    },
  }
}
