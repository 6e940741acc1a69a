import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { defineMetrics } from '../src/observe/metrics.ts'
import { readSettings } from '../src/settings.ts'
import { startApp } from './support/start-app.ts'

/** What Node and OpenTelemetry read themselves. */
const FOREIGN_VARIABLES = ['NODE_OPTIONS', 'OTEL_SERVICE_NAME']
/** prom-client's default metrics have these prefixes. */
const DEFAULT_METRIC = /^(process|nodejs)_/
const SECRETS = [
  ...['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'],
  ...['PRECIS_REDIS_URL', 'PRECIS_STORE_KEY', 'PRECIS_TOKENS'],
]

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const words = (text: string, pattern: RegExp): string[] => [...new Set(text.match(pattern) ?? [])].sort()

function variablesRead(): string[] {
  const asked = new Set<string>()
  const env = new Proxy({}, { get: (_target, name) => void asked.add(String(name)) })
  readSettings(env)
  return [...asked]
}

const METRIC = /\b(?:precis|process|nodejs)_[a-z0-9_]+/g
const metricsIn = (text: string): string[] =>
  words(text, METRIC).map((name) => name.replace(/_(bucket|sum|count)$/, ''))

const knownVariables = variablesRead()
const metrics = defineMetrics()
// Those that are watched are there once something is.
for (const metric of Object.values(metrics)) if ('watch' in metric) metric.watch(() => 0)
const knownMetrics = metrics.registry.getMetricsAsArray().map(({ name }) => name)

const unknownVariables = (names: string[]): string[] =>
  names.filter((name) => ![...knownVariables, ...FOREIGN_VARIABLES].includes(name))
const unknownMetrics = (names: string[]): string[] =>
  names.filter((name) => !DEFAULT_METRIC.test(name) && !knownMetrics.includes(name))

const defaults = readSettings({})
const dockerfile = read('Dockerfile')
const compose = parse(read('compose.yaml'))
const filesOf = (folder: string): string[] =>
  readdirSync(new URL(`../${folder}/`, import.meta.url))
    .filter((name) => name.endsWith('.yaml'))
    .sort()
const MANIFESTS = filesOf('deploy/kubernetes').filter((name) => name !== 'kustomization.yaml')
const manifests = MANIFESTS.map((name) => parse(read(`deploy/kubernetes/${name}`)))
const kustomization = parse(read('deploy/kubernetes/kustomization.yaml'))
const EXAMPLES = 'deploy/kubernetes/examples'
const [ingress, adapter, prometheus, serviceMonitor] = filesOf(EXAMPLES).map((name) =>
  parse(read(`${EXAMPLES}/${name}`)),
)
const manifest = (kind: string) => manifests.find((one) => one.kind === kind)
const pod = manifest('Deployment').spec.template.spec
const container = pod.containers[0]
const dashboard = JSON.parse(read('deploy/grafana-dashboard.json'))

/** The heap that NODE_OPTIONS allows, in MiB. */
const heapOf = (options: string): number => Number(/^--max-old-space-size=(\d+)$/.exec(options)?.[1])

/** The shares of the memory limit that the heap of the main process and all workers may use. */
/** The spare worker. */
const SPARE = 1

const sharesOf = (
  { NODE_OPTIONS = '', PRECIS_WORKERS, PRECIS_WORKER_MEMORY_MB }: Record<string, string>,
  limitMb: number,
) => ({
  heap: heapOf(NODE_OPTIONS) / limitMb,
  workers: ((Number(PRECIS_WORKERS) + SPARE) * Number(PRECIS_WORKER_MEMORY_MB)) / limitMb,
})
const SHARES = { heap: 3 / 7, workers: 3 / 7 }

t.test('compose.yaml', async (t) => {
  const { precis, valkey, ollama } = compose.services

  t.test('offers every variable of the service, and no other', async (t) => {
    const names = Object.keys(precis.environment)
    t.same(unknownVariables(names), [])
    t.same(
      knownVariables.filter((name) => !names.includes(name)),
      // The image's part, and what needs a package that the image does not have.
      ['HOST', 'PORT', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    )
  })

  t.test('has values that the service takes, and none of a secret but the address of its own Valkey', async (t) => {
    const set = Object.entries<string | number | null>(precis.environment).filter(([, value]) => value !== null)
    t.same(set, [
      ['PRECIS_BODY_LIMIT', '${PRECIS_BODY_LIMIT:-16777216}'],
      ['PRECIS_WORKERS', 2],
      ['PRECIS_WORKER_MEMORY_MB', 256],
      ['PRECIS_REDIS_URL', 'redis://valkey:6379'],
      ['NODE_OPTIONS', '--max-old-space-size=768'],
    ])
    const taken = set.map(([name, value]) => [name, String(value).replace(/^\$\{\w+:-(.*)\}$/, '$1')])
    t.match(readSettings(Object.fromEntries(taken)), { bodyLimitBytes: 2 ** 24, redisUrl: 'redis://valkey:6379' })
  })

  t.test('publishes the port of the service on this machine only', async (t) => {
    t.same(precis.ports, [`127.0.0.1:${defaults.port}:${defaults.port}`])
    t.equal(valkey.ports, undefined)
    t.equal(ollama.ports, undefined)
  })

  t.test('reaches a model server on this machine by a name', async (t) => {
    t.same(precis.extra_hosts, ['host.docker.internal:host-gateway'])
  })

  t.test('waits for a draining service longer than a request may take', async (t) => {
    t.ok(Number.parseInt(precis.stop_grace_period) * 1000 > defaults.deadlineMs)
  })

  t.test('takes away what the service does not need', async (t) => {
    t.match(precis, {
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: '1792m',
    })
    t.same(sharesOf(precis.environment, 1792), SHARES)
    t.equal(precis.volumes, undefined)
  })

  t.test('keeps Valkey to the service, as a cache, and Ollama to a profile', async (t) => {
    t.same(valkey.networks, ['store'])
    t.same(compose.networks.store, { internal: true })
    t.match(valkey.command.join(' '), /--save {2}--appendonly no --maxmemory \d+mb --maxmemory-policy allkeys-lru/)
    t.same(precis.depends_on, { valkey: { condition: 'service_healthy' } })
    t.ok(valkey.healthcheck)
    t.same(ollama.profiles, ['ollama'])
  })
})

t.test('the Kubernetes manifests', async (t) => {
  t.test('are all in the kustomization, which is the one place for the image', async (t) => {
    const { version } = JSON.parse(read('package.json'))
    t.same(kustomization.resources, MANIFESTS)
    t.same(kustomization.images, [{ name: container.image, newName: 'precis', newTag: version }])
    t.notMatch(container.image, /:/)
  })

  t.test('have examples of an Ingress and a ServiceMonitor that fit the Service', async (t) => {
    const [port] = manifest('Service').spec.ports
    const [rule] = ingress.spec.rules
    t.same(rule.http.paths[0].backend, { service: { name: 'precis', port: { name: port.name } } })
    const { annotations } = ingress.metadata
    const { PRECIS_DEADLINE_MS, PRECIS_BODY_LIMIT } = manifest('ConfigMap').data
    t.ok(Number(annotations['nginx.ingress.kubernetes.io/proxy-read-timeout']) * 1000 > Number(PRECIS_DEADLINE_MS))
    // The reply to a body that is too large is one of Précis.
    t.ok(Number(annotations['nginx.ingress.kubernetes.io/proxy-body-size']) > Number(PRECIS_BODY_LIMIT))
    t.same(serviceMonitor.spec.selector.matchLabels, manifest('Service').metadata.labels)
    t.match(serviceMonitor.spec.endpoints, [
      { port: port.name, path: '/metrics', authorization: { credentials: { name: 'precis' } } },
    ])
  })

  t.test('have examples for Prometheus that select the pods, and offer the metric of the autoscaler', async (t) => {
    const [{ relabel_configs: relabel }] = prometheus.scrape_configs
    const { 'app.kubernetes.io/name': name } = manifest('Deployment').spec.template.metadata.labels
    t.match(relabel[0], { source_labels: [/label_app_kubernetes_io_name$/], regex: name, action: 'keep' })
    const [queue] = manifest('HorizontalPodAutoscaler').spec.metrics
    t.same(metricsIn(adapter.rules[0].seriesQuery), [queue.pods.metric.name])
  })

  t.test('select the pods of the Deployment', async (t) => {
    const { selector, template } = manifest('Deployment').spec
    const labels = { 'app.kubernetes.io/name': 'precis' }
    t.same(template.metadata.labels, labels)
    t.same(selector, { matchLabels: labels })
    t.same(manifest('Service').spec.selector, labels)
    t.same(manifest('PodDisruptionBudget').spec.selector, { matchLabels: labels })
    t.same(manifest('NetworkPolicy').spec.podSelector, { matchLabels: labels })
    t.same(pod.topologySpreadConstraints[0].labelSelector, { matchLabels: labels })
    t.same(manifest('HorizontalPodAutoscaler').spec.scaleTargetRef, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: 'precis',
    })
  })

  t.test('meet at the port of the service', async (t) => {
    t.same(container.ports, [{ name: 'http', containerPort: defaults.port }])
    t.equal(manifest('Service').spec.ports[0].targetPort, 'http')
    t.same(manifest('NetworkPolicy').spec.ingress[0].ports, [{ protocol: 'TCP', port: defaults.port }])
  })

  t.test('probe what the service answers without a token', async (t) => {
    const { app } = await startApp(t, { settings: { tokens: ['secret'] } })
    const paths = { startupProbe: '/healthz', readinessProbe: '/readyz', livenessProbe: '/healthz' }
    for (const [probe, path] of Object.entries(paths)) {
      t.same(container[probe].httpGet, { path, port: 'http' })
      t.equal((await app.inject(path)).statusCode, 200)
    }
  })

  t.test('give a pod the time to be forgotten, and then a whole deadline to drain', async (t) => {
    const [command, seconds] = container.lifecycle.preStop.exec.command
    t.equal(command, 'sleep')
    const deadlineMs = Number(manifest('ConfigMap').data.PRECIS_DEADLINE_MS)
    t.ok(pod.terminationGracePeriodSeconds * 1000 > Number(seconds) * 1000 + deadlineMs)
    const { periodSeconds, failureThreshold } = container.readinessProbe
    t.ok(Number(seconds) >= periodSeconds * failureThreshold)
  })

  t.test(
    'set variables that the service knows, to its own defaults, except for the body limit and the workers',
    async (t) => {
      const { data } = manifest('ConfigMap')
      t.same(unknownVariables(Object.keys(data)), [])
      t.same(readSettings(data), { ...defaults, bodyLimitBytes: 2 ** 24, workers: { count: 2, memoryMb: 256 } })
    },
  )

  t.test('hold no secret, but name where it is; without its tokens a pod does not start', async (t) => {
    t.equal(manifest('Secret'), undefined)
    t.same(
      SECRETS.filter((name) => name in manifest('ConfigMap').data),
      [],
    )
    const reference = (name: string, more: object = { optional: true }) => ({
      name,
      valueFrom: { secretKeyRef: { name: 'precis', key: name, ...more } },
    })
    t.same(container.envFrom, [{ configMapRef: { name: 'precis' } }])
    t.same(container.env, [
      reference('PRECIS_TOKENS', {}),
      reference('OPENAI_API_KEY'),
      reference('OPENAI_BASE_URL'),
      reference('ANTHROPIC_API_KEY'),
      reference('GEMINI_API_KEY'),
      reference('OPENROUTER_API_KEY'),
      reference('PRECIS_REDIS_URL'),
      reference('PRECIS_STORE_KEY'),
    ])
    t.same(unknownVariables(container.env.map(({ name }: { name: string }) => name)), [])
  })

  t.test('take away what the service does not need', async (t) => {
    t.same(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    t.match(pod.securityContext, { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    const { runAsUser, runAsGroup } = pod.securityContext
    t.match(dockerfile, new RegExp(`^USER ${runAsUser}:${runAsGroup}$`, 'm'))
    t.equal(pod.automountServiceAccountToken, false)
    t.equal(pod.volumes, undefined)
  })

  t.test('leave a sixth of the memory to what is outside the heap and the workers', async (t) => {
    t.same(container.resources, { requests: { cpu: '500m', memory: '512Mi' }, limits: { memory: '1792Mi' } })
    t.same(sharesOf(manifest('ConfigMap').data, 1792), SHARES)
  })

  t.test('scale on the queue and on CPU, and always leave a replica', async (t) => {
    const { minReplicas, metrics } = manifest('HorizontalPodAutoscaler').spec
    const [queue, cpu] = metrics
    t.same(unknownMetrics([queue.pods.metric.name]), [])
    t.equal(queue.pods.metric.name, 'precis_jobs_waiting')
    t.ok(Number(queue.pods.target.averageValue) < Number(manifest('ConfigMap').data.PRECIS_QUEUE))
    t.equal(cpu.resource.name, 'cpu')
    t.ok(minReplicas > manifest('PodDisruptionBudget').spec.maxUnavailable)
    t.equal(manifest('Deployment').spec.replicas, undefined)
  })
})

t.test('the dashboard', async (t) => {
  interface Panel {
    id: number
    type: string
    title: string
    description?: string
    gridPos: { x: number; y: number; w: number; h: number }
    targets?: { expr: string; datasource: object }[]
  }
  const panels: Panel[] = dashboard.panels
  const targets = panels.flatMap((panel) => panel.targets ?? [])
  const shown = [...new Set(targets.flatMap(({ expr }) => metricsIn(expr)))]

  t.test('shows every metric of the service, and none that it does not have', async (t) => {
    t.same(unknownMetrics(shown), [])
    t.same(
      knownMetrics.filter((name) => name.startsWith('precis_') && !shown.includes(name)),
      [],
    )
  })

  t.test('asks the data source that its reader chose, for the replicas that he chose', async (t) => {
    t.same(
      dashboard.templating.list.map(({ name }: { name: string }) => name),
      ['datasource', 'job', 'instance'],
    )
    for (const { expr, datasource } of targets) {
      t.same(datasource, { type: 'prometheus', uid: '${datasource}' })
      t.equal(expr.split('job=~"$job", instance=~"$instance"').length - 1, expr.match(METRIC)?.length, expr)
    }
  })

  t.test('has a place of its own, an id and an explanation for each panel', async (t) => {
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    )
    t.equal(new Set(cells).size, cells.length)
    t.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
    t.same(
      panels.filter(({ type, description }) => type !== 'row' && !description),
      [],
    )
  })
})

t.test('images are named without a registry', async (t) => {
  const images = [
    ...Object.values<{ image: string }>(compose.services).map(({ image }) => image),
    container.image,
    ...words(dockerfile, /(?<=^FROM )\S+/gm),
  ]
  t.same(
    images.filter((image: string) => !/^([a-z0-9-]+\/)?[a-z0-9-]+(:[a-z0-9.-]+)?$/.test(image)),
    [],
  )
})

t.test(
  'deploy/nginx.conf allows more than the defaults of the service, and closes idle connections before it',
  async (t) => {
    const text = read('deploy/nginx.conf')
    const valueOf = (name: string): number => Number(new RegExp(`^ *${name} (\\d+)[sm];`, 'm').exec(text)?.[1])
    t.ok(valueOf('proxy_read_timeout') * 1000 > defaults.deadlineMs)
    t.ok(valueOf('client_max_body_size') * 1024 * 1024 > defaults.bodyLimitBytes)
    const { app } = await startApp(t)
    t.ok(valueOf('keepalive_timeout') * 1000 < app.server.keepAliveTimeout)
  },
)

t.test('docs/operations.md names only variables and metrics that there are', async (t) => {
  const text = read('docs/operations.md')
  t.same(unknownVariables(words(text, /\b(?:PRECIS|OPENAI|OTEL)_[A-Z_]+/g)), [])
  t.same(unknownMetrics(metricsIn(text)), [])
})

t.test('docs/observability.md names every metric, and none that there is not', async (t) => {
  const named = metricsIn(read('docs/observability.md'))
  t.same(unknownMetrics(named), [])
  t.same(
    knownMetrics.filter((name) => !named.includes(name)),
    [],
  )
})
