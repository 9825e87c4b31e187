import preset from '../../jest.preset.mjs';

/** Each spec by itself: see jest.suite.config.mjs. */
export default { ...preset, testPathIgnorePatterns: ['together\\.spec\\.ts$'] };
