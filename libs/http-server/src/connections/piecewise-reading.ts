import type { Socket } from 'node:net';

/** Most bytes that are parsed at once: some 25 of the shortest requests. */
const PIECE_BYTES = 1_024;

/**
 * Hands node's parser what a socket reads in small pieces. Node parses all that a read has brought, 64 KiB, before
 * anything else happens, also when the socket is paused meanwhile: 1,600 pipelined requests. Some hundred connections
 * that send so much at once would keep all others waiting for seconds: the first packet of each would be enough, so that
 * every packet is divided, and not only those of connections that have pipelined before. It takes 3 % of a request's CPU.
 */
export class PiecewiseReading {
  /** The packet that is being parsed. */
  packet: Buffer | undefined;
  /** What has been read and not parsed, the first of it from `start` on; `null` is the end. */
  private readonly unread: (Buffer | null)[] = [];
  private start = 0;
  private readonly push: Socket['push'];

  /** @param mayParse whether the parser may get the next piece */
  constructor(
    private readonly socket: Socket,
    private readonly mayParse: () => boolean,
  ) {
    // The parser reads past the stream until somebody listens to it.
    socket.on('data', ignore).off('data', ignore);
    this.push = socket.push.bind(socket);
    socket.push = (packet: Buffer | null) => {
      // Most packets are one request.
      const isShort = packet === null || packet.length <= PIECE_BYTES;
      if (isShort && this.unread.length === 0 && mayParse()) return this.push(packet);
      this.unread.push(packet);
      return this.parse();
    };
  }

  /** Parses what has been read, as far as it may. @returns whether more should be read */
  parse(): boolean {
    let wantsMore = true;
    while (this.unread.length > 0) {
      if (!this.mayParse() || this.socket.destroyed) return false;
      const packet = this.unread[0] ?? undefined;
      this.packet = packet;
      wantsMore = this.push(this.next(packet));
      this.packet = undefined;
    }
    return wantsMore;
  }

  /** Nothing is parsed any more: what is left goes to whatever reads the socket now. */
  stop(): void {
    const { socket, unread, push } = this;
    socket.push = push;
    while (unread.length > 0) {
      const packet = unread.shift();
      push(packet?.subarray(this.start) ?? null);
      this.start = 0;
    }
  }

  /** Takes the next piece of the first packet. */
  private next(packet: Buffer | undefined): Buffer | null {
    const { start } = this;
    const end = start + PIECE_BYTES;
    if (packet !== undefined && end < packet.length) this.start = end;
    else {
      this.unread.shift();
      this.start = 0;
    }
    return packet?.subarray(start, end) ?? null;
  }
}

const ignore = (): void => undefined;
