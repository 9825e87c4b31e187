import { BootstrapError, runNpm } from './process.mjs';

/** Settings of npm that pnpm takes from variables of its own; a proxy may have a password, which no list of processes shows so. */
const VARIABLES = {
  registry: 'pnpm_config_registry',
  proxy: 'pnpm_config_http_proxy',
  'https-proxy': 'pnpm_config_https_proxy',
  noproxy: 'pnpm_config_noproxy',
  'strict-ssl': 'pnpm_config_strict_ssl',
};
/** Those that it takes from its command line alone. */
const OPTIONS = ['cafile', 'ca'];

/**
 * The way to the registry that npm knows, for pnpm: that reads neither npm's variables nor its global file.
 *
 * @param {Record<string, string>} env what npm is started with
 * @returns {Promise<{ env: Record<string, string>, args: string[], registry: string }>} `registry` for people: without a password
 */
export async function wayToRegistry(env) {
  const { code, text } = await runNpm('npm', ['config', 'list', '--json'], { env, output: 'kept' });
  if (code !== 0) throw new BootstrapError(`${text}\nnpm could not say what its registry is: see above.`);
  // npm may warn before it responds.
  const settings = JSON.parse(text.slice(text.indexOf('{')));
  const textOf = (name) => [settings[name] ?? []].flat().join(name === 'ca' ? '\n' : ',');
  const given = (name) => textOf(name) !== '';
  return {
    env: Object.fromEntries(
      Object.entries(VARIABLES)
        // What somebody says to pnpm itself counts.
        .filter(([name, variable]) => given(name) && process.env[variable] === undefined)
        .map(([name, variable]) => [variable, textOf(name)]),
    ),
    args: OPTIONS.filter(given).map((name) => `--config.${name}=${textOf(name)}`),
    registry: placesOf(textOf),
  };
}

/** `https://registry.example, through the proxy http://proxy.example:3128` */
function placesOf(textOf) {
  const registry = withoutSecrets(textOf('registry'));
  const proxy = textOf(registry.startsWith('https:') ? 'https-proxy' : 'proxy') || textOf('proxy');
  return proxy === '' ? registry : `${registry}, through the proxy ${withoutSecrets(proxy)}`;
}

function withoutSecrets(address) {
  try {
    const { origin, pathname } = new URL(address);
    return `${origin}${pathname}`.replace(/\/$/, '');
  } catch {
    return 'an address that is none';
  }
}
