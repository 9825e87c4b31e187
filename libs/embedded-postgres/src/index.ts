export const placeholder = 'libs/embedded-postgres';
