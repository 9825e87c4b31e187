declare module 'swagger-ui-dist/absolute-path.js' {
  /** Folder of the files that a page needs. The package's main entry would load the whole bundle into node. */
  export default function getAbsoluteFSPath(): string;
}
