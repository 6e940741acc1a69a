// Cline SDK, of Cline 3.0: its own compaction asks Précis for the summary. Not run.
// The setting: `compaction.summarizer` in the configuration of a session; `apiKey` is a service token, or any text.
// To run it: pass this object as `compaction` where your program starts a session.
export const compaction = {
  enabled: true,
  strategy: 'agentic',
  preserveRecentTokens: 20_000,
  summarizer: {
    providerId: 'openai-compatible',
    modelId: 'precis',
    baseUrl: 'http://127.0.0.1:8080/v1',
    apiKey: 'TOKEN',
  },
}
