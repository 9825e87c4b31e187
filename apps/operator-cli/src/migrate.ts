import { migrate } from './migration/migrate.command.js';

process.exitCode = await migrate({
  // The one place where the environment enters; libs/configuration reads it.
  // eslint-disable-next-line no-restricted-syntax
  environment: process.env,
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
});
