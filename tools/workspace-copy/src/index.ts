export { type CommandResult, WorkspaceCopy, type WorkspaceCopyOptions } from './workspace-copy.js';
