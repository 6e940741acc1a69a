import { useEffect, useState } from 'preact/hooks'
import { hasToken, keepToken, send, ServiceProblem } from './service.ts'

/** Whether the service can be used: it may need a token. */
export type Access = 'unknown' | 'open' | 'needs-token' | 'refused'

/** The way to the service: its token, its candidates, and the newest problem. */
export function useAccess() {
  const [access, setAccess] = useState<Access>('unknown')
  const [problem, setProblem] = useState<string>()
  const [candidates, setCandidates] = useState<readonly string[]>([])
  const onProblem = (error: unknown): void => {
    if (error instanceof ServiceProblem && error.isTokenRefused) {
      keepToken(undefined)
      setAccess('refused')
    } else setProblem(error instanceof Error ? error.message : String(error))
  }
  const connect = async (): Promise<void> => {
    const { tokensRequired } = (await (await send('page/access.json')).json()) as { tokensRequired: boolean }
    if (tokensRequired && !hasToken()) {
      setAccess('needs-token')
      return
    }
    const service = (await (await send('page/service.json')).json()) as { candidates: string[] }
    setCandidates(service.candidates)
    setAccess('open')
  }
  useEffect(() => void connect().catch(onProblem), [])
  return {
    access,
    candidates,
    problem,
    onProblem,
    clearProblem: (): void => {
      setProblem(undefined)
    },
    useToken: (token: string): void => {
      keepToken(token)
      connect().catch(onProblem)
    },
  }
}
