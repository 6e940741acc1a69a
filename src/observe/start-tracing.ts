import { trace, type Tracer } from '@opentelemetry/api'

/** The part of `@opentelemetry/sdk-node` that is used here. It is installed only where spans are wanted. */
interface TracingPackage {
  NodeSDK: new (options: { serviceName: string }) => { start: () => void; shutdown: () => Promise<void> }
}

interface Tracing {
  /** Why spans cannot be sent although they were asked for. */
  warning?: string
  /** Sends the remaining spans. */
  stop: () => Promise<void>
}

const PACKAGE = '@opentelemetry/sdk-node'

/** The SDK itself tries for half a minute to reach a collector, which is longer than orchestrators wait. */
const STOP_TIMEOUT_MS = 5000

/**
 * Starts OpenTelemetry, whose SDK reads its variables itself (OpenTelemetry, "SDK environment variables"). If its package
 * is not installed, the service runs without spans and logs a warning.
 * @param load replaced in tests
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
    return { stop: () => Promise.race([sdk.shutdown().catch(() => undefined), stopTimeout()]) }
  } catch {
    return {
      ...none,
      warning: `OTEL_EXPORTER_OTLP_ENDPOINT is set, but ${PACKAGE} cannot be loaded, so no spans are sent. Install the package.`,
    }
  }
}

function stopTimeout(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, STOP_TIMEOUT_MS).unref())
}

/**
 * Starts a span. The tracer is looked up each time: one that is created before OpenTelemetry's SDK has started never reaches an SDK with
 * a copy of the API of its own, and it always has one beside a bundle.
 */
export const startSpan: Tracer['startSpan'] = (...span) => trace.getTracer('precis').startSpan(...span)
