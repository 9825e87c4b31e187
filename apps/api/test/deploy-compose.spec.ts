import { describe, expect, it } from '@jest/globals';
import { composeServices } from './deploy-files.js';

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
