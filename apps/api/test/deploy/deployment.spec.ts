import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Environment, readConfiguration, SETTINGS } from '../../src/configuration/configuration.js';
import { Registry, RequestMetrics, type Telemetry, watchProcess } from '@petstore/observability';
import { RateLimitTelemetry } from '../../src/access/rate-limit-telemetry.js';
import { EventMetrics } from '../../src/events/event-metrics.js';
import { ConnectionTelemetry } from '../../src/observability/telemetry.module.js';
import { OrderExpiry } from '../../src/orders/order-expiry.js';
import { WebhookMetrics } from '../../src/webhooks/webhook-metrics.js';
import { errorOf } from '../support/declared-operations.js';
import { composeServices, DEPLOY, read, resourcesOf, ROOT } from './deploy-files.js';

const FILES = readdirSync(DEPLOY, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length));

const VARIABLES = new Set(Object.values(SETTINGS).map(({ variable }) => variable));
/** Of the images that are used, of their programs, and of node itself. */
const FOREIGN = new Set([
  ...['NODE_ENV', 'ON_ERROR_STOP', 'PETSTORE_IMAGE', 'PROMETHEUS_IMAGE'],
  ...['POSTGRES_DB', 'POSTGRES_IMAGE', 'POSTGRES_INITDB_ARGS', 'POSTGRES_USER', 'POSTGRES_PASSWORD'],
  ...['POSTGRES_OWNER_PASSWORD', 'POSTGRES_SERVICE_PASSWORD'],
  ...['REDIS_IMAGE', 'REDIS_PASSWORD', 'REDISCLI_AUTH'],
]);

interface Alert {
  readonly alert: string;
  readonly expr: string;
}
const alerts = (): Alert[] =>
  (parse(read('deploy/prometheus/alerts.yaml')) as { groups: { rules: Alert[] }[] }).groups.flatMap(
    ({ rules }) => rules,
  );

/** Every name of a metric that stands in a query, without what a histogram adds to it. */
function metricsIn(query: string): string[] {
  return [...query.matchAll(/\b(?:petstore|nodejs|process)_\w+/g)].map(([name]) =>
    name.replace(/_(?:bucket|count|sum)$/, ''),
  );
}

/** Names of all metrics that the service gives out, from the classes that make them. */
async function metricsThatExist(): Promise<Set<string>> {
  const registry = new Registry();
  new RequestMetrics(registry);
  const notUsed = undefined as never;
  const telemetry = { registry } as Telemetry;
  new ConnectionTelemetry(notUsed, telemetry);
  new OrderExpiry(notUsed, notUsed, telemetry);
  new WebhookMetrics(telemetry, {
    backlog: () => Promise.reject(new Error('No database is needed.')),
  } as never);
  new RateLimitTelemetry(telemetry, notUsed, notUsed);
  new EventMetrics(telemetry, { backlog: () => Promise.resolve({ rows: 0, oldestSeconds: 0 }) } as never);
  watchProcess(registry, {
    version: '0',
    pool: () => ({ total: 0, idle: 0, waiting: 0 }),
    replica: () => undefined,
    isReady: () => Promise.resolve(true),
    jobs: () => [],
    droppedLogLines: () => 0,
    diskFullErrors: () => 0,
  });
  return new Set((await registry.getMetricsAsJSON()).map(({ name }) => name));
}

describe('deploy/', () => {
  it('has alerts and a dashboard that name only metrics that exist', async () => {
    const exist = await metricsThatExist();
    const named = [
      ...alerts().flatMap(({ expr }) => metricsIn(expr)),
      ...metricsIn(read('deploy/grafana/petstore.json')),
    ];
    expect(named.length).toBeGreaterThan(20);
    expect([...new Set(named)].filter((name) => !exist.has(name))).toEqual([]);
  });

  it('shows every metric of our own on the dashboard', async () => {
    const shown = new Set(metricsIn(read('deploy/grafana/petstore.json')));
    const own = [...(await metricsThatExist())].filter((name) => name.startsWith('petstore_'));
    expect(own.filter((name) => !shown.has(name))).toEqual([]);
  });

  it('has every alert explained in the docs, and none that is not there', () => {
    const explained = [...read('docs/operations.md').matchAll(/^### (Petstore\w+)$/gm)].map(
      ([, name]) => name,
    );
    expect(explained).toEqual(alerts().map(({ alert }) => alert));
  });

  it('sets no variable that does not exist', () => {
    const set = FILES.filter((file) => !file.endsWith('.json')).flatMap((file) =>
      [...read(file).matchAll(/(?:^|\s|\$\{)([A-Z][A-Z0-9]*_[A-Z0-9_]+|HOST|PORT)(?==|:|\})/g)].map(
        ([, name = '']) => name,
      ),
    );
    expect(set).toEqual(expect.arrayContaining(['DATABASE_URL', 'OPS_PORT', 'API_KEY_PEPPER', 'PORT']));
    expect([...new Set(set)].filter((name) => !VARIABLES.has(name) && !FOREIGN.has(name))).toEqual([]);
  });

  it('names only paths that exist, or that a build makes from a source that does', () => {
    const paths = FILES.flatMap((file) =>
      [...read(file).matchAll(/\b((?:apps(?!\/v\d)|libs|docs|deploy|tools)\/[\w./-]+\w)/g)].map(
        ([, path = '']) => path,
      ),
    );
    const sources = paths.map((path) => path.replace(/\/bundle\/(.+)\.js$/, '/src/$1.ts'));
    expect(sources).toEqual(
      expect.arrayContaining(['apps/api/src/main.ts', 'apps/operator-cli/src/main.ts']),
    );
    expect(sources.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('uses the same two ports everywhere', () => {
    const image = read('deploy/Dockerfile');
    const [, port = '', opsPort = ''] = / PORT=(\d+) .*OPS_PORT=(\d+)/.exec(image) ?? [];
    expect(image).toContain(`EXPOSE ${port} ${opsPort}`);
    const services = composeServices();
    for (const name of ['petstore-1', 'petstore-2']) {
      expect(services[name]?.ports?.[0]).toMatch(new RegExp(`^127\\.0\\.0\\.1:\\d+:${port}$`));
      expect(read('deploy/prometheus/prometheus.yml')).toContain(`${name}:${opsPort}`);
    }
    const kubernetes = read('deploy/kubernetes/petstore.yaml');
    expect(kubernetes).toContain(`containerPort: ${port} }`);
    expect(kubernetes).toContain(`containerPort: ${opsPort} }`);
  });

  it('has manifests whose variables are a configuration that the service accepts', () => {
    const resources = ['petstore.yaml', 'secret.example.yaml'].flatMap(resourcesOf);
    const environment = (...secrets: string[]): Environment =>
      Object.fromEntries(
        resources
          .filter(({ kind, metadata: { name } }) => kind === 'ConfigMap' || secrets.includes(name))
          .flatMap(({ data, stringData }) => Object.entries(data ?? stringData ?? {})),
      );
    expect(readConfiguration(environment('petstore'))).toMatchObject({
      environment: 'production',
      port: 3000,
      opsPort: 9464,
      databaseUrl: expect.stringMatching(/^postgres:\/\/petstore_service:/),
      redisUrls: [expect.stringMatching(/^redis:\/\/\w+:.+@/)],
    });
    expect(readConfiguration(environment('petstore', 'petstore-migrations'))).toMatchObject({
      databaseUrl: expect.stringMatching(/^postgres:\/\/petstore_owner:/),
    });
  });

  it('builds on an image that is named by its digest', () => {
    expect(read('deploy/Dockerfile')).toMatch(/^ARG NODE=node:\d+-[\w-]+@sha256:[0-9a-f]{64}$/m);
    expect(read('deploy/Dockerfile').match(/^FROM .+$/gm)).toEqual([
      'FROM --platform=$BUILDPLATFORM ${NODE} AS build',
      'FROM ${NODE}',
    ]);
  });
});

describe('deploy/compose.yaml', () => {
  it('has a password for everything, and a role for each purpose', () => {
    const services = composeServices();
    const urlOf = (name: string): string => services[name]?.environment?.['DATABASE_URL'] ?? '';
    expect(urlOf('petstore-1')).toContain('//petstore_service:${POSTGRES_SERVICE_PASSWORD:?}@');
    expect(urlOf('petstore-2')).toBe(urlOf('petstore-1'));
    expect(urlOf('migrate')).toContain('//petstore_owner:${POSTGRES_OWNER_PASSWORD:?}@');
    expect(services['petstore-1']?.environment?.['REDIS_URL']).toContain(':${REDIS_PASSWORD:?}@');
    expect(services['redis']?.command?.join(' ')).toMatch(
      /requirepass \$\$REDIS_PASSWORD\n *protected-mode yes\n/,
    );
  });

  it('opens no port to other machines, and takes images from a variable, for a digest', () => {
    for (const { ports = [], image } of Object.values(composeServices())) {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
      expect(image).toMatch(/^\$\{[A-Z]+_IMAGE:-[\w/]+:[\w.-]+\}$/);
    }
  });
});

describe('deploy/proxies', () => {
  const files = readdirSync(join(DEPLOY, 'proxies'));
  const textOf = (name: string): string => read(`deploy/proxies/${name}`);

  it.each(files)('%s has errors of the contract, in its form', (name) => {
    const bodies: string[] = textOf(name).match(/\{"code":.*?"status":\d+\}/g) ?? [];
    expect(bodies).not.toEqual([]);
    for (const body of bodies) {
      const { code, message, status, ...others } = JSON.parse(body) as Record<string, unknown>;
      expect(status).toBe(errorOf(String(code)).status);
      expect(message).toMatch(/^[A-Z].*\.$/);
      expect(others).toEqual({});
    }
  });

  it.each(files)('%s does not compress, and passes ids on', (name) => {
    expect(textOf(name)).not.toMatch(/^\s*(gzip on|compression |encode )/m);
    expect(textOf(name)).toMatch(/X-Request-Id/);
  });
});
