export {
  currentUser,
  formatMode,
  isForeignOwner,
  isOpenToOthers,
  NOBODY,
  openPrivateFile,
  quoteForShell,
} from './private-file.js';
