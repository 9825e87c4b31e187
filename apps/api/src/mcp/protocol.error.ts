/** What a client does about an error, by its number (JSON-RPC 2.0, section 5.1, and the protocol). */
export class ProtocolError extends Error {
  private constructor(
    readonly code: number,
    message: string,
    /** Of the response; 200 for clients that read errors nowhere else. */
    readonly status: 200 | 400 | 404,
    readonly data?: object,
  ) {
    super(message);
  }

  static noMessage(): ProtocolError {
    return new ProtocolError(-32600, 'The body must be one message of JSON-RPC 2.0.', 400);
  }

  static unknownMethod(status: 200 | 404): ProtocolError {
    return new ProtocolError(-32601, 'There is no such method here.', status);
  }

  static invalidParams(problem: string, status: 200 | 400 = 200): ProtocolError {
    return new ProtocolError(-32602, `Invalid params: ${problem}.`, status);
  }

  /** Nothing is done: what stands between may have judged the request by its header fields. */
  static headerMismatch(field: string): ProtocolError {
    return new ProtocolError(-32020, `Header mismatch: ${field} does not say what the body says.`, 400);
  }

  static unsupportedVersion(requested: string, supported: readonly string[]): ProtocolError {
    return new ProtocolError(-32022, 'Unsupported protocol version.', 400, { supported, requested });
  }
}
