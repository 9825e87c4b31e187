declare module 'pgpass' {
  import type { ClientConfig } from 'pg';

  /** Calls back with the first password of the file that fits, or with `undefined`. */
  export default function pgPass(of: ClientConfig, callback: (password: string | undefined) => void): void;
}
