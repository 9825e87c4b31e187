import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { readConfiguration, SETTINGS, type Environment } from '@petstore/configuration';
import { ConnectionMetrics, Registry, RequestMetrics, watchProcess } from '@petstore/observability';
import { KeyEventMetrics } from '../src/access/key-event-metrics.js';
import { watchKeyFilter } from '../src/access/key-filter-metrics.js';
import { LimiterMetrics } from '../src/access/limiter-metrics.js';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const DEPLOY = join(ROOT, 'deploy');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const FILES = readdirSync(DEPLOY, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length));

const VARIABLES = new Set(Object.values(SETTINGS).map(({ variable }) => variable));
/** Of the images that are used, of their programs, and of node itself. */
const FOREIGN = new Set([
  'NODE_ENV',
  'NODE_IMAGE',
  'ON_ERROR_STOP',
  'POSTGRES_DB',
  'POSTGRES_IMAGE',
  'POSTGRES_INITDB_ARGS',
  'POSTGRES_OWNER_PASSWORD',
  'POSTGRES_PASSWORD',
  'POSTGRES_SERVICE_PASSWORD',
  'POSTGRES_USER',
  'PROMETHEUS_IMAGE',
  'REDIS_IMAGE',
  'REDIS_PASSWORD',
  'REDISCLI_AUTH',
]);

interface Resource {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Environment;
  readonly stringData?: Environment;
  readonly spec?: Record<string, unknown>;
}
const resourcesOf = (file: string): Resource[] =>
  parseAllDocuments(read(`deploy/kubernetes/${file}`), { merge: true }).map(
    (document) => document.toJS() as Resource,
  );

interface Container {
  readonly name: string;
  readonly image: string;
  readonly envFrom: readonly { readonly secretRef?: { readonly name: string } }[];
  readonly resources: { readonly limits: Record<string, unknown> };
  readonly securityContext: Record<string, unknown>;
}
interface Pod extends Record<string, unknown> {
  readonly initContainers: readonly Container[];
  readonly containers: readonly Container[];
}
const podOf = (resources: readonly Resource[]): Pod =>
  (resources.find(({ kind }) => kind === 'Deployment')?.spec as { template: { spec: Pod } }).template.spec;

interface ComposeService {
  readonly image: string;
  readonly ports?: readonly string[];
  readonly environment?: Environment;
  readonly command?: readonly string[];
}
const composeServices = (): Record<string, ComposeService> =>
  (parse(read('deploy/compose.yaml'), { merge: true }) as { services: Record<string, ComposeService> })
    .services;

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
  new ConnectionMetrics(registry);
  new LimiterMetrics({ registry });
  watchKeyFilter(registry, () => ({ hashes: 0, ageMs: 0, waiting: 0 }));
  new KeyEventMetrics({ registry });
  watchProcess(registry, {
    version: '0',
    pool: () => ({ total: 0, idle: 0, waiting: 0 }),
    isReady: () => Promise.resolve(true),
    droppedLogLines: () => 0,
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
    const sources = paths.map((path) => path.replace(/\/dist\/(.+)\.js$/, '/src/$1.ts'));
    expect(sources).toEqual(
      expect.arrayContaining(['apps/api/src/main.ts', 'apps/operator-cli/src/migrate.ts']),
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

  it('installs with the package manager that the workspace names', () => {
    const { packageManager } = JSON.parse(read('package.json')) as { packageManager: string };
    const used = [...read('deploy/Dockerfile').matchAll(/npx -y (\S+)/g)].map(([, name]) => name);
    expect(new Set(used)).toEqual(new Set([packageManager.split('+')[0]]));
  });
});

describe('deploy/kubernetes', () => {
  const resources = resourcesOf('petstore.yaml');
  const pod = podOf(resources);
  const containers = [...pod.initContainers, ...pod.containers];

  it('gives the pod no rights on the machine, in the cluster or in its own file system', () => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    for (const { securityContext, resources: asked } of containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(Object.keys(asked.limits).sort()).toEqual(['cpu', 'memory']);
    }
    expect(resourcesOf('namespace.yaml')[0]).toMatchObject({
      metadata: { name: 'petstore', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
    });
  });

  it('shows the password of the role that owns the schema to the migrations alone', () => {
    const secretsOf = ({ envFrom }: Container): unknown[] =>
      envFrom.flatMap(({ secretRef }) => (secretRef === undefined ? [] : [secretRef.name]));
    expect(pod.initContainers.map(secretsOf)).toEqual([['petstore', 'petstore-migrations']]);
    expect(pod.containers.map(secretsOf)).toEqual([['petstore']]);
  });

  it('names its image in one place, by a digest, and by a name that no registry has until that is set', () => {
    const { images, resources: files } = parse(read('deploy/kubernetes/kustomization.yaml')) as {
      images: { name: string; newName: string; digest: string; newTag?: string }[];
      resources: string[];
    };
    expect(images).toHaveLength(1);
    const [{ name, newName, digest, newTag } = { name: '', newName: '', digest: '' }] = images;
    expect(new Set(containers.map(({ image }) => image))).toEqual(new Set([`${name}:unset`]));
    expect(name).toMatch(/^registry\.invalid\//);
    expect(newTag).toBeUndefined();
    // Whoever sets it here sets both.
    if (newName === name) expect(digest).toBe('unset');
    else expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(files.filter((file) => !existsSync(join(DEPLOY, 'kubernetes', file)))).toEqual([]);
    expect(files).not.toContain('secret.example.yaml');
  });

  it('lets nothing in or out but what it names', () => {
    const policies = resourcesOf('network-policy.yaml');
    const of = (name: string): unknown => policies.find(({ metadata }) => metadata.name === name)?.spec;
    expect(of('nothing-unless-allowed')).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    const ports = (rules: { ports: { port: number }[] }[]): number[][] =>
      rules.map((rule) => rule.ports.map(({ port }) => port));
    const own = of('petstore') as Record<'ingress' | 'egress', (Record<string, unknown[]> & { ports: [] })[]>;
    expect(ports(own.ingress)).toEqual([[3000], [9464]]);
    expect(ports(own.egress)).toEqual([[53, 53], [5432], [6379], [4318]]);
    // An empty list of peers would be everybody.
    for (const rule of own.ingress) expect(rule['from']).toHaveLength(1);
    for (const rule of own.egress) expect(rule['to']).toHaveLength(1);
  });

  it('believes X-Forwarded-For of a few addresses only', () => {
    const { data = {} } = resources.find(({ kind }) => kind === 'ConfigMap') ?? {};
    for (const network of (data['TRUSTED_PROXIES'] ?? '').split(',')) {
      expect(Number(network.split('/')[1] ?? 32)).toBeGreaterThanOrEqual(24);
    }
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

  it('opens no port to other machines', () => {
    for (const { ports = [] } of Object.values(composeServices())) {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  it('takes every image that is not built here from a variable, for a digest', () => {
    for (const { image } of Object.values(composeServices())) {
      expect(image).toMatch(/^(?:petstore:[\d.]+|\$\{[A-Z]+_IMAGE:-[\w/]+:[\w.-]+\})$/);
    }
  });
});

describe('docs/operations.md', () => {
  it('has the table of settings as the schema has it', () => {
    const cell = (text: string): string => text.replaceAll('|', '\\|');
    const rows = Object.values(SETTINGS).map(({ variable, meaning, allowed, ...rest }) =>
      [`\`${variable}\``, meaning, allowed, 'fallback' in rest ? `\`${rest.fallback}\`` : ''].map(cell),
    );
    const table =
      /<!-- settings -->\n+([\s\S]*?)\n+<!-- \/settings -->/.exec(read('docs/operations.md'))?.[1] ?? '';
    const written = table
      .split('\n')
      .slice(2)
      .map((line) =>
        line
          .slice(1, -1)
          .split(/(?<!\\)\|/)
          .map((text) => text.trim()),
      );
    expect(written).toEqual(rows);
  });
});
