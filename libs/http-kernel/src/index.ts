export const placeholder = 'libs/http-kernel';
