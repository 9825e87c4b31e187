// What the scripts of package.json call. Needs nothing but Node.js and npm: it installs and builds what is
// missing and then does what it was asked to.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node.js 20.19 or later is needed, and this is ${process.version}: see https://nodejs.org.`);
  process.exit(1);
}

const { main } = await import('./bootstrap/main.mjs');
await main(process.argv.slice(2));
