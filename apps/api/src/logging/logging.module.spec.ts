import { expect, it } from '@jest/globals';
import { Inject, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createLog, type Log } from './log.js';
import { LOG, LoggingModule } from './logging.module.js';

class Writer {
  constructor(@Inject(LOG) readonly log: Log) {}
}

@Module({ providers: [Writer] })
class FeatureModule {}

it('gives the log to modules that do not import it', async () => {
  const log = createLog('silent');
  @Module({ imports: [LoggingModule.forRoot(log), FeatureModule] })
  class App {}
  const app = await NestFactory.createApplicationContext(App, { logger: false, abortOnError: false });
  expect(app.get(Writer, { strict: false }).log).toBe(log);
  await app.close();
});
