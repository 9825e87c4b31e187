export const placeholder = 'apps/api';
