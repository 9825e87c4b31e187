import { describe, expect, it } from '@jest/globals';
import { defineScopes } from './scope-registry.js';

describe('defineScopes', () => {
  const registry = defineScopes(
    {
      'cats:read': { grants: 'lists cats', byDefault: true },
      'cats:write': { grants: 'adds cats', byDefault: true },
    },
    { 'dogs:manage': { grants: 'walks dogs' } },
  );

  it('puts the scopes of features together in their order', () => {
    expect(registry.all).toEqual(['cats:read', 'cats:write', 'dogs:manage']);
  });

  it('gives by default only what says so, not whatever is defined later', () => {
    expect(registry.defaults).toEqual(['cats:read', 'cats:write']);
  });

  it('finds a scope by its exact name only', () => {
    expect(registry.find('dogs:manage')).toBe('dogs:manage');
    for (const text of ['dogs', 'Dogs:manage', ' dogs:manage', 'fish:read', '__proto__', '']) {
      expect(registry.find(text)).toBeUndefined();
    }
  });

  it.each(['', 'Cats', 'cats read', 'cats,read', 'cats:', ':cats', 'kätzchen', 'a'.repeat(65)])(
    'refuses the name %j',
    (name) => {
      expect(() => defineScopes({ [name]: { grants: 'nothing' } })).toThrow('is no name of a scope');
    },
  );

  it('refuses one that two features define', () => {
    const cats = { 'cats:read': { grants: 'lists cats' } };
    expect(() => defineScopes(cats, cats)).toThrow('The scope cats:read is defined twice.');
  });
});
