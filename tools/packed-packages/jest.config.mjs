import preset from '../../jest.preset.mjs';

export default { ...preset, globalSetup: '<rootDir>/pack-once.mjs' };
