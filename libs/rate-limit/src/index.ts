export const placeholder = 'libs/rate-limit';
