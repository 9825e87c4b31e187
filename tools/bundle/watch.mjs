export { watch } from 'rolldown';
