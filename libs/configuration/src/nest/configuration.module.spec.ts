import { expect, it } from '@jest/globals';
import { Inject, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type Configuration, readConfiguration } from '../configuration.js';
import { CONFIGURATION, ConfigurationModule } from './configuration.module.js';

class Reader {
  constructor(@Inject(CONFIGURATION) readonly configuration: Configuration) {}
}

@Module({ providers: [Reader] })
class FeatureModule {}

it('gives the configuration to modules that do not import it', async () => {
  const configuration = readConfiguration({ PORT: '0' });
  @Module({ imports: [ConfigurationModule.forRoot(configuration), FeatureModule] })
  class App {}
  const app = await NestFactory.createApplicationContext(App, { logger: false, abortOnError: false });
  expect(app.get(Reader, { strict: false }).configuration).toBe(configuration);
  await app.close();
});
