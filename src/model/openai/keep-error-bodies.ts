/**
 * Wraps fetch so that the SDK's errors carry all that a server said, as their message. The SDK keeps only what stands
 * under `error` in the body: vLLM before 0.10, Mistral and FastAPI put it elsewhere, and which parameter was refused
 * or that the prompt was too long would be lost.
 */
export function keepErrorBodies(fetchUpstream: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await fetchUpstream(input, init)
    if (response.status < 400) return response
    // The status counts even where the body breaks off.
    const message = await response.text().catch(() => '')
    return Response.json({ error: { message } }, { status: response.status, headers: response.headers })
  }
}
