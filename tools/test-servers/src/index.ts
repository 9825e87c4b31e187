export const placeholder = 'tools/test-servers';
