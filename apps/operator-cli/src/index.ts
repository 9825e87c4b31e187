export const placeholder = 'apps/operator-cli';
