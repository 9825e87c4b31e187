import { describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { BlockList, isIPv6 } from 'node:net';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Container, DEPLOY, type Pod, podOf, read, resourcesOf } from './deploy-files.js';

/** A pod has no rights on the machine, in the cluster or in its own file system, and bounds. */
function expectFewRights(pod: Pod): void {
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  });
  for (const { securityContext, resources } of [...pod.initContainers, ...pod.containers]) {
    expect(securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(Object.keys(resources.limits).sort()).toEqual(['cpu', 'memory']);
  }
}

describe('deploy/kubernetes', () => {
  const resources = resourcesOf('petstore.yaml');
  const pod = podOf(resources);

  it('gives the pod no rights on the machine, in the cluster or in its own file system', () => {
    expectFewRights(pod);
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

  it('names its image in one place, by a digest, and starts nothing until owner and digest are set', () => {
    const { images, resources: files } = parse(read('deploy/kubernetes/kustomization.yaml')) as {
      images: { name: string; newName: string; digest: string; newTag?: string }[];
      resources: string[];
    };
    expect(images).toHaveLength(1);
    const [{ name, newName, digest, newTag } = { name: '', newName: '', digest: '' }] = images;
    expect(new Set([...pod.initContainers, ...pod.containers].map(({ image }) => image))).toEqual(
      new Set([`${name}:unset`]),
    );
    expect(name).toBe('petstore');
    expect(newTag).toBeUndefined();
    // Both are set here, or neither. A name with capitals is refused before any registry is asked.
    if (newName === 'ghcr.io/OWNER/petstore') expect(digest).toBe('unset');
    else expect(`${newName}@${digest}`).toMatch(/^[a-z0-9./:_-]+@sha256:[0-9a-f]{64}$/);
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
    expect(ports(own.egress)).toEqual([[53, 53], [5432], [6379], [4318], [443], [443]]);
    // An empty list of peers would be everybody.
    for (const rule of own.ingress) expect(rule['from']).toHaveLength(1);
    for (const rule of own.egress) expect(rule['to']).toHaveLength(1);
  });

  it('lets webhooks reach public addresses, and no private network by that', () => {
    const { egress } = resourcesOf('network-policy.yaml').find(({ metadata }) => metadata.name === 'petstore')
      ?.spec as { egress: { to: { ipBlock?: { cidr: string; except?: string[] } }[] }[] };
    const blocks = egress.flatMap(({ to }) => to.flatMap(({ ipBlock }) => (ipBlock ? [ipBlock] : [])));
    expect(blocks.map(({ cidr }) => cidr)).toEqual(['0.0.0.0/0', '2000::/3']);
    const open = new BlockList();
    const excepted = new BlockList();
    const add = (list: BlockList, network: string): void => {
      const [address = '', prefix] = network.split('/');
      list.addSubnet(address, Number(prefix), isIPv6(address) ? 'ipv6' : 'ipv4');
    };
    for (const { cidr, except = [] } of blocks) {
      add(open, cidr);
      for (const network of except) add(excepted, network);
    }
    const isOpen = (address: string): boolean => {
      const family = isIPv6(address) ? 'ipv6' : 'ipv4';
      return open.check(address, family) && !excepted.check(address, family);
    };
    const addresses = [
      ...['93.184.215.14', '2606:2800:21f::1'],
      ...['10.1.2.3', '172.31.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '127.0.0.1'],
      ...['fd00::1', 'fe80::1', '::1'],
    ];
    expect(addresses.filter(isOpen)).toEqual(addresses.slice(0, 2));
  });

  it('trusts X-Forwarded-For of a few addresses only', () => {
    const { data = {} } = resources.find(({ kind }) => kind === 'ConfigMap') ?? {};
    for (const network of (data['TRUSTED_PROXIES'] ?? '').split(',')) {
      expect(Number(network.split('/')[1] ?? 32)).toBeGreaterThanOrEqual(24);
    }
  });
});

describe('deploy/kubernetes/portals.yaml', () => {
  const resources = resourcesOf('portals.yaml');
  const { jobTemplate } = resources.find(({ kind }) => kind === 'CronJob')?.spec as {
    jobTemplate: { spec: { template: { metadata: { labels: object }; spec: Pod } } };
  };
  const { metadata, spec: pod } = jobTemplate.spec.template;

  it('exports first, and uploads only what an export has written, which the next one compares with', () => {
    const [exporting] = pod.initContainers as readonly (Container & { command: string[] })[];
    const [uploading] = pod.containers as readonly (Container & { command: string[] })[];
    const [file = ''] = exporting?.command.slice(-1) ?? [];
    expect(exporting?.command).toEqual(
      expect.arrayContaining(['apps/operator-cli/bundle/main.js', 'export', '--format', '--out']),
    );
    expect(uploading?.command).toEqual(
      expect.arrayContaining(['curl', '--fail', '--ssl-reqd', '--netrc-file', '--upload-file', file]),
    );
    expect(pod['restartPolicy']).toBe('Never');
    expect(pod['volumes']).toContainEqual({
      name: 'files',
      persistentVolumeClaim: { claimName: 'petstore-portals' },
    });
  });

  it('has as few rights as the service, gets none of its requests, and shows curl no secret of it', () => {
    expectFewRights(pod);
    expect(metadata.labels).toEqual({ app: 'petstore-portals' });
    expect(pod.containers.map(({ envFrom }) => envFrom)).toEqual([undefined]);
  });
});
