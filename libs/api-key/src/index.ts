export const placeholder = 'libs/api-key';
