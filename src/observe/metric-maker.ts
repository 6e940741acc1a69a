import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Makes the metrics of one registry, each with the service's prefix. */
export class MetricMaker {
  readonly #registers: Registry[]

  constructor(registry: Registry) {
    this.#registers = [registry]
  }

  counter<L extends string>(name: string, help: string, labelNames: readonly L[] = []): Counter<L> {
    return new Counter({ ...this.#named(name, help), labelNames })
  }

  gauge(name: string, help: string): Gauge {
    return new Gauge(this.#named(name, help))
  }

  /** @param buckets upper bounds, in the unit that the name ends in */
  histogram<L extends string>(name: string, help: string, of: { labelNames: readonly L[]; buckets: number[] }) {
    return new Histogram({ ...this.#named(name, help), ...of })
  }

  /** A gauge that is read when somebody looks; what nothing was found to read for is left out. */
  watched(name: string, help: string): { watch: (read: () => number) => void } {
    return {
      watch: (read) => {
        new Gauge({
          ...this.#named(name, help),
          collect() {
            this.set(read())
          },
        })
      },
    }
  }

  #named(name: string, help: string) {
    return { name: `precis_${name}`, help, registers: this.#registers }
  }
}
