export const placeholder = 'libs/configuration';
