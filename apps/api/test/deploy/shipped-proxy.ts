import { freePort, startProxy, type TestProxy } from '@petstore/test-servers';
import { read } from './deploy-files.js';

/** What a test changes of a file: pairs of what is there and what takes its place. */
type Changes = readonly (readonly [there: string, instead: string])[];

/** A proxy with its file of `deploy/proxies`, in which only addresses, paths and what needs rights are other ones. */
export interface ShippedProxy {
  readonly origin: string;
  /** Where it takes a client's address from the PROXY protocol, so that a test can have any. */
  readonly anyAddress: string;
  /** The lines of its access log so far. */
  accesses(): Record<string, string>[];
  stop(): Promise<void>;
}

type Kind = 'nginx' | 'haproxy';

/** @param instances origins, of which the first takes the place of the one in the file */
export async function startShippedProxy(kind: Kind, instances: readonly string[]): Promise<ShippedProxy> {
  const [port, proxied] = [await freePort(), await freePort()];
  const hosts = instances.map((origin) => new URL(origin).host);
  const change = { nginx: nginxChanges, haproxy: haproxyChanges }[kind];
  const { file, log } = {
    nginx: { file: 'nginx.conf', log: 'access' },
    haproxy: { file: 'haproxy.cfg', log: 'output' },
  }[kind];
  let configuration = read(`deploy/proxies/${file}`);
  for (const [there, instead] of change(port, proxied, hosts)) {
    if (!configuration.includes(there)) throw new Error(`${file} has no "${there}".`);
    configuration = configuration.replaceAll(there, instead);
  }
  const proxy: TestProxy = await startProxy(kind, configuration, port);
  return {
    origin: `http://127.0.0.1:${port}`,
    anyAddress: `http://127.0.0.1:${proxied}`,
    accesses: () =>
      proxy
        .read(log)
        .split('\n')
        .filter((line) => line.startsWith('{') && line.endsWith('}'))
        .map((line) => JSON.parse(line) as Record<string, string>),
    stop: () => proxy.stop(),
  };
}

function nginxChanges(port: number, proxied: number, hosts: readonly string[]): Changes {
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const server = (host: string): string => `server ${host} max_fails=1 fail_timeout=2s;`;
  return [
    [server('127.0.0.1:3000'), hosts.map(server).join(' ')],
    ['listen 8080;', `listen 127.0.0.1:${port};`],
    [
      'listen [::]:8080;',
      `listen 127.0.0.1:${proxied} proxy_protocol; set_real_ip_from 127.0.0.1; real_ip_header proxy_protocol;`,
    ],
    // Those that it was built with belong to root.
    ['http {', `http { ${folders.map((name) => `${name}_temp_path ${name};`).join(' ')}`],
    ['/var/log/nginx/petstore.log petstore buffer=32k flush=1s', 'access petstore'],
    ['worker_rlimit_nofile 33000;', ''],
    ['worker_connections 16384', 'worker_connections 512'],
  ];
}

function haproxyChanges(port: number, proxied: number, hosts: readonly string[]): Changes {
  const servers = hosts.map((host, index) => `server petstore-${index + 1} ${host}`);
  return [
    ['server petstore-1 127.0.0.1:3000', servers.join('\n  ')],
    ['bind :8080', `bind 127.0.0.1:${port}`],
    ['bind :::8080 v6only', `bind 127.0.0.1:${proxied} accept-proxy`],
    // After the line of the PROXY protocol, which says the address.
    ['tcp-request connection', 'tcp-request session'],
    ['maxconn 16000', 'maxconn 400'],
  ];
}
