declare module 'pgpass' {
  interface ConnectionInfo {
    readonly host: string;
    readonly port: number;
    readonly database: string | undefined;
    readonly user: string | undefined;
  }

  /** Calls back with the first password of the file that fits, or with `undefined`. */
  export default function pgPass(
    info: ConnectionInfo,
    callback: (password: string | undefined) => void,
  ): void;
}
