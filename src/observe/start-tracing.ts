/** What is needed of `@opentelemetry/sdk-node`, which who wants spans installs beside the service. */
interface TracingPackage {
  NodeSDK: new (options: { serviceName: string }) => { start: () => void; shutdown: () => Promise<void> }
}

export interface Tracing {
  /** Why there is none, though it was asked for. */
  warning?: string
  /** Sends what has not been sent. */
  stop: () => Promise<void>
}

const PACKAGE = '@opentelemetry/sdk-node'

/**
 * Starts OpenTelemetry where `OTEL_EXPORTER_OTLP_ENDPOINT` is set; its SDK reads that and all its other variables itself
 * (OpenTelemetry, "SDK environment variables"). Without its package the service goes on, and says so.
 * @param load tests put in their own
 */
export async function startTracing(
  isWanted: boolean,
  load: () => Promise<unknown> = () => import(PACKAGE),
): Promise<Tracing> {
  const none = { stop: () => Promise.resolve() }
  if (!isWanted) return none
  try {
    const { NodeSDK } = (await load()) as TracingPackage
    // The SDK prefers its own OTEL_SERVICE_NAME.
    const sdk = new NodeSDK({ serviceName: process.env['OTEL_SERVICE_NAME'] ?? 'precis' })
    sdk.start()
    return { stop: () => sdk.shutdown().catch(() => undefined) }
  } catch {
    return {
      ...none,
      warning: `OTEL_EXPORTER_OTLP_ENDPOINT is set, but ${PACKAGE} cannot be loaded: no spans are sent.`,
    }
  }
}
