/** A file of a session, or of a sub-agent. */
export interface SessionFile {
  path: string;
  bytes: number;
  /** Milliseconds since the epoch. */
  modifiedMs: number;
}

/**
 * What is read together: the file of a session with those of its sub-agents, or the file of a sub-agent that is apart from its session. There are tens
 * of thousands, so each takes no more memory than it needs: a single file is held without an array.
 */
export class Session {
  /** The same for as long as the session exists. */
  readonly id: string;
  /** Whether a sub-agent has it, so that it is no session of its own. */
  readonly isAgent: boolean;
  readonly #files: SessionFile | readonly SessionFile[];

  /** @param others files of sub-agents */
  constructor(id: string, file: SessionFile, others: readonly SessionFile[] = [], isAgent = false) {
    this.id = id;
    this.isAgent = isAgent;
    this.#files = others.length === 0 ? file : [file, ...others];
  }

  /** The first is that of the session. */
  get files(): readonly [SessionFile, ...SessionFile[]] {
    return ('path' in this.#files ? [this.#files] : this.#files) as [SessionFile, ...SessionFile[]];
  }

  get fileCount(): number {
    return 'path' in this.#files ? 1 : this.#files.length;
  }

  get bytes(): number {
    return 'path' in this.#files ? this.#files.bytes : this.#files.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Of its newest file. Milliseconds since the epoch. */
  get modifiedMs(): number {
    return 'path' in this.#files ? this.#files.modifiedMs : this.#files.reduce((latest, file) => Math.max(latest, file.modifiedMs), 0);
  }

  /** Whether it has the same files, and nothing was written to them. */
  isSame(other: Session): boolean {
    if (this.isAgent !== other.isAgent || this.fileCount !== other.fileCount) return false;
    const { files } = other;
    return this.files.every((file, index) => isSameFile(file, files[index] as SessionFile));
  }
}

const isSameFile = (file: SessionFile, other: SessionFile): boolean =>
  file.path === other.path && file.bytes === other.bytes && file.modifiedMs === other.modifiedMs;
