/** Where the deliverer logs; pino's loggers are one. */
export interface DelivererLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
