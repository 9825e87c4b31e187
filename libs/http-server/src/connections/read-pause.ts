import type { Socket } from 'node:net';

/** Stops reading from a socket, and keeps it stopped: node resumes a socket after every response. */
export class ReadPause {
  private held = false;

  constructor(private readonly socket: Socket) {
    socket.on('resume', () => {
      if (this.held) socket.pause();
    });
  }

  get isHeld(): boolean {
    return this.held;
  }

  hold(): void {
    if (this.held) return;
    this.held = true;
    this.socket.pause();
  }

  release(): void {
    this.held = false;
    this.socket.resume();
  }

  /** Ends the pause without reading: what comes is for another reader. */
  end(): void {
    this.held = false;
  }
}
